//! Composing calls: the bodies, the limits of a call, and the errors.

mod bodies;
mod errors;
mod limits;

use franking::{
    ComposeError, ComposedCall, HttpSendMailRequest, Operation, Policy, compose, compose_json,
};

const HEAD: &str = r#"{"ApiKey":"k","requests":["#;
const TAIL: &str = "]}";

fn policy(max_requests: u64, max_bytes: u64) -> Policy {
    let builder = Policy::builder();
    builder
        .max_requests(max_requests)
        .max_bytes(max_bytes)
        .build()
        .unwrap()
}

fn with_subject(subject: &str) -> HttpSendMailRequest<'_> {
    HttpSendMailRequest::new().subject(subject)
}

/// The body of a call whose requests have only these subjects.
fn body(subjects: &[&str]) -> String {
    let requests: Vec<String> = subjects
        .iter()
        .map(|subject| format!(r#"{{"subject":"{subject}"}}"#))
        .collect();
    format!("{HEAD}{}{TAIL}", requests.join(","))
}

fn calls(policy: &Policy, subjects: &[&str]) -> Result<Vec<String>, ComposeError> {
    let requests = subjects.iter().map(|subject| with_subject(subject));
    compose(policy, "k", requests)
        .map(|call| call.map(ComposedCall::into_body))
        .collect()
}

fn send_mailer(fields: &str) -> Result<String, ComposeError> {
    let calls = compose_json(&Policy::default(), Operation::SendMailer, fields)?;
    assert_eq!(calls.len(), 1);
    Ok(calls.concat())
}

fn http_send_mail(fields: &str) -> Result<Vec<String>, ComposeError> {
    compose_json(&Policy::default(), Operation::HttpSendMail, fields)
}

/// The body of one request, given by its fields.
fn one_request(fields: &str) -> Result<String, ComposeError> {
    let calls = http_send_mail(&format!(r#"{{"ApiKey":"k","requests":[{fields}]}}"#))?;
    let body = calls.concat();
    let request = body
        .strip_prefix(HEAD)
        .and_then(|rest| rest.strip_suffix(TAIL));
    Ok(request.unwrap().to_string())
}
