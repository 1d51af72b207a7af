//! The interface over HTTP: routes, limits, and what is answered when a call cannot be decided.

mod body;
mod budget;
mod client;
mod connections;
mod health;
mod problem;
mod server;
mod tls;

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, HeaderValue, RETRY_AFTER,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use franking::{Operation, Policy, Route, route};
use tokio_util::task::TaskTracker;
use tower_http::catch_panic::CatchPanicLayer;

use crate::decide::{self, Bounds, Decided, KeyHeader, Limits, Outcome, Threads};
use crate::outbox::SendingState;
use crate::settings::{Count, Settings};
use crate::store::{IdempotencyKey, Store};
use crate::telemetry::{self, Metrics};
use body::Unread;
use budget::Budget;
pub(crate) use budget::longest_body;
pub use client::{Peer, Proxies};
use health::Health;
use problem::Problem;
pub use server::{Server, ServerError};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
const SUNSET: HeaderName = HeaderName::from_static("sunset");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// Seconds after which a client may try again what could not be done.
const RETRY_SECONDS: u32 = 5;

/// All that the routes share.
#[derive(Clone)]
struct Service(Arc<Inner>);

struct Inner {
    settings: Settings,
    policy: Arc<Policy>,
    /// A policy under which every body is too long, for the answer to one that was not read. `None` is a fault.
    too_long: Option<Policy>,
    store: Arc<dyn Store>,
    threads: Threads,
    bounds: Arc<Bounds>,
    budget: Budget,
    proxies: Proxies,
    metrics: Metrics,
    /// Calls that are being decided, with or without a client that waits.
    calls: TaskTracker,
    ready: Readiness,
    health: Health,
}

/// Whether the service takes calls, and whether it sends emails.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    is_ending: Arc<std::sync::atomic::AtomicBool>,
    sending: SendingState,
}

impl Readiness {
    /// From now on it does not: it is ending.
    pub fn end(&self) {
        self.is_ending
            .store(true, std::sync::atomic::Ordering::Relaxed);
    }

    /// Whether it sends emails.
    #[must_use]
    pub const fn sending(&self) -> &SendingState {
        &self.sending
    }

    fn is_ending(&self) -> bool {
        self.is_ending.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// The routes over a store. Calls run in `calls`, which is waited for before the process ends.
pub fn router(
    settings: &Settings,
    store: Arc<dyn Store>,
    metrics: Metrics,
    calls: TaskTracker,
    ready: Readiness,
) -> Router {
    // One byte is a length that every policy can have.
    let too_long = settings.policy.to_builder().max_bytes(1).build();
    let service = Service(Arc::new(Inner {
        policy: Arc::new(settings.policy.clone()),
        too_long: too_long.ok(),
        store,
        threads: Threads::new(settings.large_body_bytes.get()),
        bounds: Arc::new(bounds(settings)),
        budget: Budget::new(settings.max_held_bytes.get()),
        proxies: Proxies::new(settings.trusted_proxies.clone()),
        metrics,
        calls,
        ready,
        health: Health::default(),
        settings: settings.clone(),
    }));
    Router::new()
        .route("/metrics", get(metrics_page))
        .fallback(interface)
        .layer(middleware::from_fn_with_state(service.clone(), is_for_us))
        // Probes name no host.
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(readiness))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::fault().into_response()
        }))
        .with_state(service)
}

fn bounds(settings: &Settings) -> Bounds {
    let rate = |count: Option<Count>| count.map(|count| count.get() as f64);
    Bounds {
        max_recipients: settings.max_recipients.get(),
        limits: Limits::new(
            rate(settings.account_calls_per_second),
            rate(settings.account_emails_per_second),
        ),
    }
}

/// Refuses requests to other names than the service's: a web page could make a browser send them (DNS rebinding).
async fn is_for_us(State(service): State<Service>, request: Request, next: Next) -> Response {
    let names = &service.0.settings.hosts;
    let mut hosts = request.headers().get_all(HOST).iter();
    let is_ours = match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
        (Some(Ok(host)), None) => names.iter().any(|name| name.is(host)),
        _ => false,
    };
    if names.is_empty() || is_ours {
        next.run(request).await
    } else {
        telemetry::turned_away("host");
        leave(request);
        Problem::new(StatusCode::MISDIRECTED_REQUEST, "This is another host.").into_response()
    }
}

async fn readiness(State(service): State<Service>) -> Response {
    if service.0.ready.is_ending() {
        return Problem::unavailable("The service is ending.").into_response();
    }
    match service.0.health.of(&service.0.store).await {
        // Calls are taken also when nothing is sent: they are kept.
        true => match service.0.ready.sending.trouble() {
            None => "ready\n".into_response(),
            Some(trouble) => format!("ready\n{}\n", trouble.sentence()).into_response(),
        },
        false => Problem::unavailable("The database does not answer.").into_response(),
    }
}

async fn metrics_page(State(service): State<Service>, request: Request) -> Response {
    let from = service.0.proxies.client(&request);
    let networks = &service.0.settings.metrics_from;
    if from.is_some_and(|from| networks.iter().any(|network| network.contains(&from))) {
        let kind = HeaderValue::from_static("text/plain; version=0.0.4");
        ([(CONTENT_TYPE, kind)], service.0.metrics.render()).into_response()
    } else {
        not_found()
    }
}

/// Everything else: a call of the interface, or nothing.
async fn interface(State(service): State<Service>, request: Request) -> Response {
    let path = request.uri().path();
    match route(request.method().as_str(), path) {
        None => {
            leave(request);
            not_found()
        }
        Some(Route::WrongMethod(operation)) => service.wrong_method(operation, request),
        Some(Route::Call(operation)) => service.call(operation, request).await,
    }
}

impl Service {
    fn wrong_method(&self, operation: Operation, request: Request) -> Response {
        let (head, body) = request.into_parts();
        body::drain(body, &head.headers);
        let call = franking::Call::new(&self.0.policy, operation, head.method.as_str(), []);
        self.without_body(operation, &call)
    }

    /// The answer to a call that is decided by what is known before its body.
    fn without_body<B: AsRef<[u8]>>(
        &self,
        operation: Operation,
        call: &franking::Call<B>,
    ) -> Response {
        let text = call.decision().and_then(|decision| decision.response());
        let code = call.decision().and_then(|decision| decision.code());
        match (text, code) {
            (Some(text), Some(code)) => {
                telemetry::decided(operation, code.number(), None);
                answered(operation, text)
            }
            _ => Problem::fault().into_response(),
        }
    }

    async fn call(&self, operation: Operation, request: Request) -> Response {
        let started = Instant::now();
        let (head, body) = request.into_parts();
        if !is_plain(&head.headers) {
            body::drain(body, &head.headers);
            telemetry::turned_away("encoding");
            let identity = (ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            let problem = Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "A body is taken as it is: leave Content-Encoding out.",
            );
            return ([identity], problem).into_response();
        }
        let limit = match operation {
            Operation::SendMailer => self.0.settings.max_send_mailer_bytes.get(),
            Operation::HttpSendMail => self.0.policy.max_bytes(),
        };
        let time = self.0.settings.body_seconds.into();
        let (body, held) = match body::read(body, &head.headers, limit, time, &self.0.budget).await
        {
            Ok(read) => read,
            Err(Unread::TooLong) if operation == Operation::HttpSendMail => {
                let Some(too_long) = &self.0.too_long else {
                    return Problem::fault().into_response();
                };
                let call = franking::Call::new(too_long, operation, "POST", b"  ");
                return self.without_body(operation, &call);
            }
            Err(unread) => return unread.into_response(),
        };
        let request = decide::Request {
            operation,
            method: head.method.as_str().to_owned(),
            body,
            key: key_header(&head.headers),
        };
        let has_key = !matches!(request.key, KeyHeader::Absent);
        let Some(policy) = self.policy() else {
            return Problem::fault().into_response();
        };
        let (service, bounds) = (self.clone(), Arc::clone(&self.0.bounds));
        let outcome = self.0.calls.spawn(async move {
            let _deciding = telemetry::deciding();
            let outcome = decide::decide(
                &service.0.store,
                &service.0.threads,
                policy,
                bounds,
                request,
            )
            .await;
            telemetry::ended(operation, &outcome, started.elapsed());
            drop(held);
            outcome
        });
        match outcome.await {
            Ok(outcome) => respond(operation, outcome, has_key),
            // It panicked, perhaps in the midst of a commit.
            Err(_) => unknown(has_key),
        }
    }

    /// The policy of today.
    fn policy(&self) -> Option<Arc<Policy>> {
        if !self.0.settings.retire {
            return Some(Arc::clone(&self.0.policy));
        }
        let today = telemetry::day_of(SystemTime::now())?;
        let policy = self.0.policy.to_builder().today(Some(today));
        policy.build().ok().map(Arc::new)
    }
}

/// Whether the body stands there as it is.
fn is_plain(headers: &HeaderMap) -> bool {
    headers.get_all(CONTENT_ENCODING).iter().all(|value| {
        let value = value.as_bytes().trim_ascii();
        value.is_empty() || value.eq_ignore_ascii_case(b"identity")
    })
}

fn key_header(headers: &HeaderMap) -> KeyHeader {
    let mut keys = headers.get_all(IDEMPOTENCY_KEY).iter();
    match (keys.next(), keys.next()) {
        (None, _) => KeyHeader::Absent,
        (Some(key), None) => key
            .to_str()
            .ok()
            .and_then(IdempotencyKey::parse)
            .map_or(KeyHeader::Malformed, KeyHeader::Given),
        _ => KeyHeader::Malformed,
    }
}

fn respond(operation: Operation, outcome: Outcome, has_key: bool) -> Response {
    match outcome {
        Outcome::Decided(Decided { text, .. }) => answered(operation, text),
        Outcome::Replayed(text) => {
            let mut response = answered(operation, text);
            let yes = HeaderValue::from_static("true");
            response.headers_mut().insert(IDEMPOTENT_REPLAYED, yes);
            response
        }
        Outcome::OtherCall => Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "This Idempotency-Key was used for another call.",
        )
        .into_response(),
        Outcome::KeyHeld => Problem::new(
            StatusCode::CONFLICT,
            "A call with this Idempotency-Key is being decided.",
        )
        .into_response(),
        Outcome::KeyMalformed => Problem::new(
            StatusCode::BAD_REQUEST,
            "An Idempotency-Key is one header of 1 to 255 visible ASCII characters.",
        )
        .into_response(),
        Outcome::TooManyCalls(wait) => {
            let seconds = wait.as_secs().saturating_add(1);
            let problem = Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "The account sends too much at once. Nothing was done.",
            );
            ([(RETRY_AFTER, HeaderValue::from(seconds))], problem).into_response()
        }
        Outcome::TooManyRecipients => Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "The call has too many recipients: send several calls.",
        )
        .into_response(),
        Outcome::Undone(_) => {
            Problem::unavailable("The call could not be decided. Nothing was done.").into_response()
        }
        Outcome::Unknown(_) => unknown(has_key),
    }
}

/// A client that has no key could do the same twice: it is not told to try again.
fn unknown(has_key: bool) -> Response {
    let problem = Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "It is unknown whether the call was carried out.",
    );
    if has_key {
        (
            [(RETRY_AFTER, RETRY_SECONDS.into())] as [(_, HeaderValue); 1],
            problem,
        )
            .into_response()
    } else {
        problem.into_response()
    }
}

/// An answer of the interface.
fn answered(operation: Operation, text: String) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(deprecation) = operation.deprecation() {
        headers.insert(SUNSET, HeaderValue::from_static(deprecation.sunset));
        // RFC 9745 wants a moment. The interface names none but the end: by then it was deprecated.
        let seconds = httpdate::parse_http_date(deprecation.sunset)
            .ok()
            .and_then(|end| end.duration_since(SystemTime::UNIX_EPOCH).ok())
            .map(|since| since.as_secs());
        let value = seconds.and_then(|seconds| HeaderValue::try_from(format!("@{seconds}")).ok());
        if let Some(value) = value {
            headers.insert(DEPRECATION, value);
        }
    }
    response
}

/// Leaves a body unread.
fn leave(request: Request) {
    let (head, body) = request.into_parts();
    body::drain(body, &head.headers);
}

fn not_found() -> Response {
    Problem::new(StatusCode::NOT_FOUND, "There is nothing here.").into_response()
}
