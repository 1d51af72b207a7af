//! The commands, as a person or a script uses them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::{Ran, assert_kept, folder, franking, franking_with};
use tempfile::TempDir;

const GOOD: &str = r#"{"apiKey":"k","mailerID":42,"email":"reader@example.com"}"#;
const BAD: &str = r#"{"apiKey":"k","mailerID":42,"email":"reader"}"#;

fn file(folder: &TempDir, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn lines(ran: &Ran) -> Vec<Value> {
    ran.out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn check_reads_standard_input_when_no_file_is_named() {
    let good = franking_with(&["check"], GOOD.as_bytes());
    assert_eq!(
        (good.status, &*good.out),
        (0, "1 call: nothing is wrong, 0 warnings\n")
    );
    let bad = franking_with(&["check", "-"], BAD.as_bytes());
    assert_eq!(bad.status, 1);
    assert!(bad.out.contains("--> standard input:1:"), "{}", bad.out);
}

#[test]
fn check_takes_lines_and_says_which_is_wrong() {
    let input = format!("{GOOD}\n\n{BAD}\r\n{GOOD}");
    let ran = franking_with(&["check", "--lines", "--json"], input.as_bytes());
    let found: Vec<(Value, Value)> = lines(&ran)
        .iter()
        .map(|body| (body["line"].clone(), body["code"].clone()))
        .collect();
    assert_eq!(
        found,
        [
            (json!(1), json!(200)),
            (json!(3), json!(412)),
            (json!(4), json!(200))
        ]
    );
    let text = franking_with(&["check", "--lines"], input.as_bytes()).out;
    assert!(text.contains("--> standard input:3:"), "{text}");
    assert!(
        text.ends_with("3 calls: 1 would be refused, 0 warnings\n"),
        "{text}"
    );
}

#[test]
fn check_walks_folders_in_the_order_of_names_and_reads_json_and_jsonl_alone() {
    let folder = TempDir::new().unwrap();
    file(&folder, "b/2.json", GOOD);
    file(&folder, "a.jsonl", format!("{BAD}\n{GOOD}\n"));
    file(&folder, "b/1.httpSendMail.json", GOOD);
    file(&folder, "notes.txt", "no call");
    let ran = franking(&["check", "--json", folder.path().to_str().unwrap()]);
    let found: Vec<String> = lines(&ran)
        .iter()
        .map(|body| {
            let file = Path::new(body["file"].as_str().unwrap());
            let name = file
                .strip_prefix(folder.path())
                .unwrap()
                .display()
                .to_string();
            format!(
                "{name} {} {}",
                body["operation"].as_str().unwrap(),
                body["code"]
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            "a.jsonl sendMailer 412",
            "a.jsonl sendMailer 200",
            "b/1.httpSendMail.json httpSendMail 475",
            "b/2.json sendMailer 200"
        ]
    );
}

#[test]
fn check_says_of_a_partial_batch_whether_the_rest_of_it_would_be_accepted() {
    let folder = TempDir::new().unwrap();
    let policy = file(&folder, "policy.json", r#"{"batch": "partial"}"#);
    let call = |to: &str| {
        format!(
            r#"{{"ApiKey":"k","requests":[{{"subject":"S","body":"B","to":"{to}","from":"a@b.example"}}]}}"#
        )
    };
    let partial: &[&str] = &["--policy", &policy];
    let refused = "1 call: 1 would be refused, 0 warnings\n";
    let in_part = "1 call: 0 would be refused, 1 accepted in part, 0 warnings\n";
    for (to, policy, answer, summary) in [
        (
            "nobody,a@x.example",
            partial,
            "would be accepted in part\n",
            in_part,
        ),
        ("nobody", partial, "would be refused with 412\n", refused),
        (
            "nobody,a@x.example",
            &[],
            "would be refused with 412\n",
            refused,
        ),
    ] {
        let check: &[&str] = &["check", "-o", "httpSendMail", "--no-warnings"];
        let checked = franking_with(&[check, policy].concat(), call(to).as_bytes());
        assert_eq!(checked.status, 1);
        assert!(checked.out.contains(answer), "{}", checked.out);
        assert!(checked.out.ends_with(summary), "{}", checked.out);
    }
}

#[test]
fn check_keeps_to_the_limits_of_a_policy() {
    let folder = TempDir::new().unwrap();
    let policy = file(&folder, "policy.json", r#"{"max_bytes": 20}"#);
    let large = ["check", "-o", "httpSendMail", "--policy", &policy];
    let ran = franking_with(&large, GOOD.as_bytes());
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("error[body-too-large]"), "{}", ran.out);
    let wrong = file(&folder, "wrong.json", r#"{"max_bytes": "many"}"#);
    let ran = franking_with(&["check", "--policy", &wrong], GOOD.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("is not a policy") && ran.err.contains("max_bytes"),
        "{}",
        ran.err
    );
}

#[test]
fn input_that_cannot_be_read_ends_with_status_2_and_a_reason() {
    let folder = TempDir::new().unwrap();
    let missing = folder.path().join("none.json");
    let ran = franking(&["check", missing.to_str().unwrap()]);
    assert_eq!((ran.status, &*ran.out), (2, ""));
    assert!(ran.err.contains("none.json cannot be read"), "{}", ran.err);
    let bytes = file(&folder, "bytes.html", b"\xff");
    let ran = franking(&["links", &bytes]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("is not UTF-8"), "{}", ran.err);
    assert_eq!(franking(&["check", "--no-such-option"]).status, 2);
    let ran = franking(&["--version"]);
    let rules = franking::RULES_VERSION;
    let version = format!("franking {} (rules {rules})\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((ran.status, &*ran.out), (0, &*version));
}

#[test]
fn a_line_of_thirty_megabytes_is_shown_around_the_place() {
    let filler = "x".repeat(15 << 20);
    let body = format!(
        r#"{{"apiKey":"k","mailerID":42,"company":"{filler}","email":"reader","city":"{filler}"}}"#
    );
    let ran = franking_with(&["check"], body.as_bytes());
    assert_eq!(ran.status, 1);
    assert!(
        ran.out.contains(r#"xxx","email":"reader","city":"xxx"#),
        "{}",
        ran.out.len()
    );
    assert!(ran.out.len() < 2000, "{}", ran.out.len());
}

#[test]
fn of_many_findings_the_first_are_shown_and_ten_thousand_are_written_as_json() {
    let request = format!(r#"{{"to":"{}"}}"#, "nobody,".repeat(100));
    let requests = vec![request.as_str(); 900].join(",");
    let body = format!(r#"{{"ApiKey":"k","requests":[{requests}]}}"#);
    let text = franking_with(&["check"], body.as_bytes());
    assert!(
        text.out.contains("more violations are not shown"),
        "{}",
        text.out.len()
    );
    let json = franking_with(&["check", "--json"], body.as_bytes());
    let json = &lines(&json)[0];
    let written = json["violations"].as_array().unwrap().len() as u64;
    assert_eq!(written, 10_000);
    assert!(written + json["more"].as_u64().unwrap() >= 80_000);
    let few = franking_with(&["check", "--json"], BAD.as_bytes());
    assert_eq!(lines(&few)[0].get("more"), None);
    let sarif = franking_with(&["check", "--sarif"], body.as_bytes());
    let log: Value = serde_json::from_str(&sarif.out).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let note = results
        .iter()
        .find(|result| result["level"] == "note")
        .unwrap();
    let text = note["message"]["text"].as_str().unwrap();
    assert!(text.ends_with(" more violations are not listed."), "{text}");
}

#[test]
fn colours_are_written_where_they_are_asked_for() {
    let plain = franking_with(&["check"], BAD.as_bytes());
    assert!(!plain.out.contains('\x1b'));
    let coloured = franking_with(&["check", "--color", "always"], BAD.as_bytes());
    assert!(coloured.out.contains("\x1b["));
    assert_eq!(
        anstream::adapter::strip_str(&coloured.out).to_string(),
        plain.out
    );
}

#[test]
fn control_characters_in_names_and_arguments_do_not_reach_the_terminal() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "a\x1b[31m\u{202e}.json", BAD);
    for ran in [
        franking(&["check", &path]),
        franking(&["check", "--sarif", &path]),
        franking(&["explain", &path]),
        franking(&["check", &format!("{path}.none")]),
        franking(&["rules", "\x1b[31m"]),
        franking(&["address", "\x1b[31m@example.com", "a\u{202e}@example.com"]),
    ] {
        let all = format!("{}{}", ran.out, ran.err);
        assert!(!all.contains(['\x1b', '\u{202e}']), "{all:?}");
    }
}

const DECIDE: [&str; 4] = [
    "decide",
    "--world",
    "../../../examples/world.json",
    "../../../examples/calls",
];

#[test]
fn decide_tells_what_is_asked_planned_and_answered() {
    let ran = franking(&DECIDE);
    assert_eq!((ran.status, &*ran.err), (1, ""));
    assert_kept(&folder().join("decide.txt"), &ran.out);
}

#[test]
fn a_transcript_of_decide_is_explained_and_replayed() {
    let folder = TempDir::new().unwrap();
    let transcripts = franking(&[&DECIDE[..], &["--transcript"]].concat());
    let (mut explained, mut explained_masked) = (String::new(), String::new());
    for (number, transcript) in transcripts.out.lines().enumerate() {
        let path = file(&folder, &format!("{number}.json"), transcript);
        let decision = serde_json::from_str::<Value>(transcript).unwrap()["decision"].clone();
        let replay = franking(&["replay", &path]);
        let last: Value = serde_json::from_str(replay.out.lines().last().unwrap()).unwrap();
        assert_eq!(last, decision);
        assert_eq!(replay.status, i32::from(decision["code"] != 200));
        let explain = franking(&["explain", &path]);
        assert_eq!(explain.status, replay.status);
        explained.push_str(&explain.out.replace(&path, &format!("transcript {number}")));
        let masked = franking(&["replay", "--masked", &path]);
        assert_eq!(masked.status, 0);
        assert!(!masked.out.contains("example.com"), "{}", masked.out);
        // A masked transcript gives the same explanation of every rule, but cannot be replayed.
        let of_rules = |out: &str| {
            out.split_once("rules, in the order")
                .map(|(_, rules)| rules.to_string())
        };
        let told = franking_with(&["explain"], masked.out.as_bytes());
        assert_eq!((told.status, &*told.err), (replay.status, ""));
        assert_eq!(of_rules(&told.out), of_rules(&explain.out));
        assert!(!told.out.contains("reader"), "{}", told.out);
        explained_masked.push_str(
            &told
                .out
                .replace("standard input", &format!("transcript {number}")),
        );
        assert_eq!(franking_with(&["replay"], masked.out.as_bytes()).status, 2);
        let without_key = franking(&["replay", "--masked-key", &path]);
        let again = franking_with(&["replay"], without_key.out.as_bytes());
        assert_eq!(again.out, replay.out);
        assert!(!without_key.out.contains("demo-key"), "{}", without_key.out);
    }
    assert_kept(&support::folder().join("explain.txt"), &explained);
    assert_kept(
        &support::folder().join("explain-masked.txt"),
        &explained_masked,
    );
}

#[test]
fn explain_tells_of_a_transcript_that_ends_early_or_answers_wrongly() {
    let transcript = |steps: Value| {
        let document = json!({"operation": "sendMailer", "body": GOOD, "steps": steps});
        franking_with(&["explain"], document.to_string().as_bytes())
    };
    let early = transcript(json!([]));
    assert_eq!(early.status, 1);
    assert!(early.out.contains("not decided"), "{}", early.out);
    let wrong = transcript(json!([{"answer": {"commit": {"transaction_id": 1}}}]));
    assert_eq!(wrong.status, 1);
    assert!(wrong.out.contains("misuse"), "{}", wrong.out);
    let other = transcript(json!([{"ask": {"account": "other"}, "answer": {"account": null}}]));
    assert_eq!(other.status, 2);
    assert!(other.err.contains("another question"), "{}", other.err);
}

#[test]
fn rules_are_listed_in_order_and_shown_one_by_one() {
    let table = franking(&["rules"]);
    let listed = table.out.lines().count();
    let json: Value = serde_json::from_str(&franking(&["rules", "--json"]).out).unwrap();
    assert_eq!(json.as_array().unwrap().len() + 1, listed);
    let one = franking(&["rules", "recipient-malformed"]).out;
    assert!(
        one.starts_with("recipient-malformed: 412 on sendMailer, 412 on httpSendMail"),
        "{one}"
    );
    let code = franking(&["rules", "411", "-o", "httpSendMail"]).out;
    assert!(code.contains("recipient-missing"), "{code}");
    assert_eq!(franking(&["rules", "no-such-rule"]).status, 2);
    assert_eq!(franking(&["rules", "999"]).status, 2);
}

#[test]
fn each_column_of_the_rules_starts_under_its_heading() {
    for (arguments, columns) in [(&["rules"][..], 4), (&["rules", "-o", "httpSendMail"], 3)] {
        let table = franking(arguments).out;
        let (heading, rows) = table.split_once('\n').unwrap();
        let starts: Vec<usize> = heading
            .split_whitespace()
            .map(|word| heading.find(word).unwrap())
            .collect();
        assert_eq!(starts.len(), columns);
        for row in rows.lines() {
            for start in starts.iter().skip(1) {
                let (before, cell) = row.split_at(*start);
                assert!(before.ends_with(' ') && !cell.starts_with(' '), "{row}");
            }
        }
    }
}

#[test]
fn composed_calls_are_in_order() {
    let fields = json!({"ApiKey": "k", "requests": [
        {"subject": "Hello", "from": "shop@shop.example", "to": "reader@example.com", "body": "<p>Hi & bye"}
    ]});
    let composed = franking_with(
        &["compose", "-o", "httpSendMail"],
        fields.to_string().as_bytes(),
    );
    assert_eq!((composed.status, &*composed.err), (0, ""));
    let checked = franking_with(
        &["check", "--lines", "--no-warnings"],
        composed.out.as_bytes(),
    );
    assert_eq!(
        (checked.status, &*checked.out),
        (0, "1 call: nothing is wrong, 0 warnings\n")
    );
    let wrong = franking_with(&["compose", "-o", "sendMailer"], br#"{"no_field": 1}"#);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("no_field"), "{}", wrong.err);
}

#[test]
fn links_are_listed_with_their_places_and_soup_with_its_hosts() {
    let html = "<a href='https://shop.example/x'>x</a>\n<!--[if mso]><img src=//vml.example/y><![endif]-->\
        <svg><a title='//soup.example'></a></svg>";
    let listed = franking_with(&["links"], html.as_bytes());
    assert_eq!(listed.status, 0);
    for part in [
        "standard input:1:10: href of <a>: https://shop.example/x\n    shop.example",
        ", in a conditional comment: //vml.example/y\n    vml.example",
        "also judged, ",
        "    soup.example",
    ] {
        assert!(listed.out.contains(part), "{part}: {}", listed.out);
    }
    let encoded = franking_with(
        &["links", "--encoded"],
        b"%3Ca+href%3D%22%2F%2Fshop.example%22%3E",
    );
    assert!(encoded.out.contains("shop.example"), "{}", encoded.out);
}

#[test]
fn links_say_why_any_host_could_be_hidden() {
    let hidden = franking_with(
        &["links", "--why"],
        b"<svg>\n<style>@import '//a<g>b.example'",
    );
    assert_eq!(
        (hidden.status, &*hidden.out),
        (
            1,
            "standard input:2:20: clause 1: in a style sheet, markup follows the beginning of a URL, or parts an escape: <\n"
        )
    );
    let plain = franking_with(&["links", "--why"], b"<svg>//a.example/");
    assert_eq!(
        (plain.status, &*plain.out),
        (0, "standard input: no host can be hidden\n")
    );
}

#[test]
fn valid_and_invalid_addresses_are_distinguished() {
    let ran = franking(&["address", "Reader@Example.COM", "reader"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.out
            .starts_with("Reader@Example.COM: valid, compared as reader@example.com\nreader: ")
    );
    assert_eq!(franking(&["address", "reader@example.com"]).status, 0);
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let commands = [
        "check", "decide", "explain", "replay", "rules", "compose", "links", "address",
    ];
    for shell in ["bash", "zsh", "fish"] {
        let script = franking(&["completions", shell]).out;
        for command in commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("man");
    assert_eq!(franking(&["man", path.to_str().unwrap()]).status, 0);
    for command in commands {
        let page = std::fs::read_to_string(path.join(format!("franking-{command}.1"))).unwrap();
        assert!(page.contains(".SH DESCRIPTION"), "{command}");
    }
    assert!(franking(&["man"]).out.contains("franking"));
}
