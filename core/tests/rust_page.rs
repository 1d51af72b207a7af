//! Runs the host of docs/rust.md with ordinary and hostile bodies: what it decides for each, and what it stores.

include!("rust_page/host.rs");

use serde_json::{Map, Value, json};

#[test]
fn the_page_shows_exactly_this_host() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let page = std::fs::read_to_string(format!("{root}../docs/rust.md")).unwrap();
    let host = std::fs::read_to_string(format!("{root}tests/rust_page/host.rs")).unwrap();
    assert!(page.contains(&host));
}

/// A host with one subscriber, a sender at `shop.example`, and a domain that is listed for every role.
fn database() -> Database {
    let mut blacklists = Blacklists::default();
    for set in [
        &mut blacklists.sender,
        &mut blacklists.reply_to,
        &mut blacklists.recipient,
        &mut blacklists.content,
    ] {
        set.insert("bad.example").unwrap();
    }
    let known = (7, "Known@Example.org".to_owned());
    Database {
        subscribers: HashMap::from([("known@example.org".to_owned(), known)]),
        blacklists,
        next_id: 7,
    }
}

fn code_of(database: &mut Database, operation: Operation, body: &[u8]) -> u16 {
    let mut call = Call::new(&Policy::default(), operation, "POST", body);
    let decision = decide(&mut call, database).unwrap();
    assert!(decision.failure().is_none());
    let answer: Value = serde_json::from_str(&decision.response().unwrap()).unwrap();
    answer
        .get("code")
        .and_then(Value::as_str)
        .unwrap()
        .parse()
        .unwrap()
}

/// Decides a body twice with the same host. The second time, the subscribers that the first created exist. `created` is
/// their number.
fn check(operation: Operation, body: &[u8], code: u16, created: usize) {
    let start: String = String::from_utf8_lossy(body).chars().take(200).collect();
    let mut database = database();
    for _ in 0..2 {
        assert_eq!(code_of(&mut database, operation, body), code, "{start}");
        assert_eq!(database.subscribers.len(), 1 + created, "{start}");
    }
}

/// `base` with changed members; null leaves a member out.
fn with(base: &Value, changes: Value) -> Value {
    let mut members = base.as_object().unwrap().clone();
    for (name, value) in changes.as_object().unwrap() {
        match value {
            Value::Null => drop(members.remove(name)),
            value => drop(members.insert(name.clone(), value.clone())),
        }
    }
    Value::Object(members)
}

/// An address with the largest possible number of labels.
fn many_labels(top: &str) -> String {
    format!("l@{}{top}", "a.".repeat((252 - top.len()) / 2))
}

const BROKEN: [&str; 5] = ["", "{", "[]", "null", "{\"a\":1,\"a\":1}"];

#[test]
fn calls_of_send_mailer_are_decided_by_the_host_of_the_page() {
    let base = json!({"apiKey": "secret", "mailerID": 42, "email": "new@example.org"});
    let by_id = json!({"apiKey": "secret", "mailerID": 42, "subID": 8});
    let fields: Map<String, Value> = (1..=10)
        .map(|number| (format!("extra{number}"), json!("x")))
        .collect();
    for (body, code, created) in [
        (base.clone(), 200, 1),
        (with(&base, json!({"email": "NEW@example.org"})), 200, 1),
        (with(&base, json!({"email": "known@EXAMPLE.org"})), 200, 0),
        (by_id, 454, 0),
        (with(&base, json!({"mailerID": "42"})), 200, 1),
        (
            with(&base, json!({"from": "a@shop.example", "fromName": "Us"})),
            200,
            1,
        ),
        (with(&base, json!({"from": "A@Shop.Example"})), 200, 1),
        (with(&base, json!({"from": "a@other.example"})), 442, 0),
        (with(&base, json!({"from": "a@mail.bad.example"})), 414, 0),
        (with(&base, json!({"fromName": "Us"})), 478, 0),
        (with(&base, json!({"listName": "RealTime_Via_API"})), 200, 1),
        (with(&base, json!({"listName": "Nobody's"})), 442, 0),
        (with(&base, json!({"email": "a@bad.example"})), 416, 0),
        (
            with(&base, json!({"email": "a@deep.below.bad.example"})),
            416,
            0,
        ),
        (with(&base, json!({"email": many_labels("bc")})), 200, 1),
        (
            with(&base, json!({"email": format!("a.{}", many_labels("bc"))})),
            412,
            0,
        ),
        (
            with(
                &base,
                json!({"email": format!("{}@a.example", "x".repeat(100_000))}),
            ),
            412,
            0,
        ),
        (with(&base, json!({"email": null})), 602, 0),
        (with(&base, json!({"apiKey": "secret\u{0}"})), 403, 0),
        (with(&base, json!({"apiKey": "SECRET"})), 403, 0),
        (with(&base, json!({"apiKey": ""})), 402, 0),
        (
            with(
                &base,
                json!({"firstName": "A\nB\u{0}C", "city": "\u{e9}\u{1f600}"}),
            ),
            200,
            1,
        ),
        (
            with(&base, json!({"extra1": "x".repeat(1_000_000)})),
            200,
            1,
        ),
        (
            with(&base, json!({"unknown": {"deep": [[[[{}]]]]}})),
            200,
            1,
        ),
        (with(&base, Value::Object(fields)), 200, 1),
        (json!({}), 402, 0),
    ] {
        check(
            Operation::SendMailer,
            body.to_string().as_bytes(),
            code,
            created,
        );
    }
    let escaped = base.to_string().replace("new@", "\\u006eew@");
    check(Operation::SendMailer, escaped.as_bytes(), 200, 1);
    check(
        Operation::SendMailer,
        format!("\u{feff}{base}").as_bytes(),
        200,
        1,
    );
    for broken in BROKEN {
        check(Operation::SendMailer, broken.as_bytes(), 442, 0);
    }
    check(
        Operation::SendMailer,
        "[".repeat(100_000).as_bytes(),
        442,
        0,
    );
    check(Operation::SendMailer, b"{\"email\": \"\xff\"}", 442, 0);
}

#[test]
fn calls_of_http_send_mail_are_decided_by_the_host_of_the_page() {
    let one = json!({"subject": "Hi", "body": "%3Cp%3EHi", "from": "a@shop.example", "to": "new@example.org"});
    let call = |requests: Vec<Value>| json!({"ApiKey": "secret", "requests": requests});
    let changed = |changes: Value| call(vec![with(&one, changes)]);
    let link = |host: &str| format!("%3Ca+href%3D%22https%3A%2F%2F{host}%2F%22%3Ex%3C%2Fa%3E");
    let many: Vec<String> = (0..5_000)
        .map(|n| format!("a{n}@h{n}.example.org"))
        .collect();
    let links: String = (0..2_000).map(|n| link(&format!("h{n}.example"))).collect();
    for (body, code, created) in [
        (call(vec![one.clone()]), 200, 1),
        (
            changed(
                json!({"to": "known@example.org, New@example.org, new@example.org", "cc": "b@example.org"}),
            ),
            200,
            2,
        ),
        (changed(json!({"to": many.join(", ")})), 200, 5_000),
        (call(vec![one.clone(); 1_000]), 200, 1),
        (call(vec![one.clone(); 1_001]), 453, 0),
        (changed(json!({"from": "a@other.example"})), 420, 0),
        (changed(json!({"from": "a@bad.example"})), 414, 0),
        (changed(json!({"replyTo": "a@bad.example"})), 415, 0),
        (changed(json!({"to": "a@b.bad.example"})), 416, 0),
        (
            changed(json!({"to": many_labels("bc"), "replyTo": many_labels("de")})),
            200,
            1,
        ),
        (changed(json!({"body": link("www.bad.example")})), 413, 0),
        (changed(json!({"body": link("www.fine.example")})), 200, 1),
        (changed(json!({"body": links})), 200, 1),
        (changed(json!({"to": ""})), 411, 0),
        (changed(json!({"to": "nobody"})), 412, 0),
        (changed(json!({"subject": "a\nb"})), 476, 0),
        (
            with(&call(vec![one.clone()]), json!({"ApiKey": "other"})),
            403,
            0,
        ),
        (call(vec![]), 475, 0),
    ] {
        check(
            Operation::HttpSendMail,
            body.to_string().as_bytes(),
            code,
            created,
        );
    }
    for broken in BROKEN {
        check(Operation::HttpSendMail, broken.as_bytes(), 475, 0);
    }
    check(
        Operation::HttpSendMail,
        "[".repeat(100_000).as_bytes(),
        475,
        0,
    );
}
