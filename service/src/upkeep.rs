//! What is done beside the calls, at intervals: idempotency keys whose time is over are deleted.

use std::sync::Arc;
// clock: between two rounds; what is deleted is told by the database's clock.
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::store::{Store, StoreError};

/// Between two rounds. A key whose time is over counts for nothing meanwhile: it only takes room.
const PAUSE: Duration = Duration::from_secs(600);
/// How many keys one transaction deletes: calls wait behind it.
const BATCH: u32 = 500;

/// Does it until `end`, and begins at once.
pub async fn run(store: Arc<dyn Store>, end: CancellationToken) {
    let mut rounds = interval(PAUSE);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = rounds.tick() => {}
        }
        match forget_keys(&*store, &end).await {
            Ok(0) => {}
            Ok(deleted) => tracing::info!(deleted, "idempotency keys were deleted"),
            Err(error) => tracing::warn!(%error, "idempotency keys could not be deleted"),
        }
    }
}

async fn forget_keys(store: &dyn Store, end: &CancellationToken) -> Result<u64, StoreError> {
    let mut all = 0_u64;
    loop {
        let deleted = store.forget_keys(BATCH).await?;
        all = all.saturating_add(deleted);
        if deleted < u64::from(BATCH) || end.is_cancelled() {
            return Ok(all);
        }
    }
}
