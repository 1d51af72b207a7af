//! The description of the interface, which anybody may read.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Request;
use axum::http::header::{ALLOW, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

use super::leave;
use super::problem::Problem;

const DOCUMENT: &str = include_str!("../../../../docs/openapi.json");

/// The document's hash, in quotes.
static TAG: LazyLock<String> =
    LazyLock::new(|| format!("\"{}\"", URL_SAFE_NO_PAD.encode(Sha256::digest(DOCUMENT))));

pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/openapi.json", any(document))
}

async fn document(request: Request) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_known = is_known(request.headers());
    leave(request);
    if !is_read {
        let allowed = (ALLOW, HeaderValue::from_static("GET, HEAD"));
        let problem = Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "The description is read by GET.",
        );
        return ([allowed], problem).into_response();
    }
    let tag = [(ETAG, TAG.as_str())];
    if is_known {
        return (StatusCode::NOT_MODIFIED, tag).into_response();
    }
    // The answer to HEAD states the same length: the server leaves out the body.
    let json = [(CONTENT_TYPE, "application/json")];
    (tag, json, DOCUMENT).into_response()
}

/// Whether the client has the current document (RFC 9110, section 13.1.2).
fn is_known(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(IF_NONE_MATCH).iter();
    lines.any(|line| {
        let tags = line.to_str().unwrap_or_default().split(',');
        tags.map(str::trim)
            .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == *TAG)
    })
}
