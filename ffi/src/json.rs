//! The door for languages that have only a plain FFI: one JSON text in, one JSON text out, no structure in any signature.

use core::ffi::c_char;
use core::sync::atomic::Ordering;

use franking_core::{Call, Code, Decision, Operation, Policy, Preflight, Rule, Step, Violation};
use franking_core::{WarningKind, compose_json};
use serde_json::{Value, json};

use crate::call::{Body, FrankingCall, Machine, json_fail};
use crate::compose::compose_fail;
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run, run_alone};
use crate::memory::ask_for_body;
use crate::policy::policy_fail;
use crate::status::{Fail, Outcome};
use crate::text::{FrankingBytes, FrankingString, FrankingText};

fn text(data: *const c_char, len: usize) -> FrankingText {
    FrankingText { data, len }
}

/// # Safety
/// The texts can be read.
unsafe fn settings(
    policy_json: FrankingText,
    operation_name: FrankingText,
) -> Outcome<(Policy, Operation)> {
    // SAFETY: as demanded of the caller.
    let policy = match unsafe { policy_json.read_option("policy_json") }? {
        None => Policy::default(),
        Some(json) => Policy::from_json(json).map_err(policy_fail)?,
    };
    // SAFETY: as demanded of the caller.
    let name = unsafe { operation_name.read("operation_name") }?;
    let operation = Operation::from_name(name).ok_or_else(|| {
        Fail::argument("there is no such operation: give sendMailer or httpSendMail")
    })?;
    Ok((policy, operation))
}

fn violation(violation: &Violation<'_>) -> Value {
    json!({
        "rule": violation.rule().identifier(),
        "code": violation.code().number(),
        "request": violation.request(),
        "pointer": violation.pointer(),
        "span": span(violation.span()),
        "meaning": violation.rule().meaning(),
        "remedy": violation.remedy(),
    })
}

fn span(span: Option<core::ops::Range<usize>>) -> Option<[usize; 2]> {
    span.map(|span| [span.start, span.end])
}

fn preflight(checked: &Preflight<&[u8]>) -> Value {
    let warnings = checked.warnings().map(|warning| {
        json!({
            "warning": warning.kind().identifier(),
            "pointer": warning.pointer(),
            "span": span(warning.span()),
            "detail": warning.detail(),
            "meaning": warning.kind().meaning(),
            "message": warning.message(),
        })
    });
    json!({
        "violations": checked.violations().map(|own| violation(&own)).collect::<Value>(),
        "warnings": warnings.collect::<Value>(),
    })
}

/// The form of the core's, in which a decision says what to do, too.
fn step(step: &Step<'_>) -> String {
    let text = step.to_json();
    let Step::Done(decision) = step else {
        return text;
    };
    let Ok(Value::Object(mut form)) = serde_json::from_str(&text) else {
        return text;
    };
    if let Some(Value::Object(own)) = form.get_mut("decision") {
        explain(decision, own);
    }
    Value::Object(form).to_string()
}

fn explain(decision: &Decision<'_>, form: &mut serde_json::Map<String, Value>) {
    let broken = decision.violation();
    let meaning = broken.as_ref().map(|own| own.rule().meaning());
    let remedy = broken.as_ref().map(Violation::remedy);
    form.insert("meaning".to_owned(), meaning.into());
    form.insert("remedy".to_owned(), remedy.into());
    if let Some(refused @ Value::Array(_)) = form.get_mut("refused") {
        *refused = decision.refused().map(|own| violation(&own)).collect();
    }
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
            json!({ "last_day": own.last_day, "successor": own.successor, "sunset": own.sunset })
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
    json!({
        "rules": rules.collect::<Value>(),
        "operations": operations.collect::<Value>(),
        "warnings": warnings.collect::<Value>(),
    })
}

/// The rules, the operations with their codes, and the warnings, as JSON: {"rules": [...], "operations": [...], "warnings":
/// [...]}. The string is owned: free it with franking_string_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_tables_json(
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(json, "json")?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(tables().to_string())?) }
    })
}

/// Composes the calls that carry what a JSON text says: the policy's JSON form (NULL and 0 for the defaults), the operation's
/// name, and for sendMailer an object of fields, for httpSendMail an object of ApiKey and an array requests of any length,
/// HTML not encoded; {"calls": [body, ...]} out. The string is owned: free it with franking_string_free.
///
/// Fails with FRANKING_STATUS_INVALID when the text is no such object, or a request fits in no call; franking_error_value is
/// its position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_compose_json(
    policy_json: *const c_char,
    policy_json_len: usize,
    operation_name: *const c_char,
    operation_name_len: usize,
    fields: *const c_char,
    fields_len: usize,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let policy_json = text(policy_json, policy_json_len);
        let operation_name = text(operation_name, operation_name_len);
        // SAFETY: the caller passes texts that can be read.
        let (policy, operation) = unsafe { settings(policy_json, operation_name) }?;
        // SAFETY: the caller passes a text that can be read.
        let fields = unsafe { text(fields, fields_len).read("fields") }?;
        check_out(json, "json")?;
        let calls = compose_json(&policy, operation, fields).map_err(compose_fail)?;
        let composed = json!({ "calls": calls }).to_string();
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(composed)?) }
    })
}

/// Takes a call as it came: the policy's JSON form (NULL and 0 for the defaults), the operation's name (sendMailer or
/// httpSendMail), the HTTP method, and a copy of the body. Owned: free the call with franking_call_free.
///
/// Fails with FRANKING_STATUS_MEMORY when there is none for the copy, or for reading it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_new_json(
    policy_json: *const c_char,
    policy_json_len: usize,
    operation_name: *const c_char,
    operation_name_len: usize,
    method: *const c_char,
    method_len: usize,
    body: *const u8,
    body_len: usize,
    call: *mut *mut FrankingCall,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let policy_json = text(policy_json, policy_json_len);
        let operation_name = text(operation_name, operation_name_len);
        // SAFETY: the caller passes texts that can be read.
        let (policy, operation) = unsafe { settings(policy_json, operation_name) }?;
        // SAFETY: the caller passes a text that can be read.
        let method = unsafe { text(method, method_len).read_lossy("method") }?;
        let bytes = FrankingBytes {
            data: body,
            len: body_len,
        };
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { Body::copy(bytes) }?;
        check_out(call, "call")?;
        ask_for_body(&policy, operation, body.as_ref())?;
        let machine = || Machine::Plain(Call::new(&policy, operation, &method, body));
        // SAFETY: checked above.
        unsafe { put_out(call, FrankingCall::new(machine)) }
    })
}

/// Checks a body without a host: the policy's JSON form (NULL and 0 for the defaults), the operation's name and the body in,
/// {"violations": [...], "warnings": [...]} out. A violation has the members rule, code, request, pointer, span, meaning and
/// remedy; a warning has warning, pointer, span, detail, meaning and message. The string is owned: free it with
/// franking_string_free.
///
/// Fails with FRANKING_STATUS_MEMORY when there is none for reading the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_json(
    policy_json: *const c_char,
    policy_json_len: usize,
    operation_name: *const c_char,
    operation_name_len: usize,
    body: *const u8,
    body_len: usize,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let policy_json = text(policy_json, policy_json_len);
        let operation_name = text(operation_name, operation_name_len);
        // SAFETY: the caller passes texts that can be read.
        let (policy, operation) = unsafe { settings(policy_json, operation_name) }?;
        let bytes = FrankingBytes {
            data: body,
            len: body_len,
        };
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { bytes.read("body") }?;
        check_out(json, "json")?;
        ask_for_body(&policy, operation, body)?;
        let checked = preflight(&Preflight::new(&policy, operation, body)).to_string();
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(checked)?) }
    })
}

/// What the call waits for, as JSON: {"ask": {"account": key}}, {"ask": {"facts": questions}}, {"ask": {"commit": plan}} or
/// {"decision": decision}. A decision has a meaning and a remedy beside its rule, and so has each of what it refused. Changes
/// nothing. The string is owned: free it with franking_string_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_step_json(
    call: *mut FrankingCall,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(json, "json")?;
        let text = call.state.read(|state| Ok(step(&state.call().step())))?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)?) }
    })
}

/// # Safety
/// The text can be read.
unsafe fn read_answer<'a>(json: FrankingText) -> Outcome<&'a str> {
    if json.data.is_null() {
        return Err(Fail::null("json"));
    }
    // SAFETY: as demanded of the caller.
    unsafe { json.read("json") }
}

/// Whether the text says that the plan is about to be carried out.
fn is_begin(json: &str) -> bool {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Begin {
        begin: bool,
    }
    // Longer texts are answers; they are not read twice.
    json.len() < 64 && serde_json::from_str::<Begin>(json).is_ok_and(|form| form.begin)
}

/// Answers what the call waits for, in JSON: {"account": account or null}, {"facts": facts}, {"commit":
/// {"transaction_id": number}}, {"commit": {"conflict": name}} or {"commit": {"unknown": true}}. While a commit is awaited, a
/// text that is not an answer of any kind, NULL and what is not UTF-8 are taken for the last of these: the host may have carried
/// the plan out. {"begin": true} is not an answer: it hands the plan out, as franking_call_begin_commit does.
///
/// Fails with FRANKING_STATUS_INVALID when the text is no such form, and with FRANKING_STATUS_MISUSE as the typed answers;
/// nothing changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_answer_json(
    call: *mut FrankingCall,
    json: *const c_char,
    json_len: usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes a text that can be read.
        let json = match unsafe { read_answer(text(json, json_len)) } {
            Ok(json) => json,
            Err(fail) => return Err(call.unread(fail)),
        };
        if call.is_driven.load(Ordering::Acquire) {
            return Err(Fail::busy());
        }
        if is_begin(json) {
            return call.state.write(|state| call.begin_commit(state));
        }
        call.give_commit(|machine| machine.json(json).map_err(json_fail))
    })
}
