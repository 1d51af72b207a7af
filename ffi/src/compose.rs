//! Composing for clients: requests are filled in by field names and written as calls that the service takes.

use franking_core::{ComposeError, HttpSendMailRequest, Operation, SendMailerRequest};
use serde_json::{Map, Value};

use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{Guarded, check_out, get, put_out, run, run_alone};
use crate::numbers::operation;
use crate::policy::FrankingPolicy;
use crate::status::{Fail, Outcome};
use crate::strings::FrankingStrings;
use crate::text::{FrankingText, slice};

/// A request to be composed: a call of sendMailer, or one request of httpSendMail. Owned: free it with
/// franking_request_free. To be filled by one thread at a time.
pub struct FrankingRequest(Guarded<Request>);

struct Request {
    operation: Operation,
    fields: Map<String, Value>,
}

impl Request {
    /// Sets a field, if the core knows it and it takes a value of this type.
    fn set(&mut self, name: &str, value: Value) -> Outcome {
        let one = Value::Object(Map::from_iter([(name.to_owned(), value.clone())]));
        let one = one.to_string();
        match self.operation {
            Operation::SendMailer => SendMailerRequest::from_json(&one).map(drop),
            Operation::HttpSendMail => HttpSendMailRequest::from_json(&one).map(drop),
        }
        .map_err(compose_fail)?;
        self.fields.insert(name.to_owned(), value);
        Ok(())
    }
}

pub(crate) fn compose_fail(error: ComposeError) -> Fail {
    let request = error
        .request()
        .and_then(|request| i64::try_from(request).ok());
    let mut fail = Fail::invalid(&error);
    if let Some(request) = request {
        fail = fail.with_value(request);
    }
    match error.field() {
        Some(field) => fail.with_key(field),
        None => fail,
    }
}

/// Makes a request without fields: for FRANKING_OPERATION_SEND_MAILER a whole call, for
/// FRANKING_OPERATION_HTTP_SEND_MAIL one of its requests.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_request_new(
    operation_number: i32,
    request: *mut *mut FrankingRequest,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let operation = operation(operation_number)?;
        check_out(request, "request")?;
        let new = FrankingRequest(Guarded::new(Request {
            operation,
            fields: Map::new(),
        }));
        // SAFETY: checked above.
        unsafe { put_out(request, boxed(new)) }
    })
}

/// Sets a field by its name in the interface, such as firstName. Pass HTML unencoded: it is encoded when the call is
/// composed. Setting a field again replaces its value. The value is not checked any further; franking_preflight_new checks a
/// whole call.
///
/// Fails with FRANKING_STATUS_INVALID when the interface has no such field, or the field does not take a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_request_set_text(
    request: *mut FrankingRequest,
    name: FrankingText,
    text: FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a request that was not freed.
        let request = unsafe { get(request, "request") }?;
        // SAFETY: the caller passes a text that can be read.
        let name = unsafe { name.read("name") }?;
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        let value = Value::from(text);
        request.0.write(|request| request.set(name, value))
    })
}

/// Sets a field that takes a whole number, such as mailerID, or a flag, such as trackOpens (0 or 1).
///
/// Fails with FRANKING_STATUS_INVALID when the interface has no such field, or the field does not take such a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_request_set_number(
    request: *mut FrankingRequest,
    name: FrankingText,
    number: u64,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a request that was not freed.
        let request = unsafe { get(request, "request") }?;
        // SAFETY: the caller passes a text that can be read.
        let name = unsafe { name.read("name") }?;
        let value = Value::from(number);
        request.0.write(|request| request.set(name, value))
    })
}

/// Composes the bodies of calls from requests. Each request of sendMailer becomes one call. Requests of httpSendMail are
/// packed, in order, into the fewest calls that the policy's max_requests and max_bytes allow. Each call of httpSendMail
/// gets api_key, which sendMailer does not use. The bodies are owned: free them with franking_strings_free.
///
/// Fails with FRANKING_STATUS_ARGUMENT when the requests are of several operations, and with FRANKING_STATUS_INVALID when a
/// request does not fit in any call; franking_error_value is its position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_compose(
    policy: *const FrankingPolicy,
    api_key: FrankingText,
    requests: *const *const FrankingRequest,
    count: usize,
    calls: *mut *mut FrankingStrings,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.get();
        // SAFETY: the caller passes a text that can be read.
        let api_key = unsafe { api_key.read("api_key") }?;
        // SAFETY: the caller passes as many requests as it says.
        let requests = unsafe { slice(requests, count, "requests") }?;
        check_out(calls, "calls")?;
        let mut singles = Vec::new();
        let mut forms = Vec::new();
        for request in requests {
            // SAFETY: the caller passes requests that were not freed.
            let request = unsafe { get(*request, "a request") }?;
            request.0.lend(|request| {
                let fields = Value::Object(request.fields.clone()).to_string();
                match request.operation {
                    Operation::SendMailer => {
                        let request = SendMailerRequest::from_json(&fields);
                        singles.push(request.map_err(compose_fail)?.compose());
                    }
                    Operation::HttpSendMail => {
                        let request = HttpSendMailRequest::from_json(&fields);
                        forms.push(request.map_err(compose_fail)?.into_owned());
                    }
                }
                Ok(())
            })?;
        }
        if forms.is_empty() {
            // SAFETY: checked above.
            return unsafe { put_out(calls, FrankingStrings::new(singles)) };
        }
        if !singles.is_empty() {
            return Err(Fail::argument(
                "the requests are of both operations: compose those of each by themselves",
            ));
        }
        let composed = franking_core::compose(policy, api_key, &forms)
            .map(|call| call.map(franking_core::ComposedCall::into_body))
            .collect::<Result<Vec<String>, _>>()
            .map_err(compose_fail)?;
        // SAFETY: checked above.
        unsafe { put_out(calls, FrankingStrings::new(composed)) }
    })
}

/// Frees a request. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_request_free(request: *mut FrankingRequest) {
    // SAFETY: the caller passes NULL or a request that was not freed.
    unsafe { free(request) };
}
