//! What is done beside the calls, at intervals: what has outlived its time is deleted, events are numbered, hits are decided, and
//! subscribers are judged by their bounces.

use std::sync::Arc;
// clock: between two rounds; what is deleted is told by the database's clock.
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::outcomes::Intake;
use crate::store::{Answer, Store, StoreError};

/// Between two rounds. What has outlived its time counts for nothing meanwhile: it only takes room.
const PAUSE: Duration = Duration::from_secs(600);
/// How many rows one transaction deletes: calls wait behind it.
const BATCH: u32 = 500;

/// Between two looks for events without a number and for subscribers to judge, which any process may have added.
const LOOKS: Duration = Duration::from_secs(1);
/// How many events one transaction numbers.
const NUMBERED: u32 = 5_000;

/// How many emails' hits one transaction decides at most, each of which has up to a thousand.
const DECIDED: u32 = 100;

/// For how many days something is kept.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Reports.
    pub reports: u16,
    /// Addresses and agents of readers who are tracked; `None` where they are not kept.
    pub readers: Option<u16>,
    /// Events.
    pub events: u16,
    /// Calls that are kept to be explained.
    pub transcripts: u16,
}

/// Deletes idempotency keys, and what was kept for its days, until `end`, and begins at once.
pub async fn run(store: Arc<dyn Store>, kept: Kept, end: CancellationToken) {
    let mut rounds = interval(PAUSE);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = rounds.tick() => {}
        }
        let keys = delete(|| store.forget_keys(BATCH), &end).await;
        tell(keys, "idempotency keys");
        let reports = delete(|| store.forget_reports(kept.reports, BATCH), &end).await;
        tell(reports, "reports");
        let events = delete(|| store.forget_events(kept.events, BATCH), &end).await;
        tell(events, "events");
        let calls = delete(|| store.forget_transcripts(kept.transcripts, BATCH), &end).await;
        tell(calls, "calls");
        // Those that were kept before the setting was taken away go as well.
        let days = kept.readers.unwrap_or(0);
        let readers = delete(|| store.forget_readers(days, BATCH), &end).await;
        tell(readers, "addresses and agents of readers");
    }
}

/// Deletes batch by batch. Answers with how many rows that were.
async fn delete(
    batch: impl Fn() -> Answer<u64>,
    end: &CancellationToken,
) -> Result<u64, StoreError> {
    let mut all = 0_u64;
    loop {
        let deleted = batch().await?;
        all = all.saturating_add(deleted);
        if deleted < u64::from(BATCH) || end.is_cancelled() {
            return Ok(all);
        }
    }
}

fn tell(deleted: Result<u64, StoreError>, what: &'static str) {
    match deleted {
        Ok(0) => {}
        Ok(deleted) => tracing::info!(deleted, what, "deleted what has outlived its time"),
        Err(error) => tracing::warn!(%error, what, "could not delete what has outlived its time"),
    }
}

/// Numbers events, decides hits, and judges the subscribers to whom emails have bounced, until `end`, and begins at once.
///
/// `tells` gets the last number of an event, so that readers need not look for themselves.
pub async fn keep_up(
    store: Arc<dyn Store>,
    intake: Arc<Intake>,
    tells: watch::Sender<i64>,
    end: CancellationToken,
) {
    let mut rounds = interval(LOOKS);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !end.is_cancelled() {
        tokio::select! {
            () = end.cancelled() => return,
            _ = rounds.tick() => {}
        }
        if let Err(error) = intake.judge().await {
            tracing::warn!(%error, "subscribers could not be judged");
        }
        if let Err(error) = decide(&*store, &end).await {
            tracing::warn!(%error, "hits could not be decided");
        }
        if let Err(error) = number(&*store, &end).await {
            tracing::warn!(%error, "events could not be numbered");
        }
        // Nobody waits, as a rule.
        if tells.receiver_count() > 1 {
            match store.last_event().await {
                Ok(last) => drop(tells.send_if_modified(|told| {
                    let is_news = *told != last;
                    *told = last;
                    is_news
                })),
                Err(error) => tracing::warn!(%error, "the last event could not be read"),
            }
        }
    }
}

async fn decide(store: &dyn Store, end: &CancellationToken) -> Result<(), StoreError> {
    while store.decide_hits(DECIDED).await? > 0 {
        if end.is_cancelled() {
            break;
        }
    }
    Ok(())
}

async fn number(store: &dyn Store, end: &CancellationToken) -> Result<(), StoreError> {
    while store.number_events(NUMBERED).await? >= u64::from(NUMBERED) {
        if end.is_cancelled() {
            break;
        }
    }
    Ok(())
}
