//! The summary of a run, and the status of the command.

use std::collections::BTreeMap;
use std::fs;

use franking::{Policy, Preflight};
use serde_json::{Value, json};

use crate::written::{Folder, calls, write_all};

#[test]
fn the_summary_counts_each_rule_and_rows_without_a_call() {
    let folder = Folder::new();
    let mut text = String::new();
    let mut counts: BTreeMap<(u16, Option<&str>), u64> = BTreeMap::new();
    for (operation, body) in calls(60) {
        let body_text = Value::from(body.as_str());
        text.push_str(&format!(
            "{{\"operation\":\"{}\",\"body\":{body_text}}}\n\n",
            operation.name()
        ));
        let policy = Policy::default();
        let preflight = Preflight::new(&policy, operation, body.as_bytes());
        let first = preflight.violations().next();
        let key = first.map_or((200, None), |first| {
            (first.code().number(), Some(first.rule().identifier()))
        });
        *counts.entry(key).or_default() += 1;
    }
    text.push_str(
        "{\"operation\":\"sendMailer\",\"body\":null}\n{\"body\":\"{}\"}\n{\"more\":1}\n",
    );
    folder.write("calls.jsonl", text);
    let said = folder.said(1, &["check", "calls.jsonl", "--json", "--svg", "chart.svg"]);
    let summary: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&summary["calls"], &summary["empty"]),
        (&json!(60), &json!(3))
    );
    let outcomes = summary["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), counts.len());
    for outcome in outcomes {
        let code = u16::try_from(outcome["code"].as_u64().unwrap()).unwrap();
        assert_eq!(outcome["calls"], counts[&(code, outcome["rule"].as_str())]);
    }
    let said = folder.said(1, &["check", "calls.jsonl"]);
    assert!(said.contains("; 3 rows without a call; "), "{said}");
    let bars = counts.iter().filter(|((code, _), _)| *code != 200);
    let svg = fs::read_to_string(folder.at("chart.svg")).unwrap();
    assert_eq!(svg.matches("<rect").count(), bars.clone().count());
    for ((code, rule), count) in bars {
        assert!(
            said.contains(&format!(" {code} {}", rule.unwrap())),
            "{said}"
        );
        assert!(
            svg.contains(&format!(">{code} {}<", rule.unwrap()))
                && svg.contains(&format!(">{count}<")),
            "{svg}"
        );
    }
}

#[test]
fn the_status_is_that_of_the_calls_when_nobody_reads_the_summary() {
    let folder = Folder::new();
    write_all(&folder, &calls(6));
    for form in [&["--json"][..], &[][..]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = folder.command(&[&["check", "in"][..], form].concat());
        let output = command.stdout(writer).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error), (Some(1), String::new()));
    }
}
