//! Whether the database answers: asked for once a second at most, whoever wants to know, and not for long.

use std::sync::Arc;
// clock: limits of time alone.
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::store::Store;

/// For how long an answer counts.
const FRESH: Duration = Duration::from_secs(1);
/// How long the database may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// The last answer, and when it came.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<Option<(Instant, bool)>>);

impl Health {
    /// Whether the database of a store answers.
    pub(super) async fn of(&self, store: &Arc<dyn Store>) -> bool {
        let mut last = self.0.lock().await;
        if let Some((at, is_healthy)) = *last
            && at.elapsed() < FRESH
        {
            return is_healthy;
        }
        // clock: a database that takes longer is not there for calls
        let is_healthy = matches!(timeout(PATIENCE, store.health()).await, Ok(Ok(())));
        *last = Some((Instant::now(), is_healthy));
        is_healthy
    }
}
