//! No Debug or Display output has an API key, address, name, subject or body. The tests use all vectors, and calls in which
//! every text is a canary.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use crate::support::{OPTIONAL_FIELDS, World, vectors};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use franking::unstable::text::{address, date, form};
use franking::{
    Call, Commit, Conflict, DecideError, DomainSet, Facts, HostAnswer, HttpSendMailRequests,
    Mailer, Misuse, Operation, Policy, Preflight, Recorder, Response, Rule, SendMailerRequest,
    Step, Subscriber, Subscribers, Transcript, compose_json, decide,
};
use serde_json::{Value, json};

/// Everything that was formatted, and the texts that must not be in it.
struct Seen {
    secrets: Vec<String>,
    checked: usize,
}

impl Seen {
    fn new(secrets: Vec<String>) -> Self {
        Self {
            secrets,
            checked: 0,
        }
    }

    fn text(&mut self, text: &str) {
        let lower = text.to_lowercase();
        for secret in &self.secrets {
            assert!(
                !lower.contains(secret.as_str()),
                "{secret:?} is shown in {text}"
            );
        }
        self.checked += 1;
    }

    fn debug(&mut self, value: &impl Debug) {
        self.text(&format!("{value:?}"));
        self.text(&format!("{value:#?}"));
    }

    fn error(&mut self, value: &(impl Debug + Display)) {
        self.debug(value);
        self.text(&value.to_string());
    }
}

/// Decides a call as far as the host can answer, and formats every value on the way.
fn look_at_call(
    seen: &mut Seen,
    policy: &Policy,
    operation: Operation,
    method: &str,
    body: &[u8],
    world: &Value,
) {
    let mut host = World::new(world.clone());
    let mut recorder = Recorder::new(policy, operation, method, body);
    seen.debug(policy);
    loop {
        seen.debug(&recorder);
        seen.debug(recorder.call());
        seen.debug(&recorder.step());
        let answer = match recorder.step() {
            Step::Account(question) => {
                seen.debug(&question);
                HostAnswer::Account(host.account_of(&question.key()))
            }
            Step::Facts(questions) => {
                seen.debug(&questions);
                let facts = host.facts_of(&questions);
                seen.debug(&facts);
                seen.debug(&facts.mailers);
                seen.debug(&facts.subscribers.iter().collect::<Vec<_>>());
                HostAnswer::Facts(facts)
            }
            Step::Commit(plan) => {
                look_at_plan(seen, &plan);
                HostAnswer::Commit(host.commit_of())
            }
            Step::Done(decision) => {
                seen.debug(&decision);
                seen.debug(&decision.explanation());
                for violation in decision.violation().into_iter().chain(decision.refused()) {
                    seen.error(&violation);
                    seen.text(&violation.remedy());
                    seen.debug(&decision.blacklisted_link(&violation));
                }
                if let Some(plan) = decision.plan() {
                    look_at_plan(seen, &plan);
                }
                break;
            }
        };
        seen.debug(&answer);
        if let Err(misuse) = recorder.answer(HostAnswer::Facts(Facts::default())) {
            seen.error(&misuse);
        }
        if let Err(misuse) = recorder.answer(answer) {
            seen.error(&misuse);
        }
    }
    let transcript = recorder.transcript();
    seen.debug(&transcript);
    let read = Transcript::from_json(&transcript.to_json()).unwrap();
    if let Ok(replay) = read.replay() {
        seen.debug(&replay);
    }
    let preflight = Preflight::new(policy, operation, body);
    seen.debug(&preflight);
    for violation in preflight.violations() {
        seen.error(&violation);
    }
    for warning in preflight.warnings() {
        seen.error(&warning);
        seen.error(&warning.kind());
    }
}

fn look_at_plan(seen: &mut Seen, plan: &franking::Plan<'_>) {
    seen.debug(plan);
    plan.create().for_each(|row| seen.debug(&row));
    plan.update().for_each(|row| seen.debug(&row));
    plan.collapsed().for_each(|row| seen.debug(&row));
    for message in plan.messages() {
        seen.debug(&message);
        message.recipients().for_each(|row| seen.debug(&row));
    }
}

/// The texts of a case that must not be shown. They are long enough to differ from the library's own words.
fn secrets_of(value: &Value, secrets: &mut Vec<String>) {
    match value {
        Value::String(text) => secrets.push(text.to_lowercase()),
        Value::Array(items) => items.iter().for_each(|item| secrets_of(item, secrets)),
        Value::Object(members) => members
            .values()
            .for_each(|member| secrets_of(member, secrets)),
        _ => {}
    }
}

fn is_telling(secret: &str) -> bool {
    let is_address = secret.contains('@') && !secret.contains("name@example.com");
    let is_long = secret.len() >= 12 && secret.contains([' ', '%', '<', '.']);
    let known = ["api_emails", "realtime_via_api"];
    (is_address || is_long || secret.starts_with("key-"))
        && secret.len() >= 5
        && !known.contains(&secret)
}

#[test]
fn no_vector_shows_keys_addresses_subjects_or_bodies() {
    let (mut calls, mut checked) = (0, 0);
    for (file, case) in vectors::cases() {
        if !matches!(case["do"].as_str(), Some("decide" | "preflight")) {
            continue;
        }
        let Some(operation) = case["operation"].as_str().and_then(Operation::from_name) else {
            continue;
        };
        let Some(body) = body_of(case).filter(|body| body.len() <= 100_000) else {
            continue;
        };
        let policy = match case.get("policy") {
            None | Some(Value::Null) => Policy::default(),
            Some(policy) => match Policy::from_json(&policy.to_string()) {
                Ok(policy) => policy,
                Err(_) => continue,
            },
        };
        let mut secrets = Vec::new();
        let text = String::from_utf8_lossy(&body);
        if let Ok(body) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
            secrets_of(&body, &mut secrets);
        }
        // The host's data is as personal as the caller's.
        let world = case.get("world").cloned().unwrap_or_default();
        secrets_of(&world, &mut secrets);
        let keys = world["accounts"].as_object().into_iter().flatten();
        secrets.extend(keys.map(|(key, _)| key.to_lowercase()));
        secrets.retain(|secret| is_telling(secret));
        secrets.push(text.to_lowercase());
        secrets.retain(|secret| secret.len() >= 5);
        let mut seen = Seen::new(secrets);
        // Some worlds in the executors' tests are wrong on purpose.
        if file.contains("executor-errors") || file == "odd-worlds" {
            continue;
        }
        let method = case["method"].as_str().unwrap_or("POST");
        look_at_call(&mut seen, &policy, operation, method, &body, &world);
        calls += 1;
        checked += seen.checked;
    }
    println!("{calls} calls of the vectors, {checked} texts");
    assert!(calls > 2000, "{calls}");
}

/// The bytes of a case's body.
fn body_of(case: &Value) -> Option<Vec<u8>> {
    match (case["body"].as_str(), case["body_base64"].as_str()) {
        (Some(body), _) => Some(body.as_bytes().to_vec()),
        (None, Some(body)) => STANDARD.decode(body).ok(),
        (None, None) => None,
    }
}

/// The rest of the corpus: transcripts, what clients compose and read, and single texts.
#[test]
fn no_other_vector_shows_what_it_was_given() {
    let mut looked_at = BTreeMap::<String, usize>::new();
    for (_, case) in vectors::cases() {
        // Calls are covered above, and no message shows the HTML of `hosts`.
        if matches!(case["do"].as_str(), Some("decide" | "preflight" | "hosts")) {
            continue;
        }
        let mut secrets = Vec::new();
        secrets_of(case, &mut secrets);
        if let Some(body) = case["transcript"]["body"].as_str() {
            secrets.extend(
                serde_json::from_str(body)
                    .map(|body| {
                        let mut inner = Vec::new();
                        secrets_of(&body, &mut inner);
                        inner
                    })
                    .unwrap_or_default(),
            );
        }
        secrets.retain(|secret| is_telling(secret) && secret.len() <= 100_000);
        secrets.sort_unstable();
        secrets.dedup();
        let mut seen = Seen::new(secrets);
        let text = case["text"].as_str().filter(|text| text.len() <= 100_000);
        match (case["do"].as_str(), text) {
            (Some("replay"), _) => match Transcript::from_json(&case["transcript"].to_string()) {
                Ok(transcript) => {
                    seen.debug(&transcript);
                    match transcript.replay() {
                        Ok(replay) => seen.debug(&replay),
                        Err(error) => seen.error(&error),
                    }
                }
                Err(error) => seen.error(&error),
            },
            (Some("compose"), _) => {
                let fields = case["fields"].to_string();
                if fields.len() > 10_000 {
                    continue;
                }
                for operation in Operation::ALL.iter().copied() {
                    if let Err(error) = compose_json(&Policy::default(), operation, &fields) {
                        seen.error(&error);
                    }
                }
                if let Ok(request) = SendMailerRequest::from_json(&fields) {
                    seen.debug(&request);
                }
                if let Ok(requests) = HttpSendMailRequests::from_json(&fields) {
                    seen.debug(&requests);
                    for call in requests.compose(&Policy::default()).flatten() {
                        seen.debug(&call);
                    }
                }
            }
            (Some("answer"), Some(text)) => match Response::read(text) {
                Ok(answer) => seen.debug(&answer),
                Err(error) => seen.error(&error),
            },
            (Some("address"), Some(text)) => match address::parse(text) {
                Ok(address) => seen.debug(&address),
                Err(error) => seen.error(&error),
            },
            (Some("addresses"), Some(text)) => {
                for (_, entry) in address::entries(text) {
                    match address::parse(entry) {
                        Ok(address) => seen.debug(&address),
                        Err(error) => seen.error(&error),
                    }
                }
            }
            (Some("decode"), Some(text)) => {
                match form::decode(text, franking::HtmlEncoding::Detect) {
                    Ok(decoded) => seen.debug(&decoded),
                    Err(error) => seen.error(&error),
                }
            }
            (Some("date"), Some(text)) => {
                if let Err(error) = date::parse_day(text) {
                    seen.error(&error);
                }
            }
            (Some("blacklisted"), _) => {
                let mut set = DomainSet::new();
                for entry in case["entries"].as_array().into_iter().flatten() {
                    if let Err(error) = set.insert(entry.as_str().unwrap_or_default()) {
                        seen.error(&error);
                    }
                }
                seen.debug(&set);
            }
            _ => {}
        }
        if seen.checked > 0 {
            let kind = case["do"].as_str().unwrap_or_default().to_string();
            *looked_at.entry(kind).or_default() += 1;
        }
    }
    println!("{looked_at:?}");
    assert_eq!(looked_at.len(), 8, "{looked_at:?}");
}

/// Every text of the caller and of the host has this canary.
const CANARY: &str = "canary";

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
        for policy in &policies {
            let text = body.to_string();
            look_at_call(
                &mut seen,
                policy,
                operation,
                "POST",
                text.as_bytes(),
                &canary_world(),
            );
        }
        let text = body.to_string();
        for broken in [
            text.replacen("canary", "canary\",\"canary\":1,\"canary\":2,\"x\":\"", 1),
            text[..text.len() - 1].to_string(),
            format!("[{text}]"),
            format!("{text} canary"),
        ] {
            look_at_call(
                &mut seen,
                &whole,
                operation,
                "POST",
                broken.as_bytes(),
                &canary_world(),
            );
        }
        look_at_call(
            &mut seen,
            &whole,
            operation,
            "CANARY",
            text.as_bytes(),
            &canary_world(),
        );
        for kind in Conflict::ALL
            .iter()
            .copied()
            .filter(|kind| kind.is_possible(operation))
        {
            let mut world = canary_world();
            world["commits"] = json!(vec![json!({"conflict": kind.name()}); 3]);
            look_at_call(
                &mut seen,
                &whole,
                operation,
                "POST",
                text.as_bytes(),
                &world,
            );
        }
        let mut world = canary_world();
        world["transaction_id"] = json!(0);
        look_at_call(
            &mut seen,
            &whole,
            operation,
            "POST",
            text.as_bytes(),
            &world,
        );
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
fn small_values_show_nothing_personal_either() {
    let mut seen = Seen::new(vec![CANARY.to_string()]);
    let mailer = Mailer {
        from: "canary@canary.example",
        from_name: Some("Canary"),
        blacklisted: Some(false),
    };
    let subscriber = Subscriber {
        id: 1,
        email: "canary@canary.example",
        inactive: true,
        blacklisted: Some(true),
    };
    let mut column = Subscribers::default();
    column.push(Some(subscriber));
    let facts = Facts {
        mailers: [Some(mailer)].into_iter().collect(),
        subscribers: column.clone(),
        ..Facts::default()
    };
    seen.debug(&mailer);
    seen.debug(&subscriber);
    seen.debug(&column);
    seen.debug(&facts);
    seen.debug(&HostAnswer::Facts(facts));
    seen.debug(&HostAnswer::Commit(Commit::Conflict(Conflict::Other)));
    seen.error(&Misuse::SubscriberId);
    seen.error(&DecideError::<Misuse>::Misuse(Misuse::SubscriberId));
    for text in [
        "canary",
        "{}",
        r#"{"code":"canary"}"#,
        r#"{"code":"200","status":["canary"]}"#,
        r#"{"code":"200","status":"x","transactionId":"canary"}"#,
    ] {
        seen.error(&Response::read(text).unwrap_err());
    }
    seen.debug(&Response::read(r#"{"code":"412","status":"canary at /canary"}"#).unwrap());
    for rule in Rule::ALL {
        seen.error(rule);
    }
    for text in [
        "canary",
        "canary@",
        "@canary.example",
        "canary@-canary.example",
        "canary canary@canary.example",
        "\"canary\"@canary.example",
        "canary@canary..example",
        "canary@canary.1",
    ] {
        seen.error(&address::parse(text).unwrap_err());
    }
    seen.debug(&address::parse("canary@canary.example").unwrap());
    for text in [
        "canary",
        "can ary.example",
        "-canary.example",
        "canary..example",
    ] {
        if let Err(error) = franking::domain::parse(text) {
            seen.error(&error);
        }
    }
    seen.error(&date::parse_day("canary").unwrap_err());
    let decoded = form::decode("canary", franking::HtmlEncoding::Detect).unwrap();
    seen.debug(&decoded);
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

#[test]
fn what_reads_links_shows_nothing_of_the_html_and_its_hosts() {
    use franking::html::links;
    let html = "<a href='https://canary.example/canary'>canary</a>";
    // An address in angle brackets is read as a tag, whose name is the address.
    let address =
        "Ada <canary@shop.example <a href='//a.example' style='background:url(//b.example)'>";
    let found: Vec<_> = links(html).chain(links(address)).collect();
    let shown = format!("{:?} {found:?}", links(html));
    assert_eq!(found.len(), 3);
    assert!(
        !shown.contains("canary") && !shown.contains("99, 97, 110"),
        "{shown}"
    );
}
