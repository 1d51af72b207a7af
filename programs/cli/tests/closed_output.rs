//! The reader closes the output before the end, as `head` does. The exit status still speaks of every call.
#![allow(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

use std::path::Path;
use std::process::{Command, Stdio};

const GOOD: &str = r#"{"apiKey":"k","mailerID":42,"email":"reader@example.com"}"#;
const BAD: &str = r#"{"apiKey":"k","mailerID":42,"email":"reader"}"#;

/// Runs the command in a folder with an output that nobody reads. Returns its exit status, and what it said of errors.
fn unread(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_franking"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(writer)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn the_status_is_that_of_all_calls_when_nobody_reads_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("good.json", GOOD);
    write("bad.json", BAD);
    // More than are checked at once: the output is closed before anything wrong is found.
    write("late.jsonl", &format!("{GOOD}\n").repeat(20_000));
    for (arguments, status) in [
        (&["check", "good.json"][..], 0),
        (&["check", "good.json", "bad.json"], 1),
        (&["check", "--sarif", "bad.json"], 1),
        (&["check", "--json", "late.jsonl"], 0),
        (&["check", "--json", "late.jsonl", "bad.json"], 1),
        (&["check", "--json", "bad.json", "late.jsonl"], 1),
        (&["address", "reader@example.com"], 0),
        (&["address", "reader", "reader@example.com"], 1),
        (&["rules"], 0),
    ] {
        let ended = unread(folder.path(), arguments);
        assert_eq!(ended, (Some(status), String::new()), "{arguments:?}");
    }
    for arguments in [
        &["check", "good.json", "missing.json"][..],
        &["check", "--json", "bad.json", "late.jsonl", "missing.json"],
    ] {
        let (status, error) = unread(folder.path(), arguments);
        assert_eq!(status, Some(2), "{arguments:?}");
        assert!(error.contains("missing.json cannot be read"), "{error}");
    }
}
