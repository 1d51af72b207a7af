//! The answers to calls. The library gives the status, the headers and the body. If there is no code, the service says why.

use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use franking::http::{self, Answer};
use franking::{Operation, Policy};

use super::RETRY_SECONDS;
use super::problem::{self, Problem};
use crate::decide::Outcome;

const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The answer to a call. `has_key` is whether the call had an `Idempotency-Key`.
pub(super) fn respond(
    policy: &Policy,
    operation: Operation,
    outcome: Outcome,
    has_key: bool,
) -> Response {
    let own = |status, detail| of_operation(operation, Problem::new(status, detail));
    match outcome {
        Outcome::Decided(decided) => answered(decided.answer),
        Outcome::Replayed(kept) => {
            let accepted = http::Outcome::Accepted {
                transaction_id: kept.call.number(),
            };
            let mut answer = http::answer(policy, operation, accepted);
            answer.body = kept.answer;
            let mut response = answered(answer);
            let yes = HeaderValue::from_static("true");
            response.headers_mut().insert(IDEMPOTENT_REPLAYED, yes);
            response
        }
        Outcome::OtherCall => own(
            StatusCode::UNPROCESSABLE_ENTITY,
            "This Idempotency-Key was used for another call.",
        ),
        Outcome::KeyHeld => own(
            StatusCode::CONFLICT,
            "A call with this Idempotency-Key is being decided.",
        ),
        Outcome::KeyMalformed => own(
            StatusCode::BAD_REQUEST,
            "An Idempotency-Key is one header of 1 to 255 visible ASCII characters.",
        ),
        Outcome::TooManyCalls(wait) => {
            let mut response = own(
                StatusCode::TOO_MANY_REQUESTS,
                "The account sends too much at once. Nothing was done.",
            );
            let seconds = wait.as_secs().saturating_add(1);
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
            response
        }
        Outcome::TooManyRecipients => own(
            StatusCode::PAYLOAD_TOO_LARGE,
            "The call has too many recipients: send several calls.",
        ),
        Outcome::Undone(trouble) if trouble.is_fault() => {
            undecided(policy, operation, http::Outcome::Fault)
        }
        Outcome::Undone(_) => undecided(policy, operation, http::Outcome::Undone),
        Outcome::Unknown(_) => {
            let mut response = undecided(policy, operation, http::Outcome::Unknown);
            // Only with a key can the client repeat the call without making a second call.
            if has_key {
                let seconds = RETRY_SECONDS.into();
                response.headers_mut().insert(RETRY_AFTER, seconds);
            }
            response
        }
    }
}

/// The answer to a call that has no decision.
pub(super) fn undecided(policy: &Policy, operation: Operation, outcome: http::Outcome) -> Response {
    let detail = match outcome {
        http::Outcome::TooLarge => "The body is too long.",
        http::Outcome::Undone => "The call could not be decided. Nothing was done.",
        http::Outcome::Unknown => "It is unknown whether the call was carried out.",
        _ => "The service has a fault.",
    };
    let answer = http::answer(policy, operation, outcome);
    let Ok(status) = StatusCode::from_u16(answer.status) else {
        return Problem::fault().into_response();
    };
    if status == StatusCode::OK {
        return answered(answer);
    }
    let mut response = (status, problem::text(status, detail)).into_response();
    set(response.headers_mut(), answer.headers);
    let kind = HeaderValue::from_static(problem::KIND);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

/// Makes a response from an answer of the library.
pub(super) fn answered(answer: Answer) -> Response {
    let status = StatusCode::from_u16(answer.status);
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, answer.body).into_response();
    set(response.headers_mut(), answer.headers);
    response
}

/// A problem of the service's own, with the headers that every answer of the operation has.
pub(super) fn of_operation(operation: Operation, problem: Problem) -> Response {
    let mut response = problem.into_response();
    if let Some(deprecation) = operation.deprecation() {
        let headers = [
            ("sunset", deprecation.sunset),
            ("deprecation", deprecation.deprecation),
        ];
        set(response.headers_mut(), &headers);
    }
    response
}

fn set(headers: &mut HeaderMap, all: &[(&'static str, &'static str)]) {
    for (name, value) in all {
        // The library's names are valid, whatever the case of their letters.
        if let Ok(name) = HeaderName::from_bytes(name.as_bytes()) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}
