//! Runs the command over files of calls in every format, and compares with each call on its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryViewArray, DictionaryArray, LargeStringArray, RecordBatch, RecordBatchIterator,
    StringArray, types::Int32Type,
};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use arrow_schema::SchemaRef;
use franking::{Operation, Policy, Preflight};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
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

    fn run(&self, arguments: &[&str]) -> Output {
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

fn columns(calls: &[(Operation, String)]) -> Vec<(&'static str, ArrayRef)> {
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

fn write_parquet(path: &Path, columns: Vec<(&str, ArrayRef)>, rows_of_group: usize) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(rows_of_group));
    let file = fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn compressed(by: CompressionType) -> IpcWriteOptions {
    IpcWriteOptions::default()
        .try_with_compression(Some(by))
        .unwrap()
}

/// Writes the same calls in every format that can be read.
fn write_all(folder: &Folder, calls: &[(Operation, String)]) -> Vec<&'static str> {
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

#[test]
fn of_each_format_the_findings_are_those_of_each_call_in_its_order() {
    let folder = Folder::new();
    let calls = calls(100);
    let names = write_all(&folder, &calls);
    for threads in ["1", "3"] {
        let out = format!("out{threads}");
        let arguments = [
            "check",
            "in",
            "--carry",
            "id",
            "--out",
            &out,
            "--form",
            "jsonl",
            "--threads",
            threads,
        ];
        let said = folder.said(1, &arguments);
        assert!(said.starts_with("700 calls: "), "{said}");
        for name in &names {
            let found = if name.ends_with(".jsonl") {
                (*name).to_owned()
            } else {
                format!("{name}.jsonl")
            };
            let found = folder.lines(&format!("{out}/{found}"));
            assert_eq!(found.len(), calls.len(), "{name}");
            for (row, (found, call)) in found.iter().zip(&calls).enumerate() {
                assert_eq!(
                    found,
                    &expected(row, &json!(row.to_string()), call),
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn what_is_written_as_parquet_and_arrow_is_what_is_written_as_json() {
    let folder = Folder::new();
    let calls = calls(60);
    write_all(&folder, &calls);
    folder.said(
        1,
        &[
            "check",
            "in/one.parquet",
            "--all",
            "--carry",
            "id",
            "--out",
            "json",
            "--form",
            "jsonl",
        ],
    );
    for form in ["parquet", "arrow"] {
        folder.said(
            1,
            &[
                "check",
                "in/one.parquet",
                "--all",
                "--carry",
                "id",
                "--out",
                form,
                "--form",
                form,
            ],
        );
    }
    let json = folder.lines("json/one.parquet.jsonl");
    assert_eq!(json[2]["all"].as_array().unwrap().len(), 2);
    let batches = |form: &str| -> (SchemaRef, Vec<RecordBatch>) {
        if form == "arrow" {
            let file = fs::File::open(folder.at("arrow/one.parquet.arrow")).unwrap();
            let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
            return (reader.schema(), reader.map(Result::unwrap).collect());
        }
        let file = fs::File::open(folder.at("parquet/one.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        (
            Arc::clone(reader.schema()),
            reader.build().unwrap().map(Result::unwrap).collect(),
        )
    };
    for form in ["parquet", "arrow"] {
        let mut writer = arrow_json::LineDelimitedWriter::new(Vec::new());
        let (schema, batches) = batches(form);
        assert_eq!(
            schema.metadata()["franking.rules"],
            franking::RULES_VERSION.to_string()
        );
        for batch in batches {
            writer.write(&batch).unwrap();
        }
        writer.finish().unwrap();
        let text = String::from_utf8(writer.into_inner()).unwrap();
        let found: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(found, json, "{form}");
    }
}

#[test]
fn the_summary_counts_each_rule_and_rows_without_a_call() {
    let folder = Folder::new();
    let mut text = String::new();
    let mut counts: BTreeMap<(u16, Option<&str>), u64> = BTreeMap::new();
    for (operation, body) in calls(60) {
        let body_text = Value::from(body.as_str());
        text.push_str(&format!(
            "{{\"operation\":\"{}\",\"body\":{body_text}}}\n\n",
            operation.name()
        ));
        let policy = Policy::default();
        let preflight = Preflight::new(&policy, operation, body.as_bytes());
        let first = preflight.violations().next();
        let key = first.map_or((200, None), |first| {
            (first.code().number(), Some(first.rule().identifier()))
        });
        *counts.entry(key).or_default() += 1;
    }
    text.push_str(
        "{\"operation\":\"sendMailer\",\"body\":null}\n{\"body\":\"{}\"}\n{\"more\":1}\n",
    );
    folder.write("calls.jsonl", text);
    let said = folder.said(1, &["check", "calls.jsonl", "--json", "--svg", "chart.svg"]);
    let summary: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&summary["calls"], &summary["empty"]),
        (&json!(60), &json!(3))
    );
    let outcomes = summary["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), counts.len());
    for outcome in outcomes {
        let code = u16::try_from(outcome["code"].as_u64().unwrap()).unwrap();
        assert_eq!(outcome["calls"], counts[&(code, outcome["rule"].as_str())]);
    }
    let said = folder.said(1, &["check", "calls.jsonl"]);
    assert!(said.contains("; 3 rows without a call; "), "{said}");
    let bars = counts.iter().filter(|((code, _), _)| *code != 200);
    let svg = fs::read_to_string(folder.at("chart.svg")).unwrap();
    assert_eq!(svg.matches("<rect").count(), bars.clone().count());
    for ((code, rule), count) in bars {
        assert!(
            said.contains(&format!(" {code} {}", rule.unwrap())),
            "{said}"
        );
        assert!(
            svg.contains(&format!(">{code} {}<", rule.unwrap()))
                && svg.contains(&format!(">{count}<")),
            "{svg}"
        );
    }
}

#[test]
fn the_status_is_that_of_the_calls_when_nobody_reads_the_summary() {
    let folder = Folder::new();
    write_all(&folder, &calls(6));
    for form in [&["--json"][..], &[][..]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(&[&["check", "in"][..], form].concat());
        let output = command.stdout(writer).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error), (Some(1), String::new()));
    }
}

#[test]
fn calls_that_are_whole_lines_need_an_operation_and_no_column() {
    let folder = Folder::new();
    let calls: Vec<String> = calls(60).into_iter().map(|(_, body)| body).collect();
    let long =
        json!({"apiKey": "k", "mailerID": 1, "email": "nobody", "address": "x".repeat(1 << 20)})
            .to_string();
    folder.write("calls.jsonl", format!("{}\r\n\n{long}", calls.join("\n")));
    folder.said(
        1,
        &[
            "check",
            "calls.jsonl",
            "--lines",
            "-o",
            "sendMailer",
            "--out",
            "out",
            "--form",
            "jsonl",
            "--memory",
            "16",
        ],
    );
    let found = folder.lines("out/calls.jsonl");
    assert_eq!(found.len(), 61);
    for (row, (found, call)) in found.iter().zip(calls.iter().chain([&long])).enumerate() {
        let mut expected = expected(row, &Value::Null, &(Operation::SendMailer, call.clone()));
        expected.as_object_mut().unwrap().remove("id");
        // A blank line is counted, but has no findings.
        expected["row"] = json!(if row == 60 { 61 } else { row });
        assert_eq!(found, &expected);
    }
    let error = folder.said(2, &["check", "calls.jsonl", "--lines"]);
    assert!(error.contains("--operation"), "{error}");
}

#[test]
fn only_what_is_refused_or_changed_is_written_where_that_is_wanted() {
    let folder = Folder::new();
    write_all(&folder, &calls(60));
    folder.said(
        1,
        &[
            "check",
            "in/texts.jsonl",
            "--refused-only",
            "--out",
            "refused",
            "--form",
            "jsonl",
        ],
    );
    let found = folder.lines("refused/texts.jsonl");
    assert_eq!(found.len(), 40);
    assert!(found.iter().all(|line| line["code"] != 200));
    folder.write("strict.json", r#"{"max_requests": 1}"#);
    folder.write(
        "in2/calls.jsonl",
        fs::read(folder.at("in/texts.jsonl")).unwrap(),
    );
    let said = folder.said(
        1,
        &[
            "compare",
            "in2",
            "--policy",
            "strict.json",
            "--changed-only",
            "--out",
            "changed",
            "--form",
            "jsonl",
        ],
    );
    assert!(
        said.starts_with("60 calls: 50 unchanged, 10 changed\n"),
        "{said}"
    );
    assert!(said.contains("is now 4"), "{said}");
    let found = folder.lines("changed/calls.jsonl");
    assert_eq!(found.len(), 10);
    for line in found {
        assert_eq!(
            (line["row"].as_u64().unwrap() % 6, &line["changed"]),
            (2, &json!(true))
        );
        assert_eq!(line["rule_now"], "too-many-requests");
        assert_ne!(line["code_then"], line["code_now"]);
    }
    assert!(
        folder
            .said(
                0,
                &[
                    "compare",
                    "in2",
                    "--before",
                    "strict.json",
                    "--policy",
                    "strict.json"
                ]
            )
            .contains("0 changed")
    );
}

#[test]
fn a_file_that_has_its_findings_is_not_read_again_until_it_or_a_setting_changes() {
    let folder = Folder::new();
    write_all(&folder, &calls(60));
    let arguments = ["check", "in", "--out", "out"];
    let first = folder.said(1, &arguments);
    let place = folder.at("out/groups.parquet");
    let written = fs::metadata(&place).unwrap().modified().unwrap();
    // A file whose name begins with a dot is never read as calls or findings.
    assert!(folder.at("out/.groups.parquet.finished.json").exists());
    // A process that was killed leaves a file that ends with .part, and no record that it is complete.
    fs::write(folder.at("out/one.parquet.part"), "part").unwrap();
    fs::remove_file(folder.at("out/one.parquet")).unwrap();
    fs::remove_file(folder.at("out/.one.parquet.finished.json")).unwrap();
    assert_eq!(folder.said(1, &arguments), first);
    assert_eq!(fs::metadata(&place).unwrap().modified().unwrap(), written);
    assert!(folder.at("out/one.parquet").exists() && !folder.at("out/one.parquet.part").exists());
    folder.said(1, &["check", "in", "--out", "out", "--refused-only"]);
    assert_ne!(fs::metadata(&place).unwrap().modified().unwrap(), written);
    let before = fs::metadata(&place).unwrap().modified().unwrap();
    write_parquet(&folder.at("in/groups.parquet"), columns(&calls(61)), 7);
    let second = folder.said(1, &["check", "in", "--out", "out", "--refused-only"]);
    assert_ne!(fs::metadata(&place).unwrap().modified().unwrap(), before);
    // With another column of operations, the files are read again. This column names no operation.
    folder.said(
        2,
        &[
            "check",
            "in",
            "--out",
            "out",
            "--refused-only",
            "--operation-column",
            "id",
        ],
    );
    assert!(
        first.starts_with("420 calls") && second.starts_with("421 calls"),
        "{first} {second}"
    );
}

#[test]
fn calls_that_are_converted_have_the_same_findings() {
    let folder = Folder::new();
    write_all(&folder, &calls(60));
    folder.said(
        1,
        &[
            "check",
            "in/texts.jsonl",
            "--carry",
            "id",
            "--out",
            "out",
            "--form",
            "jsonl",
        ],
    );
    let findings = folder.lines("out/texts.jsonl");
    for (form, name) in [
        ("parquet", "texts.jsonl.parquet"),
        ("arrow", "texts.jsonl.arrow"),
        ("jsonl", "texts.jsonl"),
    ] {
        let arguments = [
            "convert",
            "in/texts.jsonl",
            "--operation-column",
            "operation",
            "--carry",
            "id",
        ];
        let said = folder.said(
            0,
            &[&arguments[..], &["--out", form, "--form", form]].concat(),
        );
        assert_eq!(said, "60 calls\n");
        let converted = format!("{form}/{name}");
        let again = format!("{form}-out");
        folder.said(
            1,
            &[
                "check", &converted, "--carry", "id", "--out", &again, "--form", "jsonl",
            ],
        );
        let name = if form == "jsonl" {
            name.to_owned()
        } else {
            format!("{name}.jsonl")
        };
        assert_eq!(folder.lines(&format!("{again}/{name}")), findings, "{form}");
    }
}

#[test]
fn files_in_folders_and_patterns_keep_their_names_below_the_folder_of_findings() {
    let folder = Folder::new();
    let line = "{\"operation\":\"sendMailer\",\"body\":\"{}\"}\n";
    for name in [
        "lake/day=1/part.jsonl",
        "lake/day=2/part.jsonl",
        "lake/_SUCCESS.jsonl",
        "lake/.hidden/part.jsonl",
    ] {
        folder.write(name, line);
    }
    assert!(
        folder
            .said(1, &["check", "lake", "--out", "out"])
            .starts_with("2 calls")
    );
    assert!(
        folder.at("out/day=1/part.jsonl.parquet").exists()
            && folder.at("out/day=2/part.jsonl.parquet").exists()
    );
    assert!(
        folder
            .said(1, &["check", "lake/*/part.jsonl", "lake/day=1/part.jsonl"])
            .starts_with("2 calls")
    );
}

#[test]
fn what_cannot_be_carried_out_is_said_and_shows_nothing_of_a_call() {
    let folder = Folder::new();
    write_all(&folder, &calls(6));
    folder.write(
        "broken.jsonl",
        "{\"operation\":\"sendMailer\",\"body\":\"{}\"}\n{\"body\":\"secret@shop.example\n",
    );
    folder.write("array.jsonl", "[\"secret@shop.example\"]\n");
    folder.write(
        "operation.jsonl",
        "{\"operation\":\"secret@shop.example\",\"body\":\"{}\"}\n",
    );
    folder.write("lacking.jsonl", "{\"secret@shop.example\":1}\n");
    folder.write(
        "uneven.csv",
        "operation,body\nsendMailer,{},secret@shop.example\n",
    );
    folder.write("no.parquet", "secret@shop.example");
    folder.write("calls.txt", "");
    folder.write("policy.json", "{\"max_requests\": \"secret@shop.example\"}");
    folder.write("list.txt", "good.example\nnot a domain\n");
    write_parquet(
        &folder.at("number.parquet"),
        vec![(
            "body",
            Arc::new(arrow_array::Int64Array::from(vec![1])) as ArrayRef,
        )],
        9,
    );
    for (arguments, words) in [
        (
            &["check", "broken.jsonl"][..],
            "broken.jsonl, line 2: it is not JSON",
        ),
        (
            &["check", "array.jsonl"],
            "array.jsonl, line 1: it is not a JSON object",
        ),
        (
            &["check", "operation.jsonl"],
            "operation.jsonl, in the calls from row 0 on: row 0 of column operation is not the name",
        ),
        (
            &["check", "lacking.jsonl"],
            "lacking.jsonl: no line has a member body",
        ),
        (
            &["check", "uneven.csv"],
            "uneven.csv, line 2: it has 3 columns, but the first line has 2",
        ),
        (&["check", "no.parquet"], "no.parquet is not a Parquet file"),
        (
            &["check", "number.parquet", "-o", "sendMailer"],
            "number.parquet: column body has the type Int64: expected text or binary",
        ),
        (&["check", "calls.txt"], "calls.txt has an unknown ending"),
        (&["check", "nothing.jsonl"], "nothing.jsonl: no such file"),
        (&["check", "in/*.nothing"], "in/*.nothing: no such file"),
        (
            &["check", "in/one.parquet", "--column", "call"],
            "there is no column call; its columns are: id, operation, body",
        ),
        (
            &["check", "in/one.parquet", "--carry", "number"],
            "there is no column number",
        ),
        (&["check", "in", "--out", "in"], "would be overwritten"),
        (
            &["check", "in", "--policy", "policy.json"],
            "policy.json is not a policy",
        ),
        (
            &[
                "redecide",
                "in/one.parquet",
                "--column",
                "body",
                "--blacklist-sender",
                "list.txt",
            ],
            "list.txt is not a list of domains",
        ),
        (
            &["check", "in", "--policy", "missing.json"],
            "cannot read missing.json",
        ),
        (
            &["check", "in", "--svg", "missing/chart.svg"],
            "cannot write missing/chart.svg",
        ),
    ] {
        let error = folder.said(2, arguments);
        assert!(error.contains(words), "{arguments:?}: {error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn a_file_that_is_damaged_is_read_with_all_of_its_calls_or_refused() {
    let folder = Folder::new();
    write_all(&folder, &calls(40));
    let (mut read, mut refused) = (0, 0);
    for name in [
        "groups.parquet",
        "calls.arrow",
        "calls.arrows",
        "texts.jsonl",
        "calls.csv",
    ] {
        let whole = fs::read(folder.at("in").join(name)).unwrap();
        let damaged = format!("damaged-{name}");
        // A byte is changed, or the file is cut off, at places all over the file.
        for number in 0..60 {
            let mut bytes = whole.clone();
            let place = (number * 7_919 + number / 2 * 104_729) % bytes.len();
            if number % 4 == 0 {
                bytes.truncate(place);
            } else {
                bytes[place] ^= 1 << (number % 8) | 0x80;
            }
            folder.write(&damaged, &bytes);
            let output = folder.run(&["check", &damaged, "--json"]);
            let error = String::from_utf8(output.stderr).unwrap();
            match output.status.code() {
                Some(2) => {
                    assert!(
                        error.starts_with("franking-bulk: ") && error.contains(&damaged),
                        "{name} {number}: {error}"
                    );
                    refused += 1;
                }
                status => {
                    assert!(
                        matches!(status, Some(0 | 1)),
                        "{name} {number}: {status:?} {error}"
                    );
                    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
                    let rows =
                        summary["calls"].as_u64().unwrap() + summary["empty"].as_u64().unwrap();
                    // Text formats do not say how many rows they have.
                    let is_text = name.ends_with(".jsonl")
                        || name.ends_with(".csv")
                        || name.ends_with(".arrows");
                    assert!(rows == 40 || is_text, "{name} {number}: {rows} of 40 calls");
                    read += 1;
                }
            }
        }
    }
    assert!(
        read > 30 && refused > 100,
        "{read} were read, {refused} were refused"
    );
}
