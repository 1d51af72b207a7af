//! What is answered when there is no answer of the interface (RFC 9457).

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::RETRY_SECONDS;

/// Why a request was not answered as the interface answers.
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

    /// Nothing was done, and the same may succeed a little later.
    pub(super) const fn unavailable(detail: &'static str) -> Self {
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            detail,
            is_worth_a_retry: true,
        }
    }

    /// A fault of the service's.
    pub(super) const fn fault() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The service has a fault.",
        )
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let text = json!({
            "title": self.status.canonical_reason(),
            "status": self.status.as_u16(),
            "detail": self.detail,
        });
        let mut response = (self.status, text.to_string()).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(CONTENT_TYPE, kind);
        if self.is_worth_a_retry {
            headers.insert(RETRY_AFTER, RETRY_SECONDS.into());
        }
        response
    }
}
