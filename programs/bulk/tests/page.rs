//! Runs the examples of docs/bulk.md, and compares what they write with what the page shows.

use std::fs;
use std::path::Path;
use std::process::Command;

use franking::Policy;
use tempfile::TempDir;

use crate::again::{calls, transcript, world};

/// The contents of the files that the page describes.
const FILES: [(&str, &str); 2] = [
    ("strict.json", "{\"max_requests\": 1}\n"),
    ("listed.txt", "example.com\n"),
];

#[test]
fn the_examples_of_the_page_write_what_the_page_shows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bulk.md");
    let page = fs::read_to_string(page).unwrap();
    let folder = TempDir::new().unwrap();
    for (name, text) in FILES {
        assert!(
            page.contains(text.trim_end()) && page.contains(name),
            "{name}"
        );
        fs::write(folder.path().join(name), text).unwrap();
    }
    // This is the output of `franking decide --transcript`.
    let transcripts = calls()
        .iter()
        .map(|call| transcript(&Policy::default(), call, &world()) + "\n")
        .collect::<String>();
    fs::write(folder.path().join("calls.jsonl"), transcripts).unwrap();
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut written = String::new();
        for line in block.lines().filter(|line| line.starts_with("$ ")) {
            let Some(arguments) = line.strip_prefix("$ franking-bulk ") else {
                written.push_str(line);
                written.push('\n');
                continue;
            };
            let mut command = Command::new(env!("CARGO_BIN_EXE_franking-bulk"));
            let output = command
                .args(arguments.split(' '))
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{line}");
            written.push_str(&format!(
                "{line}\n{}",
                String::from_utf8(output.stdout).unwrap()
            ));
            examples += 1;
        }
        assert_eq!(written, block);
    }
    assert_eq!(examples, 3);
}
