//! Calls and findings that are longer than `--memory` allows at once.

use std::fs;
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use arrow_ipc::reader::FileReader;
use serde_json::json;

use crate::written::Folder;

/// How often a test looks whether a program has ended, and how long it waits before it looks again.
const LOOKS: u32 = 60_000;
const EACH: Duration = Duration::from_millis(10);

/// Waits until a program ends. A program that hangs is killed, so that the test fails.
fn ended(mut program: Child) -> ExitStatus {
    for _ in 0..LOOKS {
        if let Some(status) = program.try_wait().unwrap() {
            return status;
        }
        // clock: only a program that never ends takes all of these ten minutes
        thread::sleep(EACH);
    }
    program.kill().unwrap();
    program.wait().unwrap()
}

#[test]
fn findings_of_several_files_that_are_longer_than_the_bound_are_all_taken() {
    let folder = Folder::new();
    // The notes are carried, so most bytes of the findings are notes. The notes of each file are longer than what may wait.
    let line = json!({"body": "{}", "note": "x".repeat(1_000)}).to_string() + "\n";
    for name in ["a.jsonl", "b.jsonl", "c.jsonl"] {
        folder.write(name, line.repeat(6_000));
    }
    for threads in ["1", "2"] {
        let files = ["check", "a.jsonl", "b.jsonl", "c.jsonl"];
        let calls = ["--operation", "sendMailer", "--carry", "note"];
        let bounds = ["--memory", "16", "--threads", threads];
        let mut command = folder.command(&[&files[..], &calls, &bounds].concat());
        let program = command.stdout(Stdio::null()).spawn().unwrap();
        assert_eq!(ended(program).code(), Some(1), "{threads} threads");
    }
}

#[test]
fn what_is_carried_counts_towards_the_bytes_that_are_held_at_once() {
    let folder = Folder::new();
    let note = "x".repeat(10_000);
    let lines = format!("{{}},{note}\n").repeat(2_000);
    folder.write("calls.csv", format!("body,note\n{lines}"));
    let convert = ["convert", "calls.csv", "--carry", "note", "--out", "lake"];
    folder.said(0, &convert);
    for (calls, findings) in [
        ("calls.csv", "found/calls.csv.arrow"),
        ("lake/calls.csv.parquet", "found/calls.csv.parquet.arrow"),
    ] {
        let check = ["check", calls, "--operation", "sendMailer"];
        let carry = ["--carry", "note", "--out", "found", "--form", "arrow"];
        // With one thread, a batch may have a quarter of the memory.
        let bounds = ["--memory", "16", "--threads", "1"];
        folder.said(1, &[&check[..], &carry, &bounds].concat());
        let file = fs::File::open(folder.at(findings)).unwrap();
        let batches = FileReader::try_new(file, None).unwrap();
        let rows: Vec<usize> = batches.map(|batch| batch.unwrap().num_rows()).collect();
        assert_eq!(rows.iter().sum::<usize>(), 2_000, "{calls}");
        let longest = rows.iter().max().unwrap() * note.len();
        assert!(longest < 5 << 20, "{calls}: {rows:?}");
    }
}
