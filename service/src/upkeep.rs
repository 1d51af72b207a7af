//! What is done beside the calls, at intervals: idempotency keys whose time is over are deleted, and events are numbered.

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

/// Between two looks for events without a number: so long a reader waits at most for what other processes have seen.
const NUMBERING: Duration = Duration::from_secs(1);
/// How many events one transaction numbers.
const NUMBERED: u32 = 5_000;

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

/// Numbers events until `end`, and begins at once.
pub async fn number_events(store: Arc<dyn Store>, end: CancellationToken) {
    let mut rounds = interval(NUMBERING);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = rounds.tick() => {}
        }
        loop {
            match store.number_events(NUMBERED).await {
                Ok(numbered) if numbered >= u64::from(NUMBERED) && !end.is_cancelled() => {}
                Ok(_) => break,
                Err(error) => {
                    tracing::warn!(%error, "events could not be numbered");
                    break;
                }
            }
        }
    }
}
