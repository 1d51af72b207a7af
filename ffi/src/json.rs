//! The door for languages that have only a plain FFI: one JSON text in, one JSON text out, no structure in any signature.

use core::ffi::c_char;

use franking_core::{Call, Operation, Policy, Preflight};

use crate::call::{Body, FrankingCall, Machine, json_fail};
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
/// {"violations": [...], "warnings": [...]} out. The string is owned: free it with franking_string_free.
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
        let checked = Preflight::new(&policy, operation, body).to_json();
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(checked)) }
    })
}

/// What the call waits for, as JSON: {"ask": {"account": key}}, {"ask": {"facts": questions}}, {"ask": {"commit": plan}} or
/// {"decision": decision}. Changes nothing. The string is owned: free it with franking_string_free.
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
        let text = call.state.read(|state| Ok(state.call().step().to_json()))?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)) }
    })
}

/// Answers what the call waits for, in JSON: {"account": account or null}, {"facts": facts}, {"commit":
/// {"transaction_id": number}}, {"commit": {"conflict": name}} or {"commit": {"unknown": true}}. While a commit is awaited, a
/// text that is no answer of any kind is taken for the last of these: the host may have carried the plan out.
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
        let json = unsafe { text(json, json_len).read("json") }?;
        call.answer(|machine| machine.json(json).map_err(json_fail))
    })
}
