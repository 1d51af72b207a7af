//! Problems (RFC 9457): the answers to requests that get no answer of the interface.

use axum::http::StatusCode;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::RETRY_SECONDS;

pub(super) const KIND: &str = "application/problem+json";

/// The reason why a request has no answer of the interface.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    detail: &'static str,
    is_worth_a_retry: bool,
}

impl Problem {
    pub(super) const fn new(status: StatusCode, detail: &'static str) -> Self {
        Self {
            status,
            detail,
            is_worth_a_retry: false,
        }
    }

    /// Nothing was done, and the same request may succeed a little later.
    pub(super) const fn unavailable(detail: &'static str) -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            detail,
            is_worth_a_retry: true,
        }
    }

    /// The service has a fault.
    pub(super) const fn fault() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The service has a fault.",
        )
    }
}

impl Problem {
    /// The bytes of the whole answer, for a connection that is not served otherwise and ends with it.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let text = self.text();
        let mut head = format!(
            "HTTP/1.1 {}\r\n{CONTENT_TYPE}: {KIND}\r\n{CONTENT_LENGTH}: {}\r\n{CONNECTION}: close\r\n",
            self.status,
            text.len()
        );
        if self.is_worth_a_retry {
            head += &format!("{RETRY_AFTER}: {RETRY_SECONDS}\r\n");
        }
        [head, text].join("\r\n").into_bytes()
    }

    fn text(&self) -> String {
        text(self.status, self.detail)
    }
}

/// The body of a problem.
pub(super) fn text(status: StatusCode, detail: &str) -> String {
    json!({
        "title": status.canonical_reason(),
        "status": status.as_u16(),
        "detail": detail,
    })
    .to_string()
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.text()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(KIND));
        if self.is_worth_a_retry {
            headers.insert(RETRY_AFTER, RETRY_SECONDS.into());
        }
        response
    }
}
