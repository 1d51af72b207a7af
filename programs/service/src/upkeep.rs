//! The work that goes on beside the calls each second: events are numbered, hits are decided, and subscribers are judged by
//! their bounces.

use std::sync::Arc;
// clock: between two looks.
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::outcomes::Intake;
use crate::store::{Store, StoreError};

/// The time between two looks for events without a number and for subscribers to judge, which any process may have added.
const LOOKS: Duration = Duration::from_secs(1);
/// The most events that one transaction numbers.
const NUMBERED: u32 = 5_000;

/// The most emails whose hits one transaction decides. Each email has up to a thousand hits.
const DECIDED: u32 = 100;

/// Numbers events, decides hits, and judges the subscribers to whom emails have bounced, until `end`. It begins at once.
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
        // Usually nobody waits for events.
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
