//! Calls in which every text is a canary: their decisions, transcripts and errors.

use franking::{
    Call, Commit, Conflict, Facts, HostAnswer, Operation, Policy, Recorder, Step, Transcript,
    decide,
};
use serde_json::{Value, json};

use super::{CANARY, Seen, look_at_call};
use crate::support::{OPTIONAL_FIELDS, World};

fn canary_world() -> Value {
    json!({
        "accounts": {"canary-key": {}},
        "mailers": {"42": {"from": "canary@canary.example", "from_name": "Canary Name"}},
        "senders": ["canary@canary.example"],
        "subscribers": [
            {"id": 5, "email": "canary-old@canary.example"},
            {"id": 6, "email": "canary-quiet@canary.example", "inactive": true},
        ],
        "lists": ["Canary List"],
        "blacklists": {"content": ["bad-canary.example"], "recipient": ["bad-canary.example"]},
    })
}

fn canary_send_mailer() -> Value {
    let mut body = json!({"apiKey": "canary-key", "mailerID": 42, "from": "canary@canary.example"});
    let no_texts = [
        "from",
        "subID",
        "birthday",
        "anniversary",
        "trackOpens",
        "trackClicks",
    ];
    for name in OPTIONAL_FIELDS
        .iter()
        .filter(|name| !no_texts.contains(name))
    {
        body[*name] = json!("canary text");
    }
    body["email"] = json!("canary-new@canary.example");
    body["listName"] = json!("Canary List");
    body["x-canary-unknown"] = json!("canary");
    body
}

fn canary_request() -> Value {
    json!({
        "subject": "canary subject",
        "body": "<a href='https://canary.example/'>canary</a><a href='http://[canary'>",
        "to": "canary-1@canary.example, CANARY-1@canary.example",
        "cc": "canary-old@canary.example",
        "from": "canary@canary.example",
        "fromName": "Canary Name",
        "replyTo": "canary-reply@canary.example",
        "customField": "canary",
        "canaryField": "canary",
        "ApiKey": "canary-key",
    })
}

#[test]
fn no_canary_is_shown_by_any_call_however_it_ends() {
    let mut seen = Seen::new(vec![CANARY.to_string()]);
    let mut bodies: Vec<(Operation, Value)> = Vec::new();
    let base = canary_send_mailer();
    bodies.push((Operation::SendMailer, base.clone()));
    for (field, value) in [
        ("apiKey", json!("canary-other")),
        ("apiKey", json!({"canary": "canary"})),
        ("email", json!("canary")),
        ("email", json!(["canary"])),
        ("email", json!("canary-old@canary.example")),
        ("email", json!("canary-quiet@canary.example")),
        ("email", json!("canary@bad-canary.example")),
        ("subID", json!("canary")),
        ("subID", json!(5)),
        ("subID", json!(99)),
        ("mailerID", json!("canary")),
        ("mailerID", json!(99)),
        ("from", json!("canary")),
        ("from", json!("canary-other@canary.example")),
        ("fromName", json!("canary\n")),
        ("birthday", json!("canary")),
        ("listName", json!("No Canary List")),
        ("trackOpens", json!("canary")),
    ] {
        let mut body = base.clone();
        body[field] = value;
        bodies.push((Operation::SendMailer, body));
    }
    let batch =
        |request: Value| json!({"ApiKey": "canary-key", "requests": [request, canary_request()]});
    bodies.push((Operation::HttpSendMail, batch(canary_request())));
    for (field, value) in [
        ("subject", json!("canary \u{7}")),
        ("subject", json!("{{canary}}")),
        ("subject", json!([])),
        ("body", json!("canary%FF")),
        ("body", json!("<img src=//www.bad-canary.example>")),
        (
            "body",
            json!("<canary@shop.example href=//bad-canary.example>"),
        ),
        ("to", json!("canary, canary@, @canary")),
        ("to", json!("canary@bad-canary.example")),
        ("cc", json!("canary-quiet@canary.example")),
        ("from", json!("canary")),
        ("from", json!("canary-other@canary.example")),
        ("replyTo", json!("canary")),
        ("fromName", json!("canary\u{2028}")),
    ] {
        let mut request = canary_request();
        request[field] = value;
        bodies.push((Operation::HttpSendMail, batch(request)));
    }
    let whole = Policy::default();
    let policies = [
        whole.clone(),
        Policy::from_json(r#"{"batch":"partial","answer_status":"place"}"#).unwrap(),
        Policy::from_json(r#"{"max_bytes":20}"#).unwrap(),
    ];
    for (operation, body) in bodies {
        let text = body.to_string();
        let mut look = |policy: &Policy, method: &str, text: &str, world: &Value| {
            look_at_call(&mut seen, policy, operation, method, text.as_bytes(), world);
        };
        for policy in &policies {
            look(policy, "POST", &text, &canary_world());
        }
        for broken in [
            text.replacen("canary", "canary\",\"canary\":1,\"canary\":2,\"x\":\"", 1),
            text[..text.len() - 1].to_string(),
            format!("[{text}]"),
            format!("{text} canary"),
        ] {
            look(&whole, "POST", &broken, &canary_world());
        }
        look(&whole, "CANARY", &text, &canary_world());
        for kind in Conflict::ALL
            .iter()
            .copied()
            .filter(|kind| kind.is_possible(operation))
        {
            let mut world = canary_world();
            world["commits"] = json!(vec![json!({"conflict": kind.name()}); 3]);
            look(&whole, "POST", &text, &world);
        }
        let mut world = canary_world();
        world["transaction_id"] = json!(0);
        look(&whole, "POST", &text, &world);
    }
    println!("{} texts without a canary", seen.checked);
    assert!(seen.checked > 3000, "{}", seen.checked);
}

#[test]
fn no_error_about_a_hosts_answer_shows_what_the_answer_held() {
    let mut seen = Seen::new(vec![CANARY.to_string()]);
    let body = canary_send_mailer().to_string();
    for text in [
        "canary",
        r#""canary""#,
        r#"["canary"]"#,
        r#"{"canary":1}"#,
        r#"{"account":"canary"}"#,
        r#"{"account":{"canary":true}}"#,
        r#"{"account":{"blocked":"canary"}}"#,
        r#"{"account":{"email_credit":"canary"}}"#,
        r#"{"facts":"canary"}"#,
        r#"{"facts":{"canary@canary.example":[]}}"#,
        r#"{"facts":{"senders":["canary@canary.example"]}}"#,
        r#"{"facts":{"senders":"canary@canary.example"}}"#,
        r#"{"facts":{"mailers":[{"from":"canary@canary.example","blacklisted":"canary"}]}}"#,
        r#"{"facts":{"mailers":[{"from":7,"canary":1}]}}"#,
        r#"{"facts":{"mailers":["canary@canary.example, expected canary"]}}"#,
        r#"{"facts":{"subscribers":[{"id":"canary","email":"canary@canary.example"}]}}"#,
        r#"{"facts":{"subscribers":[{"id":0,"email":"canary@canary.example"}]}}"#,
        r#"{"facts":{"domains":[["canary"]]}}"#,
        r#"{"facts":{"domains":["canary"]}}"#,
        r#"{"commit":"canary"}"#,
        r#"{"commit":{"canary":1}}"#,
        r#"{"commit":{"conflict":"canary"}}"#,
        r#"{"commit":{"transaction_id":"canary"}}"#,
        r#"{"account":{},"canary":1}"#,
        "{\"account\":{\"blocked\":true}} canary",
    ] {
        let mut call = Call::new(
            &Policy::default(),
            Operation::SendMailer,
            "POST",
            body.as_bytes(),
        );
        if text.starts_with(r#"{"facts"#) {
            call.answer_account(Some(franking::Account::default()))
                .unwrap();
        }
        seen.error(&call.answer_json(text).unwrap_err());
        if let Err(error) = HostAnswer::from_json(text) {
            seen.error(&error);
        }
        let steps = format!(
            r#"{{"operation":"sendMailer","body":"canary","steps":[{{"answer":{text}}}]}}"#
        );
        match Transcript::from_json(&steps) {
            Err(error) => seen.error(&error),
            Ok(transcript) => {
                if let Err(error) = transcript.replay() {
                    seen.error(&error);
                }
            }
        }
    }
}

#[test]
fn no_error_about_a_transcript_shows_what_it_held() {
    let mut seen = Seen::new(vec![CANARY.to_string()]);
    for text in [
        "canary",
        r#""canary""#,
        r#"{"operation":"canary","body":"canary","steps":[]}"#,
        r#"{"operation":"sendMailer","body":{"canary":1},"steps":[]}"#,
        r#"{"operation":"sendMailer","body_base64":"canary?","steps":[]}"#,
        r#"{"operation":"sendMailer","body":"canary","steps":"canary"}"#,
        r#"{"operation":"sendMailer","body":"canary","method":["canary"],"steps":[]}"#,
        r#"{"operation":"sendMailer","body":"canary","masked":true,"steps":["canary"]}"#,
    ] {
        seen.error(&Transcript::from_json(text).unwrap_err());
    }
    for steps in [
        r#"["canary"]"#,
        r#"[{"ask":"canary"}]"#,
        r#"[{"ask":{"account":"canary"},"answer":{"account":null}}]"#,
    ] {
        let text = format!(r#"{{"operation":"sendMailer","body":"canary","steps":{steps}}}"#);
        seen.error(&Transcript::from_json(&text).unwrap().replay().unwrap_err());
    }
}

#[test]
fn a_masked_transcript_holds_no_key_address_subject_or_body() {
    for (operation, body) in [
        (Operation::SendMailer, canary_send_mailer()),
        (
            Operation::HttpSendMail,
            json!({"ApiKey": "canary-key", "requests": [canary_request()]}),
        ),
    ] {
        let mut host = World::new(canary_world());
        let mut recorder = Recorder::new(
            &Policy::default(),
            operation,
            "POST",
            body.to_string().into_bytes(),
        );
        loop {
            let answer = match recorder.step() {
                Step::Account(question) => HostAnswer::Account(host.account_of(&question.key())),
                Step::Facts(questions) => HostAnswer::Facts(host.facts_of(&questions)),
                Step::Commit(_) => HostAnswer::Commit(host.commit_of()),
                Step::Done(decision) => {
                    assert!(decision.is_accepted(), "{}", decision.to_json());
                    break;
                }
            };
            recorder.answer(answer).unwrap();
        }
        let transcript = recorder.transcript();
        assert!(transcript.to_json().contains(CANARY));
        let masked = transcript.to_masked_json().to_lowercase();
        assert!(!masked.contains(CANARY), "{masked}");
        assert!(Transcript::from_json(&masked).is_err());
    }
}

#[test]
fn the_host_driver_shows_no_secret_of_a_host_error() {
    struct Failing;
    impl franking::Host for Failing {
        type Error = &'static str;
        fn account(&mut self, _key: &str) -> Result<Option<franking::Account>, &'static str> {
            Err("the database is away")
        }
        fn facts(
            &mut self,
            _questions: &franking::Questions<'_>,
            _facts: &mut Facts,
        ) -> Result<(), &'static str> {
            unreachable!()
        }
        fn commit(&mut self, _plan: &franking::Plan<'_>) -> Result<Commit, &'static str> {
            unreachable!()
        }
    }
    let mut seen = Seen::new(vec![CANARY.to_string()]);
    let body = canary_send_mailer().to_string();
    let mut call = Call::new(
        &Policy::default(),
        Operation::SendMailer,
        "POST",
        body.into_bytes(),
    );
    let error = decide(&mut call, &mut Failing).unwrap_err();
    seen.error(&error);
    // A call whose host could not look something up is undecided, and can be continued.
    assert!(call.decision().is_none());
}
