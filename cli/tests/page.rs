//! The examples of docs/command.md and of the README, run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that meets the unexpected should stop"
)]

use std::path::Path;
use std::process::Command;

#[test]
fn the_examples_of_the_page_write_what_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("docs/command.md")).unwrap();
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut written = String::new();
        for line in block.lines().filter(|line| line.starts_with("$ ")) {
            let arguments = line.strip_prefix("$ franking ").unwrap().split(' ');
            let output = Command::new(env!("CARGO_BIN_EXE_franking"))
                .args(arguments)
                .current_dir(root)
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
    assert_eq!(examples, 5);
}

#[test]
fn the_readme_shows_what_the_demo_writes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let (_, behind) = page.split_once("make demo\n```\n\n```text\n").unwrap();
    let shown = behind.split("```").next().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_franking"))
        .args(["decide", "--world", "demo/world.json", "demo/calls"])
        .current_dir(root)
        .output()
        .unwrap();
    let written = String::from_utf8(output.stdout).unwrap();
    assert!(written.contains(shown), "{written}");
}
