//! Logging in and out.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderValue, SET_COOKIE};
use axum::response::Response;

use super::access::{NOT_OWN, is_over_tls, is_own};
use super::html::protect;
use super::session::{COOKIE_NAME, LoginError};
use super::{Desk, form, see_other};

/// Sets the cookie that holds a token, for the desk alone.
fn set_cookie(response: &mut Response, token: &str, more: &str) {
    let cookie = format!("{COOKIE_NAME}={token}; Path=/desk; HttpOnly; SameSite=Strict{more}");
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
}

pub(super) async fn login(State(desk): State<Desk>, request: Request) -> Response {
    if !desk.has_passwords() {
        let problem = "The desk has no passwords: the proxy in front of it says who you are.";
        return desk.0.template.forbidden(problem);
    }
    if !is_own(request.headers()) {
        return desk.0.template.forbidden(NOT_OWN);
    }
    let more = match is_over_tls(&request) {
        true => "; Secure",
        false => "",
    };
    let time = desk.0.settings.body_seconds.into();
    let form = match form::read(request, time).await {
        Ok(form) => form,
        Err(error) => {
            let problem = Some(error.to_string());
            return desk.0.template.login_page(error.status(), problem);
        }
    };
    let (name, password) = (form.get("name"), form.get("password"));
    let begun = match (name, password) {
        (Some(name), Some(password)) => desk.0.sessions.begin(name, password.to_owned()).await,
        _ => Err(LoginError::Wrong),
    };
    match begun {
        Ok(token) => {
            let mut response = see_other("/desk");
            set_cookie(&mut response, &token, more);
            protect(response.headers_mut());
            response
        }
        Err(error) => {
            let status = match error {
                LoginError::Wrong => StatusCode::UNAUTHORIZED,
                LoginError::TooMany => StatusCode::TOO_MANY_REQUESTS,
                LoginError::Busy | LoginError::Store(_) | LoginError::Failed => {
                    StatusCode::SERVICE_UNAVAILABLE
                }
            };
            desk.0.template.login_page(status, Some(error.to_string()))
        }
    }
}

pub(super) async fn logout(State(desk): State<Desk>, headers: HeaderMap) -> Response {
    if !is_own(&headers) {
        return desk.0.template.forbidden(NOT_OWN);
    }
    if let Err(error) = desk.0.sessions.end(&headers).await {
        return desk.0.template.failed(&error);
    }
    let mut response = see_other("/desk");
    set_cookie(&mut response, "", "; Max-Age=0");
    response
}
