//! Compares what `franking check` says about the two hundred calls of `wrong_calls.jsonl` with `wrong_calls.txt`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

#[expect(dead_code, reason = "the other tests need the rest of it")]
mod support;

use serde::Deserialize;
use tempfile::TempDir;

use support::{Ran, assert_kept, folder, franking_in};

/// The two hundred calls of `wrong_calls.jsonl`, each in a file. The files are removed when this is dropped.
struct Wrong {
    folder: TempDir,
    /// The names of the files, in the folder.
    names: Vec<String>,
}

/// A line of `wrong_calls.jsonl`.
#[derive(Deserialize)]
struct WrongCall {
    file: String,
    body: Option<String>,
    /// The body, if it is not UTF-8.
    bytes: Option<Vec<u8>>,
}

impl Wrong {
    fn write() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("wrong")).unwrap();
        let mut names = Vec::new();
        for line in include_str!("wrong_calls.jsonl").lines() {
            let call: WrongCall = serde_json::from_str(line).unwrap();
            let name = format!("wrong/{}", call.file);
            let body = call.body.map(String::into_bytes).or(call.bytes);
            std::fs::write(folder.path().join(&name), body.unwrap()).unwrap();
            names.push(name);
        }
        assert_eq!(names.len(), 200);
        Self { folder, names }
    }

    /// Runs the command in the folder.
    fn franking(&self, arguments: &[&str]) -> Ran {
        franking_in(self.folder.path(), arguments, b"")
    }
}

#[test]
fn each_wrong_call_is_shown_as_its_file_says() {
    let wrong = Wrong::write();
    let path = folder().join("wrong_calls.txt");
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let mut shown = String::new();
    for name in &wrong.names {
        let ran = wrong.franking(&["check", name]);
        assert_eq!(ran.err, "");
        let is_refused = ran.out.contains("\nerror[") || ran.out.starts_with("error[");
        assert_eq!(ran.status, i32::from(is_refused), "{name}");
        let one = format!("$ franking check {name}\n{}\n", ran.out);
        // If several calls differ, only the first one is shown.
        if !kept.contains(&one) {
            assert_kept(&path, &one);
        }
        shown.push_str(&one);
    }
    assert_kept(&path, &shown);
}

#[test]
fn nothing_reaches_the_terminal_but_text_and_the_colours_of_the_command() {
    let wrong = Wrong::write();
    for name in &wrong.names {
        let plain = wrong.franking(&["check", name]).out;
        let is_text = |character: char| character == '\n' || !character.is_control();
        assert!(plain.chars().all(is_text), "{name}");

        let coloured = wrong.franking(&["check", "--color", "always", name]).out;
        for behind in coloured.split('\x1b').skip(1) {
            let sequence = behind.split('m').next().unwrap();
            assert!(
                sequence.starts_with('[')
                    && sequence
                        .bytes()
                        .skip(1)
                        .all(|byte| byte.is_ascii_digit() || byte == b';'),
                "{name}: {sequence:?}"
            );
        }
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(stripped, plain, "{name}");
    }
}

#[test]
fn no_line_of_source_is_wider_than_the_output() {
    let wrong = Wrong::write();
    for name in &wrong.names {
        let plain = wrong.franking(&["check", name]).out;
        let is_source = |line: &&str| {
            line.split_once(" |")
                .is_some_and(|(number, _)| number.trim().bytes().all(|byte| byte.is_ascii_digit()))
        };
        for line in plain.lines().filter(is_source) {
            let width = unicode_width::UnicodeWidthStr::width(line);
            assert!(width <= 100, "{name}: {width}: {line}");
        }
    }
}

#[test]
fn json_and_sarif_say_the_same_of_all_of_them() {
    let wrong = Wrong::write();
    let json = wrong.franking(&["check", "--json", "wrong"]);
    let mut violations = Vec::new();
    for line in json.out.lines() {
        let body: serde_json::Value = serde_json::from_str(line).unwrap();
        for violation in body["violations"].as_array().unwrap() {
            violations.push(violation["rule"].as_str().unwrap().to_string());
            assert!(!violation["remedy"].as_str().unwrap().is_empty());
        }
        for warning in body["warnings"].as_array().unwrap() {
            violations.push(warning["warning"].as_str().unwrap().to_string());
        }
    }
    let sarif = wrong.franking(&["check", "--sarif", "wrong"]);
    let log: serde_sarif::sarif::Sarif = serde_json::from_str(&sarif.out).unwrap();
    let run = log.runs.first().unwrap();
    let rules: Vec<String> = run
        .results
        .as_ref()
        .unwrap()
        .iter()
        .map(|result| result.rule_id.clone().unwrap())
        .collect();
    assert_eq!(rules, violations);
    let known = run.tool.driver.rules.as_ref().unwrap();
    assert!(
        rules
            .iter()
            .all(|rule| known.iter().any(|known| known.id == *rule))
    );
    assert_eq!((json.status, sarif.status), (1, 1));
}
