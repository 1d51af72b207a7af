//! Who has sent a request, and whether it comes from a page of the desk.

use axum::extract::{FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::header::{HOST, HeaderMap, HeaderValue, ORIGIN};
use axum::http::request::Parts;
use axum::response::Response;

use super::Desk;
use crate::http::Peer;
use crate::store::OperatorRow;

/// The problem of a form that does not come from a page of the desk.
pub(super) const NOT_OWN: &str = "The form does not come from a page of the desk, or the browser does not say so in Sec-Fetch-Site or \
     Origin. Open /desk again and send the form from there. A proxy in front of the desk has to leave Host and Origin as they are.";

/// Whether a request that changes something comes from a page of the desk. Browsers say so in `Sec-Fetch-Site`, older ones
/// in `Origin`.
pub(super) fn is_own(headers: &HeaderMap) -> bool {
    let text = |value: Option<&HeaderValue>| {
        value
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    match text(headers.get("sec-fetch-site")) {
        Some(site) => site == "same-origin",
        None => {
            let origin = text(headers.get(ORIGIN));
            let host = text(headers.get(HOST));
            let of_origin = origin
                .as_deref()
                .and_then(|origin| origin.split_once("://"));
            of_origin.map(|(_, host)| host) == host.as_deref() && host.is_some()
        }
    }
}

/// The operator who has sent a request. Anybody else gets a page that says what to do.
pub(super) struct SignedIn(pub(super) OperatorRow);

impl FromRequestParts<Desk> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(request: &mut Parts, desk: &Desk) -> Result<Self, Response> {
        let found = match &desk.0.settings.operator_header {
            Some(field) => match named(request, field.as_str()) {
                Some(name) => desk.0.store.operator(name).await,
                None => Ok(None),
            },
            None => desk.0.sessions.of(&request.headers).await,
        };
        match (found, desk.has_passwords()) {
            (Ok(Some(operator)), _) => Ok(Self(operator)),
            (Ok(None), true) => Err(desk.0.template.login_page(StatusCode::UNAUTHORIZED, None)),
            (Ok(None), false) => Err(desk.0.template.unknown_operator()),
            (Err(error), _) => Err(desk.0.template.failed(&error)),
        }
    }
}

/// Whether a trusted proxy says that the browser has sent a request over TLS.
pub(super) fn is_over_tls(request: &Request) -> bool {
    let peer = request.extensions().get::<Peer>();
    let scheme = peer.and_then(|peer| peer.forwarded(request.headers(), "x-forwarded-proto"));
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
}

impl Desk {
    /// Whether operators log in with a password. Otherwise a proxy says who they are.
    pub(super) fn has_passwords(&self) -> bool {
        self.0.settings.operator_header.is_none()
    }
}

/// The operator whom a trusted proxy names. A field that occurs twice names nobody, because the proxy may have added its own
/// field to one that the client sent.
fn named(request: &Parts, field: &str) -> Option<String> {
    let peer = request.extensions.get::<Peer>()?;
    if !peer.is_proxy() {
        return None;
    }
    let mut values = request.headers.get_all(field).iter();
    let (only, second) = (values.next()?, values.next());
    match second {
        None => only.to_str().ok().map(str::to_owned),
        Some(_) => None,
    }
}
