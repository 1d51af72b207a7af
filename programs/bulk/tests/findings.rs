//! The findings of files of every format are those of each call on its own, in each form in which they are written.

use std::fs;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};

use crate::written::{Folder, calls, expected, write_all};

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
