//! The interface over HTTP: routes, limits, and the answers to calls that cannot be decided.

mod answer;
mod body;
mod budget;
mod connections;
mod description;
mod events;
mod lookups;
mod operator;
mod pace;
mod probes;
mod problem;
mod proxies;
mod queues;
mod reports;
mod request_id;
mod server;
mod tls;
mod tracking;
mod unsubscribe;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HOST, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use franking::http::Outcome;
use franking::{Operation, Route, route};
use tokio_util::task::TaskTracker;
use tower_http::catch_panic::CatchPanicLayer;

use crate::decide::{self, Bounds, KeyHeader, Limits, Threads, Trouble, Turns};
use crate::desk;
use crate::outcomes::{Intake, TrackingLinks, UnsubscribeLinks};
use crate::settings::{Count, Settings};
use crate::store::{IdempotencyKey, Store};
use crate::telemetry::{self, Metrics};
use crate::transcripts::{Ended, Transcripts};
use budget::Budget;
pub(crate) use budget::longest_body;
pub use events::Feed;
use probes::Probes;
pub use probes::Readiness;
use problem::Problem;
use request_id::RequestId;
pub(crate) use server::Peer;
pub use server::{Server, ServerError};
pub use tls::{Certificate, TlsError};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The seconds after which a client may repeat a request that could not be carried out.
const RETRY_SECONDS: u32 = 5;

/// All that the routes share.
#[derive(Clone)]
struct Service(Arc<Inner>);

struct Inner {
    settings: Settings,
    store: Arc<dyn Store>,
    threads: Threads,
    bounds: Arc<Bounds>,
    budget: Budget,
    /// Calls that are being decided, with or without a client that waits.
    calls: TaskTracker,
    probes: Probes,
}

/// The routers of the two addresses.
#[derive(Debug)]
pub struct Routers {
    /// The interface, its description, and the probes of balancers.
    pub calls: Router,
    /// The routes for the operator alone.
    pub operator: Router,
}

/// The parts that deal with what became of emails. Links that are `None` have no route.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Takes in reports.
    pub intake: Arc<Intake>,
    /// The links by which readers unsubscribe.
    pub unsubscribe: Option<Arc<UnsubscribeLinks>>,
    /// The links by which readers are tracked.
    pub tracking: Option<Arc<TrackingLinks>>,
    /// Tells readers of events that there may be new ones.
    pub feed: Feed,
}

/// Makes the routers over a store. Calls run in `calls`, which the process waits for before it ends.
pub fn routers(
    settings: &Settings,
    store: Arc<dyn Store>,
    metrics: Metrics,
    outcomes: Outcomes,
    calls: TaskTracker,
    ready: Readiness,
    transcripts: Transcripts,
) -> Routers {
    let (service_store, sending) = (Arc::clone(&store), ready.sending().clone());
    let unsubscribe = unsubscribe::router(&store, outcomes.unsubscribe);
    let events = events::router(&store, outcomes.feed);
    let keeps_readers = settings.reader_days.is_some();
    let tracking = tracking::router(&store, outcomes.tracking, keeps_readers);
    let service = Service(Arc::new(Inner {
        threads: Threads::new(
            settings.large_body_bytes.get(),
            settings.max_held_bytes.get(),
        ),
        bounds: Arc::new(bounds(settings, transcripts)),
        budget: Budget::new(settings.max_held_bytes.get()),
        calls,
        probes: Probes::new(Arc::clone(&store), ready),
        store,
        settings: settings.clone(),
    }));
    let probes = service.0.probes.clone();
    let for_us = middleware::from_fn_with_state(service.clone(), is_for_us);
    let calls = Router::new()
        .merge(description::router())
        .merge(events)
        .fallback(interface)
        .layer(for_us)
        .with_state(service)
        // These routes are not checked by `for_us`: links in emails may have another host name, and probes name no host.
        .merge(unsubscribe)
        .merge(tracking)
        .merge(probes.router());
    let reports = reports::router(settings, outcomes.intake);
    let desk = desk::router(&service_store, settings, sending);
    let operator = operator::router(metrics, reports.merge(desk), settings.hosts.clone());
    let operator = operator.merge(probes.router());
    let [calls, operator] = [calls, operator].map(|router| {
        let catch = CatchPanicLayer::custom(|_| Problem::fault().into_response());
        router
            .layer(catch)
            .layer(middleware::from_fn(request_id::identify))
    });
    Routers { calls, operator }
}

fn bounds(settings: &Settings, transcripts: Transcripts) -> Bounds {
    let rate = |count: Option<Count>| count.map(|count| count.get() as f64);
    Bounds {
        max_recipients: settings.max_recipients.get(),
        limits: Limits::new(
            rate(settings.account_calls_per_second),
            rate(settings.account_emails_per_second),
        ),
        turns: Turns::default(),
        tracks: settings.tracking_url.is_some(),
        transcripts,
    }
}

/// Refuses requests to hosts that are not among the service's names, because a web page could make a browser send them (DNS
/// rebinding).
async fn is_for_us(State(service): State<Service>, request: Request, next: Next) -> Response {
    let names = &service.0.settings.hosts;
    let is_ours = host(&request).is_some_and(|host| names.iter().any(|name| name.is(host)));
    if names.is_empty() || is_ours {
        next.run(request).await
    } else {
        other_host(request)
    }
}

/// The Host header of a request, if it has exactly one.
fn host(request: &Request) -> Option<&str> {
    let mut hosts = request.headers().get_all(HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok(),
        _ => None,
    }
}

fn other_host(request: Request) -> Response {
    telemetry::turned_away("host");
    leave(request);
    Problem::new(
        StatusCode::MISDIRECTED_REQUEST,
        "The service does not answer under this host name.",
    )
    .into_response()
}

/// Handles every other path: a call of the interface, or a path that does not exist.
async fn interface(
    State(service): State<Service>,
    Extension(peer): Extension<Peer>,
    Extension(id): Extension<RequestId>,
    request: Request,
) -> Response {
    let client = Client {
        address: peer.client(request.headers()),
        id,
    };

    let path = request.uri().path();
    match route(request.method().as_str(), path) {
        None => {
            leave(request);
            not_found()
        }
        Some(Route::WrongMethod(operation)) => service.wrong_method(operation, client, request),
        Some(Route::Call(operation)) => service.call(operation, client, request).await,
    }
}

/// The client of a request.
struct Client {
    address: IpAddr,
    id: RequestId,
}

impl Client {
    /// Writes the log line of a call, and hands the call over to be counted and kept.
    fn end(
        &self,
        transcripts: &Transcripts,
        operation: Operation,
        bytes: usize,
        outcome: &mut decide::Outcome,
        time: Duration,
    ) {
        telemetry::ended(operation, outcome, time, self.address, self.id.as_str());
        if let decide::Outcome::Decided(decided) = outcome {
            transcripts.take(Ended {
                account: decided.account,
                key: decided.key,
                call: decided.call,
                operation,
                code: decided.code,
                rule: decided.rule,
                bytes,
                time,
                peer: self.address,
                request: self.id.as_str().to_owned(),
                heard: decided.heard.take(),
            });
        }
    }
}

impl Service {
    /// Answers a call whose method is not the interface's. It is decided without its body.
    fn wrong_method(&self, operation: Operation, client: Client, request: Request) -> Response {
        let (started, policy) = (Instant::now(), &self.0.settings.policy);
        let (head, body) = request.into_parts();
        body::drain(body, &head.headers);
        let call = franking::Call::new(policy, operation, head.method.as_str(), &[]);
        let Some(decision) = call.decision() else {
            return answer::undecided(policy, operation, Outcome::Fault);
        };
        let mut outcome = decide::of_decision(&decision);
        let transcripts = &self.0.bounds.transcripts;
        client.end(transcripts, operation, 0, &mut outcome, started.elapsed());
        answer::respond(policy, operation, outcome, false)
    }

    async fn call(&self, operation: Operation, client: Client, request: Request) -> Response {
        let (started, settings) = (Instant::now(), &self.0.settings);
        let (head, body) = request.into_parts();
        if !is_plain(&head.headers) {
            body::drain(body, &head.headers);
            telemetry::turned_away("encoding");
            let identity = (ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            let problem = Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Bodies are taken without an encoding: leave Content-Encoding out.",
            );
            let problem = answer::of_operation(operation, problem);
            return ([identity], problem).into_response();
        }
        let limit = match operation {
            Operation::SendMailer => settings.max_send_mailer_bytes.get(),
            Operation::HttpSendMail => settings.policy.max_bytes(),
        };
        let time = settings.body_seconds.into();
        let (body, held) = match body::read(body, &head.headers, limit, time, &self.0.budget).await
        {
            Ok(read) => read,
            Err(unread) => return unread.respond(&settings.policy, operation),
        };
        let request = decide::Request {
            operation,
            method: head.method.as_str().to_owned(),
            body,
            key: key_header(&head.headers),
        };
        let bytes = request.body.len();
        let has_key = !matches!(request.key, KeyHeader::Absent);
        let Some(policy) = settings.policy_of_today() else {
            tracing::error!("no call can be decided: the system's clock has no valid date");
            return Problem::fault().into_response();
        };
        let (service, bounds) = (self.clone(), Arc::clone(&self.0.bounds));
        let outcome = self.0.calls.spawn(async move {
            let _deciding = telemetry::deciding();
            let deciding = decide::decide(
                &service.0.store,
                &service.0.threads,
                policy,
                Arc::clone(&bounds),
                request,
            );
            // A panic is counted and logged like every other outcome.
            let mut outcome = decide::caught(deciding).await;
            let (transcripts, time) = (&bounds.transcripts, started.elapsed());
            client.end(transcripts, operation, bytes, &mut outcome, time);
            drop(held);
            outcome
        });
        // The process ends, perhaps during a commit.
        let stopped = |_| decide::Outcome::Unknown(Trouble::Fault("the service stops"));
        let outcome = outcome.await.unwrap_or_else(stopped);
        answer::respond(&settings.policy, operation, outcome, has_key)
    }
}

/// Whether the body has no content encoding.
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

/// Leaves a body unread.
fn leave(request: Request) {
    let (head, body) = request.into_parts();
    body::drain(body, &head.headers);
}

fn not_found() -> Response {
    Problem::new(StatusCode::NOT_FOUND, "Nothing is served at this path.").into_response()
}
