//! Findings of an earlier run, and their records.

use std::fs;

use serde_json::json;

use crate::written::{Folder, calls};

const ARGUMENTS: [&str; 6] = ["check", "in", "--out", "out", "--form", "jsonl"];
const FINDINGS: &str = "out/calls.jsonl";
const RECORD: &str = "out/.calls.jsonl.finished.json";

/// A folder with a file of calls.
fn filled() -> Folder {
    let folder = Folder::new();
    let lines = calls(12).into_iter().map(|(operation, body)| {
        json!({"operation": operation.name(), "body": body}).to_string() + "\n"
    });
    folder.write("in/calls.jsonl", lines.collect::<String>());
    folder
}

#[test]
fn findings_that_are_gone_or_are_others_than_the_record_says_are_written_again() {
    let folder = filled();
    let said = folder.said(1, &ARGUMENTS);
    let findings = folder.lines(FINDINGS);
    assert_eq!(findings.len(), 12);
    fs::remove_file(folder.at(FINDINGS)).unwrap();
    assert_eq!(folder.said(1, &ARGUMENTS), said);
    assert_eq!(folder.lines(FINDINGS), findings);
    // The findings are those of other settings, and the record is that of these settings.
    let record = fs::read(folder.at(RECORD)).unwrap();
    folder.said(1, &[&ARGUMENTS[..], &["--refused-only"]].concat());
    assert_ne!(folder.lines(FINDINGS), findings);
    folder.write(RECORD, record);
    assert_eq!(folder.said(1, &ARGUMENTS), said);
    assert_eq!(folder.lines(FINDINGS), findings);
}

#[test]
fn no_record_is_left_while_findings_are_replaced() {
    let folder = filled();
    folder.said(1, &ARGUMENTS);
    assert!(folder.at(RECORD).exists());
    // A file cannot replace a folder, so the command fails when the new findings get their name.
    fs::remove_file(folder.at(FINDINGS)).unwrap();
    fs::create_dir(folder.at(FINDINGS)).unwrap();
    let error = folder.said(2, &ARGUMENTS);
    assert!(error.contains("cannot write out/calls.jsonl"), "{error}");
    assert!(!folder.at(RECORD).exists());
}
