//! The probes of balancers and people: whether the service runs, and whether calls should be sent to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
// clock: limits of time alone.
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::time::{Instant, timeout};

use super::problem::Problem;
use crate::outbox::SendingState;
use crate::store::Store;

/// The time between two questions to the database.
const BETWEEN: Duration = Duration::from_secs(1);
/// How long a probe waits for the database. Most balancers wait for a second, and do not read an answer that comes later.
const PATIENCE: Duration = Duration::from_millis(800);
/// How long the database may be late before no calls should be sent to the service. Calls wait as long for a lock that another
/// program holds, such as an operator's command.
const LATE: Duration = Duration::from_secs(5);

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

/// `/healthz` and `/readyz`. However many probes come, the database is asked once a second at most. Clones share its answer.
#[derive(Clone)]
pub(super) struct Probes {
    store: Arc<dyn Store>,
    ready: Readiness,
    health: Arc<Health>,
}

impl Probes {
    pub(super) fn new(store: Arc<dyn Store>, ready: Readiness) -> Self {
        Self {
            store,
            ready,
            health: Arc::default(),
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
        let asked = async { self.store.health().await.is_ok() };
        self.health.of(asked).await
    }
}

/// Whether the database answers.
#[derive(Default)]
struct Health {
    /// Locked while the database is asked.
    turn: tokio::sync::Mutex<()>,
    answers: Mutex<Answers>,
}

struct Answers {
    /// When the database was asked last.
    asked: Option<Instant>,
    /// When the first question was asked that has no answer. `None` after an answer.
    late: Option<Instant>,
    /// The last answer.
    is_good: bool,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            asked: None,
            late: None,
            // The database has just been opened.
            is_good: true,
        }
    }
}

impl Health {
    /// Asks the database if it is time to. A question whose answer is late is given up, and the next one may be answered.
    async fn of(&self, question: impl Future<Output = bool>) -> bool {
        let asked = async {
            let _turn = self.turn.lock().await;
            if self.begin() {
                let is_good = question.await;
                let mut answers = self.answers();
                (answers.late, answers.is_good) = (None, is_good);
            }
        };
        // clock: a probe has its own limit of time
        let _ = timeout(PATIENCE, asked).await;
        let answers = self.answers();
        answers.is_good && answers.late.is_none_or(|since| since.elapsed() < LATE)
    }

    /// Whether it is time for a question, which is then noted.
    fn begin(&self) -> bool {
        let mut answers = self.answers();
        if answers.asked.is_some_and(|asked| asked.elapsed() < BETWEEN) {
            return false;
        }
        let now = Instant::now();
        answers.asked = Some(now);
        answers.late.get_or_insert(now);
        true
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        // Each field is consistent on its own, even if a thread has panicked.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
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

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use tokio::time::advance;

    use super::*;

    #[test]
    fn the_page_says_how_late_the_database_may_be() {
        let page = include_str!("../../../../docs/observing.md");
        let late = LATE.as_secs();
        let said = format!("A database that is late counts as answering for {late} seconds");
        assert!(page.contains(&said), "{said}");
        assert!(PATIENCE < Duration::from_secs(1) && page.contains("its answer within a second"));
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_gets_its_answer_within_a_second_and_a_late_database_counts_for_five() {
        let health = Health::default();
        let began = Instant::now();
        // Calls wait for the database as well, and are not refused yet.
        assert!(health.of(pending()).await, "it is late for the first time");
        assert!(began.elapsed() < BETWEEN);
        while began.elapsed() < LATE {
            assert!(health.of(pending()).await, "{:?}", began.elapsed());
            advance(BETWEEN).await;
        }
        assert!(!health.of(pending()).await, "it is late for too long");
        advance(BETWEEN).await;
        assert!(health.of(ready(true)).await, "it answers again");
        advance(BETWEEN).await;
        assert!(health.of(pending()).await, "the time begins anew");
    }

    #[tokio::test(start_paused = true)]
    async fn a_failure_counts_at_once_and_until_the_next_good_answer() {
        let health = Health::default();
        assert!(!health.of(ready(false)).await);
        assert!(!health.of(ready(true)).await, "it is asked once a second");
        advance(BETWEEN).await;
        assert!(
            !health.of(pending()).await,
            "a late answer is not a good one"
        );
        advance(BETWEEN).await;
        assert!(health.of(ready(true)).await);
        assert!(health.of(ready(false)).await, "it is asked once a second");
    }
}
