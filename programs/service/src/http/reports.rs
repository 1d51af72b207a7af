//! `POST /reports`: a report as a mail server or a script hands it over.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use percent_encoding::percent_decode_str;
use ring::hmac;
use serde_json::json;
use tokio::time::timeout;

use super::problem::Problem;
use super::{body, leave};
use crate::outcomes::{Incoming, Intake, Taken};
use crate::settings::Settings;
use crate::telemetry;

/// The longest report. Only its beginning is kept in memory.
const MOST_BYTES: usize = 32 << 20;

#[derive(Clone)]
struct Reports {
    intake: Arc<Intake>,
    token: Token,
    time: Duration,
}

/// The token that reports are posted with, stored as an HMAC key and the token's HMAC under that key. The time of a
/// comparison of HMACs reveals nothing about the token.
#[derive(Clone)]
struct Token {
    key: hmac::Key,
    tag: Vec<u8>,
}

impl Token {
    fn new(token: &str) -> Self {
        let key = hmac::Key::new(hmac::HMAC_SHA256, token.as_bytes());
        let tag = hmac::sign(&key, token.as_bytes()).as_ref().to_vec();
        Self { key, tag }
    }

    fn is(&self, presented: &[u8]) -> bool {
        hmac::verify(&self.key, presented, &self.tag).is_ok()
    }
}

/// The route, if there is a token for it.
pub(super) fn router(settings: &Settings, intake: Arc<Intake>) -> Router {
    let Some(token) = &settings.reports_token else {
        return Router::new();
    };
    let token = Token::new(token.reveal());
    let time = settings.body_seconds.into();
    Router::new()
        .route("/reports", post(take))
        .with_state(Reports {
            intake,
            token,
            time,
        })
}

async fn take(State(reports): State<Reports>, request: Request) -> Response {
    if !is_authorized(&reports.token, request.headers()) {
        telemetry::turned_away("token");
        leave(request);
        let asks = (WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        let problem = Problem::new(
            StatusCode::UNAUTHORIZED,
            "Reports need the bearer token of the setting reports_token.",
        );
        return ([asks], problem).into_response();
    }
    let to = recipient(request.uri().query().unwrap_or_default());
    let (head, mut body) = request.into_parts();
    // clock: the setting says how long a body may take
    let message = timeout(reports.time, read(&mut body)).await;
    let message = match message.unwrap_or(Err(Problem::new(
        StatusCode::REQUEST_TIMEOUT,
        "The report did not come in time.",
    ))) {
        Ok(message) => message,
        Err(problem) => {
            body::drain(body, &head.headers);
            return problem.into_response();
        }
    };
    // It runs in a task of its own, so that it is done even if the client has gone.
    let taken = tokio::spawn(async move { reports.intake.take(to.as_deref(), message).await });
    match taken.await {
        Ok(Ok(taken)) => answer(taken),
        Ok(Err(error)) => {
            tracing::error!(%error, "a report could not be kept");
            Problem::unavailable("The report could not be kept. Nothing was done.").into_response()
        }
        Err(_) => Problem::fault().into_response(),
    }
}

fn is_authorized(token: &Token, headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return false;
    };
    let value = value.as_bytes();
    match value.split_at_checked("Bearer ".len()) {
        Some((scheme, presented)) => {
            scheme.eq_ignore_ascii_case(b"Bearer ") && token.is(presented.trim_ascii())
        }
        None => false,
    }
}

/// The address that the report was delivered to, if the query says so.
fn recipient(query: &str) -> Option<String> {
    let mut parts = query.split('&');
    let to = parts.find_map(|part| part.strip_prefix("to="))?;
    Some(percent_decode_str(to).decode_utf8_lossy().into_owned())
}

async fn read(body: &mut Body) -> Result<Incoming, Problem> {
    let (mut message, mut length) = (Incoming::default(), 0_usize);
    loop {
        let piece = body::next(body)
            .await
            .map_err(|_| Problem::new(StatusCode::BAD_REQUEST, "The body is broken."))?;
        let Some(piece) = piece else {
            return Ok(message);
        };
        length = length.saturating_add(piece.len());
        if length > MOST_BYTES {
            let detail = "A report has at most 32 MB.";
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
        }
        message.push(&piece);
    }
}

fn answer(taken: Taken) -> Response {
    let answer = match taken {
        Taken::Report(kind, report) => json!({
            "kind": kind.name(),
            "report": report.id,
            "found": report.delivery.is_some(),
            "new": report.is_new,
        }),
        Taken::Forged => json!({ "kind": "forged" }),
        Taken::Nothing => json!({ "kind": "nothing" }),
    };
    let kind = HeaderValue::from_static("application/json");
    ([(CONTENT_TYPE, kind)], answer.to_string()).into_response()
}
