//! One function for each kind of case, written against the public crate as a user would.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use franking::HtmlEncoding;
use franking::{
    Call, DecideError, DomainSet, Operation, Policy, Preflight, Response, Rule, Transcript,
    compose_json, decide,
};
use franking::{Event, Outcome, Tracking};
use franking::{address, date, html, http};
use serde_json::{Value, json};

use franking_cli::World;

type Result = std::result::Result<Value, String>;

/// Runs one case. Returns its answer without the `id`.
///
/// # Errors
/// What is wrong with the case.
pub fn run(case: &Value) -> Result {
    match text(case, "do")? {
        "decide" => run_decide(case),
        "http" => run_http(case),
        "preflight" => run_preflight(case),
        "address" => run_address(case),
        "addresses" => run_addresses(case),
        "decode" => run_decode(case),
        "hosts" => run_hosts(case),
        "blacklisted" => run_blacklisted(case),
        "date" => Ok(json!({"valid": date::is_day(text(case, "text")?)})),
        "outcome" => run_outcome(case),
        "answer" => run_answer(case),
        "compose" => run_compose(case),
        "replay" => run_replay(case),
        "rules" => Ok(json!({"rules": Rule::ALL})),
        unknown => Err(format!("there is no case {unknown:?}")),
    }
}

fn text<'a>(case: &'a Value, key: &str) -> std::result::Result<&'a str, String> {
    case.get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("{key} has to be a text"))
}

fn operation(case: &Value) -> std::result::Result<Operation, String> {
    let name = text(case, "operation")?;
    Operation::from_name(name).ok_or_else(|| format!("there is no operation {name:?}"))
}

fn body(case: &Value) -> std::result::Result<Vec<u8>, String> {
    match (case.get("body"), case.get("body_base64")) {
        (Some(_), Some(_)) => Err("body and body_base64 are both there".to_string()),
        (Some(_), None) => Ok(text(case, "body")?.as_bytes().to_vec()),
        (None, _) => STANDARD
            .decode(text(case, "body_base64")?)
            .map_err(|error| format!("body_base64: {error}")),
    }
}

fn policy(case: &Value) -> std::result::Result<Policy, String> {
    match case.get("policy") {
        None | Some(Value::Null) => Ok(Policy::default()),
        Some(policy) => Policy::from_json(&policy.to_string()).map_err(|error| error.to_string()),
    }
}

fn parse(text: &str) -> Result {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn run_decide(case: &Value) -> Result {
    let operation = operation(case)?;
    let mut world = World::new(case.get("world").unwrap_or(&Value::Null), operation)?;
    let method = match case.get("method") {
        Some(_) => text(case, "method")?,
        None => "POST",
    };
    let mut call = Call::new(&policy(case)?, operation, method, body(case)?);
    match decide(&mut call, &mut world) {
        Ok(decision) => Ok(decision_form(parse(&decision.to_json())?)),
        Err(DecideError::LookUp(error)) => Err(error),
        Err(DecideError::Misuse(misuse)) => Err(misuse.to_string()),
        // The call has ended, and its decision says so.
        Err(DecideError::Unknown(_)) => match call.decision() {
            Some(decision) => Ok(decision_form(parse(&decision.to_json())?)),
            None => Err("a commit that failed has not ended the call".to_string()),
        },
    }
}

fn run_http(case: &Value) -> Result {
    let (operation, policy) = (operation(case)?, policy(case)?);
    let mut world = World::new(case.get("world").unwrap_or(&Value::Null), operation)?;
    let method = match case.get("method") {
        Some(_) => text(case, "method")?,
        None => "POST",
    };
    let mut call = Call::new(&policy, operation, method, body(case)?);
    let answer = match decide(&mut call, &mut world) {
        Ok(decision) => decision.http(),
        Err(DecideError::LookUp(error)) => return Err(error),
        Err(error) => http::answer(&policy, operation, error.outcome()),
    };
    let headers = answer.headers.iter().copied();
    let headers = headers.map(|(name, value)| (name.to_string(), Value::from(value)));
    Ok(json!({
        "status": answer.status,
        "headers": Value::Object(headers.collect()),
        "body": answer.body,
    }))
}

fn run_preflight(case: &Value) -> Result {
    let report = Preflight::new(&policy(case)?, operation(case)?, body(case)?).to_json();
    let mut form = keep(parse(&report)?, &["violations", "more", "warnings"]);
    keep_in_rows(
        &mut form,
        "violations",
        &["rule", "code", "pointer", "span"],
    );
    keep_in_rows(&mut form, "warnings", &["warning", "pointer"]);
    Ok(form)
}

/// The members of a decision that a case expects. The form of the library also says what they mean.
fn decision_form(decision: Value) -> Value {
    let members = [
        "code",
        "rule",
        "pointer",
        "span",
        "request",
        "response",
        "plan",
        "refused",
        "deprecation",
        "asked",
        "error",
    ];
    let mut form = keep(decision, &members);
    keep_in_rows(
        &mut form,
        "refused",
        &["request", "pointer", "span", "rule", "code"],
    );
    form
}

fn keep(mut form: Value, members: &[&str]) -> Value {
    if let Value::Object(own) = &mut form {
        own.retain(|name, _| members.contains(&name.as_str()));
    }
    form
}

fn keep_in_rows(form: &mut Value, rows: &str, members: &[&str]) {
    if let Some(Value::Array(rows)) = form.get_mut(rows) {
        for row in rows {
            *row = keep(row.take(), members);
        }
    }
}

fn run_address(case: &Value) -> Result {
    let parsed = address::parse(text(case, "text")?).ok();
    Ok(json!({
        "valid": parsed.is_some(),
        "key": parsed.as_ref().map(|address| address.match_key()),
        "domain": parsed.as_ref().map(|address| address.domain()),
    }))
}

fn run_addresses(case: &Value) -> Result {
    let entries: Vec<Value> = address::entries(text(case, "text")?)
        .map(|(_, entry)| {
            let key = address::parse(entry)
                .ok()
                .map(|address| address.match_key().into_owned());
            json!({"text": entry, "valid": key.is_some(), "key": key})
        })
        .collect();
    Ok(json!({"entries": entries}))
}

fn run_decode(case: &Value) -> Result {
    Ok(
        match html::decode(text(case, "text")?, HtmlEncoding::Detect) {
            Ok(decoded) => json!({"html": decoded.html, "encoding": decoded.encoding.name()}),
            Err(_) => json!({"html": null, "encoding": null}),
        },
    )
}

fn run_hosts(case: &Value) -> Result {
    let hosts = html::hosts(text(case, "html")?);
    Ok(json!({"hosts": hosts.iter().collect::<Vec<_>>()}))
}

fn run_blacklisted(case: &Value) -> Result {
    let entries = case
        .get("entries")
        .and_then(Value::as_array)
        .ok_or("entries has to be an array")?;
    let mut set = DomainSet::new();
    for entry in entries {
        let entry = entry.as_str().ok_or("an entry has to be a text")?;
        set.insert(entry).map_err(|error| error.to_string())?;
    }
    let listed = set
        .try_listed(text(case, "domain")?)
        .map_err(|error| error.to_string())?;
    Ok(json!({"blacklisted": listed.is_some()}))
}

fn run_outcome(case: &Value) -> Result {
    let flag = |key| match case.get(key) {
        None => Ok(false),
        Some(value) => value
            .as_bool()
            .ok_or_else(|| format!("{key} has to be true or false")),
    };
    let mut outcome = Outcome::new(Tracking {
        opens: flag("track_opens")?,
        clicks: flag("track_clicks")?,
    });
    for event in case
        .get("events")
        .and_then(Value::as_array)
        .ok_or("events has to be an array")?
    {
        let code = event
            .as_u64()
            .and_then(|code| u16::try_from(code).ok())
            .ok_or("an event has to be a code")?;
        outcome.record(Event::from_code(code).map_err(|error| error.to_string())?);
    }
    Ok(json!({"summary": outcome.summary().code()}))
}

fn run_answer(case: &Value) -> Result {
    let answer = Response::read(text(case, "text")?).map_err(|error| error.to_string())?;
    Ok(json!({
        "code": answer.code.number(),
        "status": answer.status,
        "transaction_id": answer.transaction_id,
    }))
}

fn run_compose(case: &Value) -> Result {
    let fields = case.get("fields").ok_or("fields is missing")?.to_string();
    let calls = compose_json(&policy(case)?, operation(case)?, &fields)
        .map_err(|error| error.to_string())?;
    Ok(json!({"calls": calls}))
}

fn run_replay(case: &Value) -> Result {
    let transcript = case
        .get("transcript")
        .ok_or("transcript is missing")?
        .to_string();
    let transcript = Transcript::from_json(&transcript).map_err(|error| error.to_string())?;
    let replay = transcript.replay().map_err(|error| error.to_string())?;
    let steps: Vec<&str> = replay
        .steps
        .iter()
        .map(|step| if step.is_ok() { "ok" } else { "misuse" })
        .collect();
    let decision = replay.decision.as_deref().map(parse).transpose()?;
    Ok(json!({"steps": steps, "decision": decision}))
}
