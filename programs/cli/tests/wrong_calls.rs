//! What `franking check` says about two hundred wrong calls. The expected output of each is a file next to the call.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use std::path::PathBuf;

use support::{assert_kept, folder, franking};

fn wrong_calls() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder().join("wrong")).unwrap();
    let mut calls: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    calls.sort();
    assert_eq!(calls.len(), 200);
    calls
}

fn name(path: &std::path::Path) -> String {
    format!("wrong/{}", path.file_name().unwrap().to_str().unwrap())
}

#[test]
fn each_wrong_call_is_shown_as_its_file_says() {
    for path in wrong_calls() {
        let ran = franking(&["check", &name(&path)]);
        assert_eq!(ran.err, "");
        let is_refused = ran.out.contains("\nerror[") || ran.out.starts_with("error[");
        assert_eq!(ran.status, i32::from(is_refused), "{}", path.display());
        assert_kept(&path.with_extension("txt"), &ran.out);
    }
}

#[test]
fn nothing_reaches_the_terminal_but_text_and_the_colours_of_the_command() {
    for path in wrong_calls() {
        let plain = franking(&["check", &name(&path)]).out;
        let is_text = |character: char| character == '\n' || !character.is_control();
        assert!(plain.chars().all(is_text), "{}", path.display());

        let coloured = franking(&["check", "--color", "always", &name(&path)]).out;
        for behind in coloured.split('\x1b').skip(1) {
            let sequence = behind.split('m').next().unwrap();
            assert!(
                sequence.starts_with('[')
                    && sequence
                        .bytes()
                        .skip(1)
                        .all(|byte| byte.is_ascii_digit() || byte == b';'),
                "{}: {sequence:?}",
                path.display()
            );
        }
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(stripped, plain, "{}", path.display());
    }
}

#[test]
fn no_line_of_source_is_wider_than_the_output() {
    for path in wrong_calls() {
        let plain = franking(&["check", &name(&path)]).out;
        let is_source = |line: &&str| {
            line.split_once(" |")
                .is_some_and(|(number, _)| number.trim().bytes().all(|byte| byte.is_ascii_digit()))
        };
        for line in plain.lines().filter(is_source) {
            let width = unicode_width::UnicodeWidthStr::width(line);
            assert!(width <= 100, "{}: {width}: {line}", path.display());
        }
    }
}

#[test]
fn json_and_sarif_say_the_same_of_all_of_them() {
    let json = franking(&["check", "--json", "wrong"]);
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
    let sarif = franking(&["check", "--sarif", "wrong"]);
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
