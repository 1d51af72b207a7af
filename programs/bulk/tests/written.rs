//! A folder in which the command runs, and files of calls in every format that are written into it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryViewArray, DictionaryArray, LargeStringArray, RecordBatch, RecordBatchIterator,
    StringArray,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use franking::{Operation, Policy, Preflight};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_franking-bulk"));
        command.current_dir(self.0.path()).args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that has to end with this status. Returns its output.
    pub(crate) fn said(&self, status: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {error}");
        String::from_utf8(if status == 2 {
            error.into_bytes()
        } else {
            output.stdout
        })
        .unwrap()
    }

    pub(crate) fn lines(&self, name: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.at(name)).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

/// Calls of both operations: clean calls, calls with each kind of place, and texts that are not JSON.
pub(crate) fn calls(count: usize) -> Vec<(Operation, String)> {
    let html = "<p>Hello</p>".repeat(9);
    (0..count)
        .map(|number| match number % 6 {
            0 => (
                Operation::SendMailer,
                json!({"apiKey": "k", "mailerID": number + 1, "email": "reader@shop.example"}).to_string(),
            ),
            1 => (
                Operation::SendMailer,
                json!({"apiKey": "k", "mailerID": 1, "email": "nobody", "Canary": "no\u{e4}"}).to_string(),
            ),
            2 => (
                Operation::HttpSendMail,
                json!({"ApiKey": "k", "requests": [
                    {"from": "a@shop.example", "to": "b@shop.example,c@", "subject": "\"x\"", "body": html},
                    {"from": "a@shop.example", "to": "b@shop.example", "body": html},
                ]})
                .to_string(),
            ),
            3 => (Operation::HttpSendMail, "{\"ApiKey\": 1, \"requests\": [".to_owned()),
            4 => (Operation::SendMailer, "[]".to_owned()),
            _ => (
                Operation::HttpSendMail,
                json!({"ApiKey": "k", "requests": [
                    {"from": "a@shop.example", "to": "b@shop.example", "subject": "s", "body": "<a href='http://[1'>"},
                ]})
                .to_string(),
            ),
        })
        .collect()
}

/// The row that has to be written for a call.
pub(crate) fn expected(row: usize, id: &Value, (operation, body): &(Operation, String)) -> Value {
    let policy = Policy::default();
    let preflight = Preflight::new(&policy, *operation, body.as_bytes());
    let mut members = serde_json::Map::new();
    members.insert("row".into(), row.into());
    members.insert("id".into(), id.clone());
    members.insert("code".into(), 200.into());
    if let Some(first) = preflight.violations().next() {
        members.insert("code".into(), first.code().number().into());
        members.insert("rule".into(), first.rule().identifier().into());
        if let Some(pointer) = first.pointer() {
            members.insert("pointer".into(), pointer.into());
        }
        if let Some(span) = first.span() {
            members.insert("start".into(), span.start.into());
            members.insert("end".into(), span.end.into());
        }
        if let Some(request) = first.request() {
            members.insert("request".into(), request.into());
        }
    }
    members.insert("violations".into(), preflight.violations().count().into());
    members.insert("warnings".into(), preflight.warnings().count().into());
    Value::Object(members)
}

pub(crate) fn columns(calls: &[(Operation, String)]) -> Vec<(&'static str, ArrayRef)> {
    let ids: StringArray = (0..calls.len()).map(|id| Some(id.to_string())).collect();
    let operations = calls.iter().map(|(operation, _)| operation.name());
    let operations: DictionaryArray<Int32Type> = operations.collect();
    let bodies = calls.iter().map(|(_, body)| Some(body.as_str()));
    vec![
        ("id", Arc::new(ids)),
        ("operation", Arc::new(operations)),
        ("body", Arc::new(bodies.collect::<LargeStringArray>())),
    ]
}

pub(crate) fn write_parquet(path: &Path, columns: Vec<(&str, ArrayRef)>, rows_of_group: usize) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_of_group));
    let file = fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

pub(crate) fn compressed(by: CompressionType) -> IpcWriteOptions {
    IpcWriteOptions::default()
        .try_with_compression(Some(by))
        .unwrap()
}

/// Writes the same calls in every format that can be read.
pub(crate) fn write_all(folder: &Folder, calls: &[(Operation, String)]) -> Vec<&'static str> {
    let line = |id: usize, (operation, body): &(Operation, String), is_inside: bool| {
        // A call is written as a member, or as a text.
        let body = match serde_json::from_str::<Value>(body) {
            Ok(Value::Object(_)) if is_inside => body.clone(),
            _ => Value::from(body.as_str()).to_string(),
        };
        format!(
            "{{\"id\":\"{id}\",\"operation\":\"{}\",\"more\":[{{}}],\"body\":{body}}}\n",
            operation.name()
        )
    };
    let mut lines = (String::new(), String::new());
    let mut csv = "\u{feff}id,operation,body\n".to_owned();
    for (id, call) in calls.iter().enumerate() {
        lines.0.push_str(&line(id, call, false));
        lines.1.push_str(&line(id, call, true));
        csv.push_str(&format!(
            "{id},{},\"{}\"\n",
            call.0.name(),
            call.1.replace('"', "\"\"")
        ));
    }
    folder.write("in/texts.jsonl", lines.0);
    folder.write("in/inside.ndjson", lines.1.trim_end());
    folder.write("in/calls.csv", csv);
    write_parquet(&folder.at("in/groups.parquet"), columns(calls), 7);
    write_parquet(&folder.at("in/one.parquet"), columns(calls), 1 << 20);
    let batch = RecordBatch::try_from_iter(columns(calls)).unwrap();
    let file = fs::File::create(folder.at("in/calls.arrow")).unwrap();
    let mut writer = FileWriter::try_new_with_options(
        file,
        &batch.schema(),
        compressed(CompressionType::LZ4_FRAME),
    )
    .unwrap();
    for start in (0..batch.num_rows()).step_by(5) {
        writer
            .write(&batch.slice(start, 5.min(batch.num_rows() - start)))
            .unwrap();
    }
    writer.finish().unwrap();
    let file = fs::File::create(folder.at("in/calls.arrows")).unwrap();
    let bodies: BinaryViewArray = calls
        .iter()
        .map(|(_, body)| Some(body.as_bytes()))
        .collect();
    let mut views = columns(calls);
    views[2].1 = Arc::new(bodies);
    let batch = RecordBatch::try_from_iter(views).unwrap();
    let reader = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    let mut writer = StreamWriter::try_new_with_options(
        file,
        &batch.schema(),
        compressed(CompressionType::ZSTD),
    )
    .unwrap();
    for batch in reader {
        writer.write(&batch.unwrap()).unwrap();
    }
    writer.finish().unwrap();
    vec![
        "texts.jsonl",
        "inside.ndjson",
        "calls.csv",
        "groups.parquet",
        "one.parquet",
        "calls.arrow",
        "calls.arrows",
    ]
}
