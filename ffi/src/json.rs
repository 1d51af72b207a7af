//! The JSON interface, for languages that have only a plain FFI: every argument and result is a text or a number.

mod forms;
mod ids;

use core::ffi::c_char;

use franking_core::Step;
use serde_json::Value;

use crate::body;
use crate::call::{FrankingCall, Machine, json_fail};
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run, run_alone};
use crate::http::answer_of_call;
use crate::memory::{ask_for_body, ask_for_request};
use crate::status::{Fail, Outcome};
use crate::text::{FrankingBytes, FrankingString, FrankingText};

fn text(data: *const c_char, len: usize) -> FrankingText {
    FrankingText { data, len }
}

fn parse(json: &str, what: &'static str) -> Outcome<Value> {
    match serde_json::from_str(json) {
        Ok(form @ Value::Object(_)) => Ok(form),
        Ok(_) => Err(Fail::invalid(format!("{what} are not a JSON object"))),
        Err(error) => Err(Fail::invalid(format!("{what} are not JSON: {error}"))),
    }
}

/// Answers a request that does not need a call. The request is a JSON object whose member do says what is asked. The answer
/// is a JSON object. The forms are those of docs/conformance.md, without id: preflight, compose, answer, address, addresses,
/// decode, hosts, blacklisted, date, outcome, replay and rules; and encode, route, http_answer and tables, which
/// docs/binding.md describes. The string is owned: free it with franking_string_free.
///
/// Fails with
/// - FRANKING_STATUS_INVALID when the text is not one of these forms, or contains an invalid value;
/// - FRANKING_STATUS_ARGUMENT when it names an unknown operation or outcome, or gives a transaction id although the outcome is
///   not accepted;
/// - FRANKING_STATUS_POLICY when its policy is invalid;
/// - FRANKING_STATUS_MEMORY when there is not enough memory to read a body or HTML, or for the answer of addresses, decode,
///   encode and hosts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_json(
    request: *const c_char,
    request_len: usize,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let request = unsafe { text(request, request_len).read("request") }?;
        check_out(json, "json")?;
        ask_for_request(request)?;
        let answer = forms::answer(&parse(request, "the members of the request")?)?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(answer.to_string())?) }
    })
}

/// The options of franking_call_new_json.
struct Options {
    policy: franking_core::Policy,
    operation: franking_core::Operation,
    method: String,
    is_recorded: bool,
    are_ids_texts: bool,
}

impl Options {
    fn read(json: &str) -> Outcome<Self> {
        const KNOWN: &[&str] = &["operation", "method", "policy", "record", "ids"];
        let form = parse(json, "the options")?;
        let mut names = form.as_object().into_iter().flat_map(serde_json::Map::keys);
        if names.any(|name| !KNOWN.contains(&name.as_str())) {
            let known = KNOWN.join(", ");
            return Err(Fail::invalid(format!(
                "there is an unknown option; known are {known}"
            )));
        }
        let method = match form.get("method") {
            None => "POST",
            Some(method) => method
                .as_str()
                .ok_or_else(|| Fail::invalid("the option method is a text"))?,
        };
        Ok(Self {
            policy: forms::policy(&form)?,
            operation: forms::operation(&form)?,
            method: method.to_owned(),
            is_recorded: forms::flag(&form, "record")?,
            are_ids_texts: match form.get("ids").map(Value::as_str) {
                None | Some(Some("numbers")) => false,
                Some(Some("text")) => true,
                Some(_) => return Err(Fail::invalid("the option ids is numbers or text")),
            },
        })
    }
}

/// Makes a call from the body of an HTTP request. options is a JSON object. It has operation (sendMailer or httpSendMail).
/// The other members may be left out: method is the HTTP method (default POST). policy is the JSON form of a policy
/// (default: the default policy). record is true if you want franking_call_transcript (default false). ids is numbers (the
/// default), or text for languages whose numbers are exact only up to 2^53: then the ids in questions and plans are texts,
/// and those in answers may be texts. The body is copied. Owned: free the call with franking_call_free.
///
/// Fails with
/// - FRANKING_STATUS_INVALID when options is not an object of this form;
/// - FRANKING_STATUS_ARGUMENT when it names an unknown operation;
/// - FRANKING_STATUS_POLICY when the policy is invalid;
/// - FRANKING_STATUS_MEMORY when there is not enough memory to copy the body, or to read it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_new_json(
    options: *const c_char,
    options_len: usize,
    body: *const c_char,
    body_len: usize,
    call: *mut *mut FrankingCall,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let options = Options::read(unsafe { text(options, options_len).read("options") }?)?;
        let bytes = FrankingBytes {
            data: body.cast(),
            len: body_len,
        };
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { body::copy(bytes) }?;
        check_out(call, "call")?;
        let (policy, operation, method) = (&options.policy, options.operation, &*options.method);
        ask_for_body(policy, operation, body.as_ref())?;
        let machine = || Machine::new(policy, operation, method, body, options.is_recorded);
        let made = FrankingCall::new(machine, options.are_ids_texts);
        // SAFETY: checked above.
        unsafe { put_out(call, made) }
    })
}

/// Writes the HTTP answer for a call, as JSON: {"status": number, "headers": {name: value}, "body": text}. See
/// franking_call_http, which takes the same status and fails in the same case. The string is owned: free it with
/// franking_string_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_http_json(
    call: *mut FrankingCall,
    status: i32,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(json, "json")?;
        let form = forms::http_form(&answer_of_call(call, status)?);
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(form.to_string())?) }
    })
}

fn step(step: &Step<'_>, are_ids_texts: bool) -> Outcome<String> {
    let text = step.to_json();
    if !are_ids_texts {
        return Ok(text);
    }
    // The library wrote this text.
    let mut form: Value = serde_json::from_str(&text).map_err(|_| Fail::panic())?;
    ids::to_texts(&mut form);
    Ok(form.to_string())
}

/// Writes what the call waits for, as JSON: {"ask": {"account": key}}, {"ask": {"facts": questions}}, {"ask": {"commit":
/// plan}} or {"decision": decision}. Beside its rule, a decision has the meaning and the remedy, and so has each refused
/// request or recipient. The call does not change. The string is owned: free it with franking_string_free.
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
        let text = call
            .state
            .read(|state| step(&state.call().step(), call.are_ids_texts))?;
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

/// Returns whether the text is {"begin": true}, which hands out the plan.
fn is_begin(json: &str) -> bool {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Begin {
        begin: bool,
    }
    // Of an answer, this reads only the first name, so a long answer is not parsed twice.
    serde_json::from_str::<Begin>(json).is_ok_and(|form| form.begin)
}

/// Answers what the call waits for, in JSON: {"account": account or null}, {"facts": facts}, {"commit": {"transaction_id":
/// number}}, {"commit": {"conflict": name}} or {"commit": {"unknown": true}}. While the call waits for a commit, NULL, a
/// text that is not UTF-8 and any text that is not an answer count as the last of these, because the host may have carried
/// out the plan. For the first two the function fails all the same, with FRANKING_STATUS_NULL or FRANKING_STATUS_UTF8. An
/// object with a member account or facts is an answer to another question, and changes nothing. {"begin": true} is not an
/// answer: it hands out the plan, as franking_call_begin_commit does.
///
/// Fails with FRANKING_STATUS_INVALID when the text is not such a form and does not count as an answer to a commit, and with
/// FRANKING_STATUS_MISUSE in the cases of the typed answers. In both cases nothing changes.
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
        if is_begin(json) {
            return call.state.write(|state| {
                call.check_undriven()?;
                call.begin_commit(state)
            });
        }
        if call.are_ids_texts
            && let Ok(mut answer) = serde_json::from_str(json)
        {
            ids::to_numbers(&mut answer);
            let json = answer.to_string();
            return call.answer_commit(|machine| machine.json(&json).map_err(json_fail));
        }
        call.answer_commit(|machine| machine.json(json).map_err(json_fail))
    })
}
