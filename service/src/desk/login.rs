//! Logging in and out.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderMap, HeaderValue, ORIGIN, SET_COOKIE};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};

use super::html::protect;
use super::pages::Query;
use super::session::{COOKIE_NAME, LoginError};
use super::{Desk, see_other};

/// The longest form that is read.
const LONGEST_FORM: usize = 4 << 10;

/// Whether a request that changes something comes from a page of the desk: browsers say where it comes from.
fn is_own(headers: &HeaderMap) -> bool {
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

/// Has the browser keep a token, for the desk alone.
fn set_cookie(response: &mut Response, token: &str, more: &str) {
    let cookie = format!("{COOKIE_NAME}={token}; Path=/desk; HttpOnly; SameSite=Strict{more}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
}

pub(super) async fn login(State(desk): State<Desk>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !is_own(&parts.headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(body) = to_bytes(body, LONGEST_FORM).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let form = Query::of(&String::from_utf8_lossy(&body));
    let (name, password) = (form.get("name"), form.get("password"));
    let begun = match (name, password) {
        (Some(name), Some(password)) => desk.0.sessions.begin(name, password.to_owned()).await,
        _ => Err(LoginError::Wrong),
    };
    match begun {
        Ok(token) => {
            let mut response = see_other("/desk");
            set_cookie(&mut response, &token, "");
            protect(response.headers_mut());
            response
        }
        Err(error) => {
            let status = match error {
                LoginError::Wrong => StatusCode::UNAUTHORIZED,
                LoginError::TooMany => StatusCode::TOO_MANY_REQUESTS,
                LoginError::Store(_) | LoginError::Failed => StatusCode::SERVICE_UNAVAILABLE,
            };
            desk.0.template.login_page(status, Some(error.to_string()))
        }
    }
}

pub(super) async fn logout(
    State(desk): State<Desk>,
    method: Method,
    headers: HeaderMap,
) -> Response {
    if method != Method::POST || !is_own(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    if let Err(error) = desk.0.sessions.end(&headers).await {
        return desk.0.template.failed(&error);
    }
    let mut response = see_other("/desk");
    set_cookie(&mut response, "", "; Max-Age=0");
    response
}
