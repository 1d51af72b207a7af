//! Past calls, decided again from their transcripts. The result is that of deciding each call anew.

use std::fs;
use std::path::Path;
use std::process::Command;

use franking::{Call, Operation, Policy, Recorder, Transcript};
use franking_cli::World;
use serde_json::{Value, json};
use tempfile::TempDir;

const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// The calls of the demo, and the operation of each.
pub(crate) fn calls() -> Vec<(Operation, Vec<u8>)> {
    let mut paths: Vec<_> = fs::read_dir(Path::new(DEMO).join("calls"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let calls = paths.into_iter().map(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let operation = name.split('.').nth(1).and_then(Operation::from_name);
        (operation.unwrap(), fs::read(&path).unwrap())
    });
    calls.collect()
}

pub(crate) fn world() -> Value {
    serde_json::from_slice(&fs::read(Path::new(DEMO).join("world.json")).unwrap()).unwrap()
}

/// The code and the rule of a call in a world.
fn decided(
    policy: &Policy,
    (operation, body): &(Operation, Vec<u8>),
    world: &Value,
) -> (Value, Value) {
    let mut world = World::new(world, *operation).unwrap();
    let mut call = Call::new(policy, *operation, "POST", body);
    while let Some(answer) = world.answer(&call.step()) {
        call.answer(answer).unwrap();
    }
    let decision = call.decision().unwrap();
    let rule = decision
        .violation()
        .map(|violation| violation.rule().identifier());
    (
        json!(decision.code().map(|code| code.number())),
        json!(rule),
    )
}

pub(crate) fn transcript(
    policy: &Policy,
    (operation, body): &(Operation, Vec<u8>),
    world: &Value,
) -> String {
    let mut world = World::new(world, *operation).unwrap();
    let mut recorder = Recorder::new(policy, *operation, "POST", body);
    while let Some(answer) = world.answer(&recorder.step()) {
        recorder.answer(answer).unwrap();
    }
    recorder.transcript().to_json()
}

#[test]
fn calls_are_decided_again_by_another_blacklist_and_another_policy() {
    let folder = TempDir::new().unwrap();
    let (before, calls) = (Policy::default(), calls());
    let world = world();
    let mut lines = String::new();
    let mut bare = String::new();
    for (number, call) in calls.iter().enumerate() {
        let transcript = transcript(&before, call, &world);
        lines.push_str(&format!(
            "{{\"number\":{number},\"transcript\":{transcript}}}\n"
        ));
        bare.push_str(&transcript);
        bare.push('\n');
    }
    let masked = Transcript::from_json(bare.lines().next().unwrap())
        .unwrap()
        .to_masked_json();
    lines.push_str(&format!(
        "{{\"number\":{},\"transcript\":{masked}}}\n",
        calls.len()
    ));
    fs::write(folder.path().join("calls.jsonl"), &lines).unwrap();
    fs::write(folder.path().join("bare.jsonl"), &bare).unwrap();
    fs::write(
        folder.path().join("listed.txt"),
        "# of this week\n\nexample.com\n",
    )
    .unwrap();
    fs::write(folder.path().join("strict.json"), r#"{"max_requests": 1}"#).unwrap();
    fs::write(folder.path().join("none.txt"), "").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_franking-bulk"));
        let output = command
            .current_dir(folder.path())
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_ne!(output.status.code(), Some(2), "{error}");
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let mut listed = world.clone();
    listed["blacklists"]["recipient"] = json!(["example.com"]);
    // The answers of the other blacklists still count.
    assert_eq!(listed["blacklists"]["content"], json!(["bad.example"]));
    let mut unlisted = world.clone();
    unlisted["blacklists"]["content"] = json!([]);
    let strict: Policy = serde_json::from_str(r#"{"max_requests": 1}"#).unwrap();
    for (arguments, policy, world) in [
        (&[][..], &before, &world),
        (&["--blacklist-recipient", "listed.txt"], &before, &listed),
        (&["--blacklist-content", "none.txt"], &before, &unlisted),
        (&["--policy", "strict.json"], &strict, &world),
        (
            &[
                "--policy",
                "strict.json",
                "--blacklist-recipient",
                "listed.txt",
            ],
            &strict,
            &listed,
        ),
    ] {
        let out = format!("out{}", arguments.concat().replace('.', ""));
        let (status, said) = run(&[
            &[
                "redecide",
                "calls.jsonl",
                "--carry",
                "number",
                "--out",
                &out,
                "--form",
                "jsonl",
            ],
            arguments,
        ]
        .concat());
        let text = fs::read_to_string(folder.path().join(out).join("calls.jsonl")).unwrap();
        let found: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(found.len(), calls.len() + 1);
        let mut changed = 0;
        for (number, (call, found)) in calls.iter().zip(&found).enumerate() {
            let (then, _) = decided(&before, call, &self::world());
            let (now, rule) = decided(policy, call, world);
            assert_eq!(found["number"], number.to_string());
            assert_eq!(
                (&found["code_then"], &found["code_now"], &found["rule_now"]),
                (&then, &now, &rule),
                "{arguments:?}"
            );
            assert_eq!(found["changed"], json!(then != now));
            changed += usize::from(then != now);
        }
        assert_eq!(found[calls.len()]["needs"], "transcript");
        assert_eq!(status, Some(i32::from(changed > 0)));
        assert_eq!(changed > 0, !arguments.is_empty());
        assert!(
            said.starts_with(&format!(
                "11 calls: {} unchanged, {changed} changed, 1 not decided again\n",
                10 - changed
            )),
            "{said}"
        );
        let (_, bare) = run(&[&["redecide", "bare.jsonl", "--lines"], arguments].concat());
        assert!(
            bare.starts_with(&format!(
                "10 calls: {} unchanged, {changed} changed\n",
                10 - changed
            )),
            "{bare}"
        );
    }
}
