//! The requests that do not need a call: one JSON form in, one out. `do` says what is asked, as in docs/conformance.md.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use franking_core::{
    Code, DomainSet, ENUMERATIONS, Event, HtmlEncoding, Operation, Outcome as EmailOutcome, Policy,
    Preflight, Response, Route, Rule, Tracking, Transcript, WarningKind, address, compose_json,
    date, html, http, route,
};
use serde_json::{Value, json};

use crate::compose::compose_fail;
use crate::memory::{ask_for_answer, ask_for_body, ask_for_hosts};
use crate::numbers::became;
use crate::policy::policy_fail;
use crate::replay::transcript_fail;
use crate::status::{Fail, Outcome};

/// The answer to a request.
pub(super) fn answer(request: &Value) -> Outcome<Value> {
    Ok(match text(request, "do")? {
        "preflight" => preflight(request)?,
        "compose" => {
            let fields = request.get("fields").ok_or_else(|| missing("fields"))?;
            let calls = compose_json(&policy(request)?, operation(request)?, &fields.to_string());
            json!({ "calls": calls.map_err(compose_fail)? })
        }
        "answer" => {
            let read = Response::read(text(request, "text")?).map_err(Fail::invalid)?;
            json!({
                "code": read.code.number(),
                "status": read.status,
                "transaction_id": read.transaction_id,
            })
        }
        "route" => match route(text(request, "method")?, text(request, "path")?) {
            None => json!({ "operation": null, "call": false }),
            Some(Route::Call(found)) => json!({ "operation": found.name(), "call": true }),
            Some(Route::WrongMethod(found)) => json!({ "operation": found.name(), "call": false }),
        },
        "http_answer" => http_answer(request)?,
        "address" => {
            let parsed = address::parse(text(request, "text")?).ok();
            json!({
                "valid": parsed.is_some(),
                "key": parsed.as_ref().map(|own| own.match_key()),
                "domain": parsed.as_ref().map(|own| own.domain()),
            })
        }
        "addresses" => {
            let entry = |(_, entry): (_, &str)| {
                let parsed = address::parse(entry).ok();
                let key = parsed.map(|own| own.match_key().into_owned());
                json!({ "text": entry, "valid": key.is_some(), "key": key })
            };
            let list = text(request, "text")?;
            ask_for_answer(address::entries(list).count(), list.len())?;
            json!({ "entries": address::entries(list).map(entry).collect::<Value>() })
        }
        "decode" => {
            let text = text(request, "text")?;
            ask_for_answer(1, text.len())?;
            match html::decode(text, HtmlEncoding::Detect) {
                Ok(own) => json!({ "html": own.html, "encoding": own.encoding.name() }),
                Err(_) => json!({ "html": null, "encoding": null }),
            }
        }
        "encode" => {
            let html = text(request, "html")?;
            ask_for_answer(1, html.len())?;
            json!({ "text": html::encode(html) })
        }
        "hosts" => {
            let html = text(request, "html")?;
            ask_for_hosts(html)?;
            let hosts = html::hosts(html);
            ask_for_answer(hosts.len(), hosts.iter().map(str::len).sum())?;
            json!({ "hosts": hosts.iter().collect::<Value>() })
        }
        "blacklisted" => {
            let mut set = DomainSet::new();
            for entry in array(request, "entries")? {
                let entry = entry.as_str().ok_or_else(|| missing("an entry"))?;
                set.insert(entry).map_err(Fail::invalid)?;
            }
            let listed = set.try_listed(text(request, "domain")?);
            json!({ "blacklisted": listed.map_err(Fail::invalid)?.is_some() })
        }
        "date" => json!({ "valid": date::is_day(text(request, "text")?) }),
        "outcome" => {
            let mut outcome = EmailOutcome::new(Tracking {
                opens: flag(request, "track_opens")?,
                clicks: flag(request, "track_clicks")?,
            });
            for event in array(request, "events")? {
                let code = event.as_u64().and_then(|code| u16::try_from(code).ok());
                let event = Event::from_code(code.unwrap_or_default()).map_err(Fail::invalid)?;
                outcome.record(event);
            }
            json!({ "summary": outcome.summary().code() })
        }
        "replay" => replay(request)?,
        "rules" => json!({ "rules": Rule::ALL }),
        "tables" => tables(),
        _ => {
            return Err(Fail::invalid(
                "there is no such form: do is one of preflight, compose, answer, route, http_answer, address, addresses, \
                 decode, encode, hosts, blacklisted, date, outcome, replay, rules and tables",
            ));
        }
    })
}

fn missing(what: &str) -> Fail {
    Fail::invalid(format!(
        "{what} is missing, or not of the type that it has to be"
    ))
}

fn text<'a>(form: &'a Value, name: &str) -> Outcome<&'a str> {
    let value = form.get(name).and_then(Value::as_str);
    value.ok_or_else(|| missing(name))
}

fn array<'a>(form: &'a Value, name: &str) -> Outcome<&'a Vec<Value>> {
    let value = form.get(name).and_then(Value::as_array);
    value.ok_or_else(|| missing(name))
}

/// Reads a flag. If it is left out, it is false.
pub(super) fn flag(form: &Value, name: &str) -> Outcome<bool> {
    match form.get(name) {
        None => Ok(false),
        Some(value) => value.as_bool().ok_or_else(|| missing(name)),
    }
}

pub(super) fn operation(form: &Value) -> Outcome<Operation> {
    Operation::from_name(text(form, "operation")?).ok_or_else(|| {
        Fail::argument("there is no such operation: give sendMailer or httpSendMail")
    })
}

/// Reads the policy. If it is left out or null, it is the default policy.
pub(super) fn policy(form: &Value) -> Outcome<Policy> {
    match form.get("policy") {
        None | Some(Value::Null) => Ok(Policy::default()),
        Some(own) => Policy::from_json(&own.to_string()).map_err(policy_fail),
    }
}

/// The bytes of `body`, or of `body_base64` for those that are not UTF-8.
fn body(form: &Value) -> Outcome<Cow<'_, [u8]>> {
    match (form.get("body"), form.get("body_base64")) {
        (Some(_), None) => Ok(text(form, "body")?.as_bytes().into()),
        (None, Some(_)) => STANDARD
            .decode(text(form, "body_base64")?)
            .map(Cow::Owned)
            .map_err(|_| Fail::invalid("body_base64 is not Base64 (RFC 4648, section 4)")),
        _ => Err(Fail::invalid("give one of body and body_base64")),
    }
}

fn preflight(request: &Value) -> Outcome<Value> {
    let (policy, operation, body) = (policy(request)?, operation(request)?, body(request)?);
    ask_for_body(&policy, operation, &body)?;
    let checked = Preflight::new(&policy, operation, body);
    // The library wrote this text.
    serde_json::from_str(&checked.to_json()).map_err(|_| Fail::panic())
}

/// What to answer over HTTP when no call was decided, as `franking_http_answer` says it.
fn http_answer(request: &Value) -> Outcome<Value> {
    let (policy, operation) = (policy(request)?, operation(request)?);
    let given = text(request, "outcome")?.replace('_', "-");
    let outcomes = ENUMERATIONS.iter().filter(|own| own.name == "HttpOutcome");
    let word = outcomes
        .flat_map(|own| own.words)
        .find(|word| word.name == given)
        .ok_or_else(|| {
            Fail::argument(
                "there is no such outcome: give accepted, too-large, undone, fault or unknown",
            )
        })?;
    let id = match request.get("transaction_id") {
        None => 0,
        Some(id) => id.as_u64().ok_or_else(|| missing("transaction_id"))?,
    };
    let outcome = became(i32::from(word.number), id)?;
    Ok(http_form(&http::answer(&policy, operation, outcome)))
}

/// The JSON form of an answer over HTTP.
pub(super) fn http_form(answer: &http::Answer) -> Value {
    let headers = answer.headers.iter().copied();
    let headers = headers.map(|(name, value)| (name.to_owned(), Value::from(value)));
    json!({
        "status": answer.status,
        "headers": Value::Object(headers.collect()),
        "body": answer.body,
    })
}

fn replay(request: &Value) -> Outcome<Value> {
    let transcript = request
        .get("transcript")
        .ok_or_else(|| missing("transcript"))?;
    let transcript = Transcript::from_json(&transcript.to_string()).map_err(transcript_fail)?;
    let replayed = transcript.replay().map_err(transcript_fail)?;
    let steps = replayed.steps.iter();
    let steps = steps.map(|step| if step.is_ok() { "ok" } else { "misuse" });
    // The library wrote this text.
    let decision = replayed.decision.as_deref().map(serde_json::from_str);
    let decision: Option<Value> = decision.transpose().map_err(|_| Fail::panic())?;
    Ok(json!({ "steps": steps.collect::<Value>(), "decision": decision }))
}

fn tables() -> Value {
    let rules = Rule::ALL.iter().map(|rule| {
        let codes = Operation::ALL.iter().copied().filter_map(|operation| {
            let code = rule.code(operation)?;
            Some((operation.name().to_owned(), Value::from(code.number())))
        });
        json!({
            "rule": rule.identifier(),
            "number": rule.number(),
            "phase": rule.phase().name(),
            "codes": Value::Object(codes.collect()),
            "fields": rule.fields(),
            "meaning": rule.meaning(),
            "remedy": rule.remedy(),
        })
    });
    let operations = Operation::ALL.iter().copied().map(|operation| {
        let codes = Code::all(operation).map(|code| {
            json!({
                "code": code.number(),
                "meaning": code.meaning(operation),
                "retry": code.retry(operation).map(|retry| retry.name()),
            })
        });
        let deprecation = operation.deprecation().map(|own| {
            json!({
                "last_day": own.last_day,
                "successor": own.successor,
                "sunset": own.sunset,
                "deprecation": own.deprecation,
            })
        });
        json!({
            "operation": operation.name(),
            "path": operation.path(),
            "codes": codes.collect::<Value>(),
            "deprecation": deprecation,
        })
    });
    let warnings = WarningKind::ALL
        .iter()
        .map(|kind| json!({ "warning": kind.identifier(), "meaning": kind.meaning() }));
    let enumerations = ENUMERATIONS.iter().map(|own| {
        let words = own.words.iter();
        let words = words
            .map(|word| json!({ "name": word.name, "number": word.number, "about": word.about }));
        json!({ "name": own.name, "about": own.about, "words": words.collect::<Value>() })
    });
    json!({
        "rules": rules.collect::<Value>(),
        "operations": operations.collect::<Value>(),
        "warnings": warnings.collect::<Value>(),
        "enumerations": enumerations.collect::<Value>(),
    })
}
