//! The links by which readers unsubscribe. A GET shows a page that asks, and changes nothing, because scanners of mail
//! follow links. A POST unsubscribes. It comes from the page's button, or from the one click of a mail program (RFC 8058).

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::body;
use super::problem::Problem;
use crate::outcomes::{UNSUBSCRIBE, UnsubscribeLinks};
use crate::store::{Store, StoreError, Unsubscription};

#[derive(Clone)]
struct Unsubscribe {
    store: Arc<dyn Store>,
    links: Arc<UnsubscribeLinks>,
}

/// The route, if there are links to it.
pub(super) fn router(store: &Arc<dyn Store>, links: Option<Arc<UnsubscribeLinks>>) -> Router {
    let Some(links) = links else {
        return Router::new();
    };
    let store = Arc::clone(store);
    Router::new()
        .route(&[UNSUBSCRIBE, "{token}"].concat(), get(ask).post(take))
        .with_state(Unsubscribe { store, links })
}

async fn ask(State(state): State<Unsubscribe>, Path(token): Path<String>) -> Response {
    let Some(delivery) = state.delivery(&token) else {
        return unknown();
    };
    match state.store.has_unsubscribe(delivery).await {
        Ok(true) => page(
            StatusCode::OK,
            "<h1>Unsubscribe?</h1><p>You will get no more of these emails.</p>\
             <form method=\"post\"><input type=\"hidden\" name=\"List-Unsubscribe\" value=\"One-Click\">\
             <button>Unsubscribe</button></form>",
        ),
        Ok(false) => unknown(),
        Err(error) => failed(&error),
    }
}

async fn take(
    State(state): State<Unsubscribe>,
    Path(token): Path<String>,
    request: Request,
) -> Response {
    // The link says all that is needed, so the body is ignored.
    let (head, body) = request.into_parts();
    body::drain(body, &head.headers);
    let Some(delivery) = state.delivery(&token) else {
        return unknown();
    };
    match state.store.unsubscribe(delivery).await {
        Ok(Unsubscription::New | Unsubscription::Repeated) => page(
            StatusCode::OK,
            "<h1>You are unsubscribed</h1><p>You will get no more of these emails.</p>",
        ),
        Ok(Unsubscription::Unknown) => unknown(),
        Err(error) => failed(&error),
    }
}

impl Unsubscribe {
    fn delivery(&self, token: &str) -> Option<i64> {
        self.links.read(token)?.try_into().ok()
    }
}

fn unknown() -> Response {
    page(
        StatusCode::NOT_FOUND,
        "<h1>Nothing was changed</h1><p>The link is not complete, or its email is no longer known.</p>",
    )
}

fn failed(error: &StoreError) -> Response {
    tracing::error!(%error, "a reader could not be unsubscribed");
    Problem::unavailable("The database does not answer. Try again a little later.").into_response()
}

/// A page that loads nothing, cannot be framed, and is not cached.
fn page(status: StatusCode, text: &'static str) -> Response {
    let headers: [(HeaderName, HeaderValue); 4] = [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        ),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(
                "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
            ),
        ),
    ];
    let page = [
        "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><meta name=\"robots\" content=\"noindex\">\
         <title>Unsubscribe</title>",
        text,
        "</html>\n",
    ];
    (status, headers, page.concat()).into_response()
}
