//! The probes of balancers and people: whether the service runs, and whether calls should be sent to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
// clock: limits of time alone.
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::problem::Problem;
use crate::outbox::SendingState;
use crate::store::Store;

/// The time for which an answer of the database counts.
const FRESH: Duration = Duration::from_secs(1);
/// The longest time for an answer of the database.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the service takes calls, and whether it sends emails.
#[derive(Clone, Debug, Default)]
pub struct Readiness {
    is_ending: Arc<AtomicBool>,
    sending: SendingState,
}

impl Readiness {
    /// Says from now on that the service is ending.
    pub fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// Whether it sends emails.
    #[must_use]
    pub const fn sending(&self) -> &SendingState {
        &self.sending
    }
}

/// `/healthz` and `/readyz`. However many probes come, the database is asked once a second at most, and within a limit of
/// time. Clones share its answer.
#[derive(Clone)]
pub(super) struct Probes {
    store: Arc<dyn Store>,
    ready: Readiness,
    /// The database's last answer, and when it came.
    last: Arc<Mutex<Option<(Instant, bool)>>>,
}

impl Probes {
    pub(super) fn new(store: Arc<dyn Store>, ready: Readiness) -> Self {
        Self {
            store,
            ready,
            last: Arc::default(),
        }
    }

    pub(super) fn router(&self) -> Router {
        Router::new()
            .route("/healthz", get(async || "ok\n"))
            .route("/readyz", get(readiness))
            .with_state(self.clone())
    }

    /// Whether the database answers.
    async fn is_healthy(&self) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, is_healthy)) = *last
            && at.elapsed() < FRESH
        {
            return is_healthy;
        }
        // clock: a database that takes longer is not there for calls
        let is_healthy = matches!(timeout(PATIENCE, self.store.health()).await, Ok(Ok(())));
        *last = Some((Instant::now(), is_healthy));
        is_healthy
    }
}

async fn readiness(State(probes): State<Probes>) -> Response {
    if probes.ready.is_ending.load(Ordering::Relaxed) {
        return Problem::unavailable("The service is ending.").into_response();
    }
    match probes.is_healthy().await {
        // Calls are taken even if nothing can be sent, because their emails are kept.
        true => match probes.ready.sending.trouble() {
            None => "ready\n".into_response(),
            Some(trouble) => format!("ready\n{}\n", trouble.sentence()).into_response(),
        },
        false => Problem::unavailable("The database does not answer.").into_response(),
    }
}
