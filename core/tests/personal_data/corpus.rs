//! What is formatted of each vector: calls, transcripts, what clients compose and read, and single texts.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use franking::unstable::text::{address, date, form};
use franking::{
    DomainSet, HttpSendMailRequests, Operation, Policy, Response, SendMailerRequest, Transcript,
    compose_json,
};
use serde_json::Value;

use super::{Seen, look_at_call};
use crate::support::vectors;

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
