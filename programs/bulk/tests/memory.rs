//! Calls and findings that take more memory than they may take at once.

use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::files::Folder;

/// How often a test looks whether a program has ended, and how long it waits before it looks again.
const LOOKS: u32 = 60_000;
const EACH: Duration = Duration::from_millis(10);

/// Waits for a program. One that hangs is ended, so that the test fails.
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
    // The notes are carried, so they are most of the findings: each file has more of them than may wait.
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
