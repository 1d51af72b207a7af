//! The host's HTTP answers.

use franking_core::http::{Answer, Outcome as Became, answer};
use franking_core::{Failure, Policy};

use crate::call::{FrankingCall, State};
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run_alone};
use crate::numbers::{became, operation, value};
use crate::policy::FrankingPolicy;
use crate::records::FrankingDecision;
use crate::size::{Grows, check_sized, read_sized, write_sized};
use crate::status::{
    FRANKING_STATUS_HOST, FRANKING_STATUS_MEMORY, FRANKING_STATUS_OK, FRANKING_STATUS_UNKNOWN,
    Fail, Outcome,
};
use crate::text::{FrankingString, FrankingText, first};

/// An HTTP header. Both texts live forever.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingHeader {
    /// The name, such as Retry-After.
    pub name: FrankingText,
    /// The value.
    pub value: FrankingText,
}

// SAFETY: the texts are constants.
unsafe impl Send for FrankingHeader {}
// SAFETY: as above.
unsafe impl Sync for FrankingHeader {}

/// The answer to an HTTP request that called an operation. Start from FRANKING_HTTP_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingHttp {
    /// sizeof(franking_http).
    pub size: usize,
    /// The HTTP status: 200 whenever the call has a code, else 413, 500 or 503.
    pub status: i32,
    /// 0.
    pub reserved: i32,
    /// The headers to set. They live forever.
    pub headers: *const FrankingHeader,
    /// The number of headers.
    pub header_count: usize,
    /// The body: that of the response when the status is 200, else empty. The function that writes this structure says how
    /// long the body lives.
    pub body: FrankingText,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingHttp {
    const FIRST: usize = 48;
}

/// The headers of an answer in their C form. They are constants of the core, and few, so a table made once holds all of
/// them.
fn headers(own: &'static [(&'static str, &'static str)]) -> &'static [FrankingHeader] {
    use std::collections::BTreeMap;
    use std::sync::OnceLock;

    use franking_core::Operation;

    type Rows = BTreeMap<&'static [(&'static str, &'static str)], Box<[FrankingHeader]>>;
    static ROWS: OnceLock<Rows> = OnceLock::new();
    let rows = ROWS.get_or_init(|| {
        let became = [
            Became::Accepted { transaction_id: 1 },
            Became::TooLarge,
            Became::Undone,
            Became::Fault,
            Became::Unknown,
        ];
        let mut rows = Rows::new();
        for operation in Operation::ALL.iter().copied() {
            for became in became {
                let own = answer(&Policy::default(), operation, became).headers;
                let row = |(name, value): &(&'static str, &'static str)| FrankingHeader {
                    name: FrankingText::new(name),
                    value: FrankingText::new(value),
                };
                rows.insert(own, own.iter().map(row).collect());
            }
        }
        rows
    });
    rows.get(own).map(|rows| &**rows).unwrap_or_default()
}

impl FrankingHttp {
    fn new(answer: &Answer, body: FrankingText) -> Self {
        let headers = headers(answer.headers);
        Self {
            status: i32::from(answer.status),
            headers: first(headers),
            header_count: headers.len(),
            body,
            ..Self::EMPTY
        }
    }
}

/// The outcome of an undecided call, by the status with which a function failed.
fn became_of(status: i32) -> Became {
    match status {
        FRANKING_STATUS_HOST | FRANKING_STATUS_MEMORY => Became::Undone,
        FRANKING_STATUS_UNKNOWN => Became::Unknown,
        _ => Became::Fault,
    }
}

/// The HTTP answer for a call. `status` is what the last function that used it returned.
///
/// # Errors
/// The call is decided, and another thread is using it.
pub(crate) fn answer_of_call(call: &FrankingCall, status: i32) -> Outcome<Answer> {
    let decided = call.state.read(|state| {
        let decision = state.call().decision();
        Ok(decision.map(|decision| decision.http()))
    });
    match decided {
        Ok(Some(answer)) => return Ok(answer),
        Err(fail) if fail.is_busy() && call.is_decided() => return Err(fail),
        Ok(None) | Err(_) => {}
    }
    let became = if call.is_handed_out() {
        Became::Unknown
    } else {
        became_of(status)
    };
    Ok(answer(&Policy::default(), call.operation(), became))
}

/// Writes the HTTP answer for a call, whether it is decided or not. status is what the last function that used the call
/// returned: franking_call_decide, or a step by hand. http->size has to be set. The body lives until the call is freed.
///
/// A decided call is answered by its decision. For an undecided call whose plan was not handed out, the answer is 503 with
/// Retry-After if status is FRANKING_STATUS_HOST or FRANKING_STATUS_MEMORY, else 500. Once a plan was handed out, and no
/// conflict says that it was not carried out, the answer is 503 without Retry-After. An answer to the commit shows that the
/// plan was handed out, even if the call did not take that answer (FRANKING_STATUS_BUSY). These rules also hold when the
/// call is in use or a fault has poisoned it.
///
/// Fails with FRANKING_STATUS_BUSY if the call is decided and another thread is using it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_http(
    call: *mut FrankingCall,
    status: i32,
    http: *mut FrankingHttp,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(http, "http") }?;
        let answer = answer_of_call(call, status)?;
        // The call keeps the body of a decision. Any other answer has no body.
        let body = match answer.body.is_empty() {
            true => FrankingText::new(""),
            false => call.state.write(State::response)?,
        };
        let value = FrankingHttp::new(&answer, body);
        // SAFETY: checked above.
        unsafe { write_sized(http, "http", value) }
    })
}

/// Writes the HTTP answer for a call that franking_send_mailer_decide has decided, or for which it failed. operation is one
/// of FRANKING_OPERATION. status is what that function returned, and decision is what it wrote, or NULL if it failed.
/// http->size has to be set. The body is the response of the decision, and lives as long as that response.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_decision_http(
    operation_number: i32,
    status: i32,
    decision: *const FrankingDecision,
    http: *mut FrankingHttp,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let operation = operation(operation_number)?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(http, "http") }?;
        let (became, body) = if status == FRANKING_STATUS_OK {
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            let decision = unsafe { read_sized(decision, "decision") }?;
            of_decision(&decision)?
        } else {
            (became_of(status), FrankingText::new(""))
        };
        let answer = answer(&Policy::default(), operation, became);
        // SAFETY: checked above.
        unsafe { write_sized(http, "http", FrankingHttp::new(&answer, body)) }
    })
}

/// The outcome and the body of a decision. If it has a code, the outcome serves only for the status and the headers, which
/// do not depend on the code.
fn of_decision(decision: &FrankingDecision) -> Outcome<(Became, FrankingText)> {
    if decision.code != 0 {
        return Ok((Became::Accepted { transaction_id: 1 }, decision.response));
    }
    let failure = value(decision.failure, Failure::from_number).ok_or_else(|| {
        Fail::argument("the decision has neither a code nor one of FRANKING_FAILURE")
    })?;
    let became = match failure {
        Failure::Host => Became::Undone,
        Failure::Internal => Became::Fault,
        _ => Became::Unknown,
    };
    Ok((became, FrankingText::new("")))
}

/// Writes the HTTP answer when no call was decided. outcome is one of FRANKING_HTTP. transaction_id belongs to
/// FRANKING_HTTP_ACCEPTED, and is 0 with any other outcome. http->size has to be set. *body holds the body of the answer, to
/// which *http points. It is owned: free it with franking_string_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_http_answer(
    policy: *const FrankingPolicy,
    operation_number: i32,
    outcome: i32,
    transaction_id: u64,
    http: *mut FrankingHttp,
    body: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.get();
        let operation = operation(operation_number)?;
        let outcome = became(outcome, transaction_id)?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(http, "http") }?;
        check_out(body, "body")?;
        let answer = answer(policy, operation, outcome);
        let made = FrankingString::new(answer.body.as_str())?;
        // SAFETY: it was just made.
        let text = FrankingText::new(unsafe { &*made }.text());
        // SAFETY: checked above.
        unsafe { write_sized(http, "http", FrankingHttp::new(&answer, text)) }?;
        // SAFETY: checked above.
        unsafe { put_out(body, made) }
    })
}

impl State {
    /// The response of a decided call. It lives until the call is freed.
    fn response(&mut self) -> Outcome<FrankingText> {
        let (texts, _) = self.decided()?;
        Ok(texts
            .response
            .as_deref()
            .map_or(FrankingText::new(""), FrankingText::new))
    }
}
