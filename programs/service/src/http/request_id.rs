//! The id of a request. It is the client's own if that is a valid one, and otherwise a new one. It is in the log line, in
//! what is kept of the call, and in the answer.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use axum::extract::Request;
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The longest id that is taken from a client.
const LONGEST: usize = 128;
/// The digits of a trace's id (W3C Trace Context, 3.2.2.3).
const TRACE: usize = 32;

/// The id of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RequestId(String);

impl RequestId {
    /// `X-Request-Id`, or the trace's id of `traceparent`, or a new one.
    ///
    /// A client's id may have letters, digits, `-`, `_`, `.`, `:`, `/`, `+` and `=`. So it cannot be an email address.
    fn of(headers: &HeaderMap) -> Self {
        let one = |name| {
            let mut values = headers.get_all(name).iter();
            match (values.next(), values.next()) {
                (Some(value), None) => value.to_str().ok(),
                _ => None,
            }
        };
        let given = one(X_REQUEST_ID).filter(|id| is_id(id));
        let trace = || one(TRACEPARENT).and_then(trace_id);
        given
            .or_else(trace)
            .map_or_else(Self::new, |id| Self(id.to_owned()))
    }

    fn new() -> Self {
        static PROCESS: LazyLock<u64> =
            LazyLock::new(|| RandomState::new().build_hasher().finish());
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Relaxed);
        Self(format!("{:016x}{number:08x}", *PROCESS))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_id(id: &str) -> bool {
    let is_of_one = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(&byte);
    (1..=LONGEST).contains(&id.len()) && id.bytes().all(is_of_one)
}

fn trace_id(traceparent: &str) -> Option<&str> {
    let (_version, rest) = traceparent.split_once('-')?;
    let (trace, _) = rest.split_once('-')?;
    let is_trace = trace.len() == TRACE
        && trace.bytes().all(|byte| byte.is_ascii_hexdigit())
        && trace.bytes().any(|byte| byte != b'0');
    is_trace.then_some(trace)
}

/// Gives each request an id, and its answer the same id.
pub(super) async fn identify(mut request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers());
    let Ok(value) = HeaderValue::from_str(id.as_str()) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    request.extensions_mut().insert(id);
    let mut response = next.run(request).await;
    response.headers_mut().insert(X_REQUEST_ID, value);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[(HeaderName, &str)]) -> String {
        let all = headers.iter().filter_map(|(name, value)| {
            let value = HeaderValue::from_str(value).ok()?;
            Some((name.clone(), value))
        });
        RequestId::of(&all.collect()).0
    }

    #[test]
    fn the_id_is_the_clients_where_it_can_be_one() {
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        assert_eq!(of(&[(X_REQUEST_ID, "a-1:B")]), "a-1:B");
        assert_eq!(
            of(&[(TRACEPARENT, trace)]),
            "4bf92f3577b34da6a3ce929d0e0e4736"
        );
        assert_eq!(of(&[(TRACEPARENT, trace), (X_REQUEST_ID, "mine")]), "mine");
    }

    #[test]
    fn what_can_be_no_id_is_replaced_by_a_new_one() {
        let long = "x".repeat(LONGEST + 1);
        for bad in ["", "reader@example.com", "a b", &long] {
            let id = of(&[(X_REQUEST_ID, bad)]);
            assert!(
                id.len() == 24 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{id}"
            );
        }
        for bad in ["00-0-1-01", "00-00000000000000000000000000000000-1-01", "x"] {
            assert_eq!(of(&[(TRACEPARENT, bad)]).len(), 24);
        }
        assert_ne!(of(&[]), of(&[]));
    }
}
