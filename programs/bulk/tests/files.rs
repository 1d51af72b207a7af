//! Which files are read and written: folders and patterns, lines without columns, findings that are there already, and files
//! that are damaged or cannot be read.

use std::fs;
use std::sync::Arc;

use arrow_array::ArrayRef;
use franking::Operation;
use serde_json::{Value, json};

use crate::written::{Folder, calls, columns, expected, write_all, write_parquet};

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
