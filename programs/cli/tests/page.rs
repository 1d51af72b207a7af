//! Runs the examples of docs/command.md and of the READMEs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that meets the unexpected should stop"
)]

use std::path::Path;
use std::process::Command;

/// Runs the examples of a page, compares their output with what the page shows, and counts them.
fn run_examples(page: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join(page)).unwrap();
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut written = String::new();
        for line in block.lines().filter(|line| line.starts_with("$ ")) {
            let arguments = line.strip_prefix("$ franking ").unwrap().split(' ');
            let output = Command::new(env!("CARGO_BIN_EXE_franking"))
                .args(arguments)
                .current_dir(&root)
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
    examples
}

#[test]
fn the_examples_of_the_pages_write_what_the_pages_show() {
    for (page, examples) in [
        ("README.md", 1),
        ("programs/cli/README.md", 1),
        ("docs/command.md", 5),
    ] {
        assert_eq!(run_examples(page), examples, "{page}");
    }
}
