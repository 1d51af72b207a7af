//! The work that goes on beside the calls each second: events are numbered, hits are decided, and subscribers are judged by
//! their bounces.

use std::sync::Arc;
// clock: between two rounds.
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use crate::outcomes::Intake;
use crate::store::{Store, StoreError};

/// The time between two rounds. Any process may have added events without a number, hits, and bounces to judge by.
const LOOKS: Duration = Duration::from_secs(1);
/// The most events that one transaction numbers. A thousand take PostgreSQL some 20 ms.
const NUMBERED: u32 = 1_000;

/// The most emails whose hits one transaction decides. Each email has up to a thousand hits.
const DECIDED: u32 = 100;

/// Numbers events, decides hits, and judges the subscribers to whom emails have bounced, until `end`. It begins at once.
///
/// `tells` gets the number of the last event, so that readers need not look for themselves.
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
        if let Err(error) = number(|| store.number_events(NUMBERED), &end).await {
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

/// Numbers events batch by batch, for at most [`LOOKS`], so that the other work of a round has its turn. After a full batch
/// there is a pause as long as the batch took, because calls need the processors as well: when a million emails were
/// cancelled, numbering goes on for most of a minute.
async fn number<Batch>(
    mut batch: impl FnMut() -> Batch,
    end: &CancellationToken,
) -> Result<(), StoreError>
where
    Batch: Future<Output = Result<u64, StoreError>>,
{
    // clock: when to rest and when to end; what is numbered does not depend on it.
    let round = Instant::now();
    while round.elapsed() < LOOKS && !end.is_cancelled() {
        // clock: as above
        let begun = Instant::now();
        if batch().await? < u64::from(NUMBERED) {
            break;
        }
        tokio::select! {
            () = end.cancelled() => {}
            () = sleep(begun.elapsed()) => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    /// The time that a batch of these tests takes.
    const TAKES: Duration = Duration::from_millis(20);

    /// Numbers `events`, and returns how many are left and how long it took.
    async fn numbered(events: u64) -> (u64, Duration) {
        let left = std::cell::Cell::new(events);
        // clock: the one of the runtime, which tests wind on
        let begun = Instant::now();
        let batch = || async {
            sleep(TAKES).await;
            let batch = left.get().min(NUMBERED.into());
            left.set(left.get() - batch);
            Ok(batch)
        };
        number(batch, &CancellationToken::new()).await.unwrap();
        (left.get(), begun.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn a_full_batch_of_events_is_followed_by_a_pause_as_long_as_it_took() {
        assert_eq!(numbered(0).await, (0, TAKES));
        assert_eq!(numbered(3_500).await, (0, TAKES * 7));
    }

    #[tokio::test(start_paused = true)]
    async fn many_events_are_numbered_for_no_longer_than_a_round_and_the_next_round_goes_on() {
        assert_eq!(numbered(1_000_000).await, (975_000, LOOKS));
        assert_eq!(numbered(975_000).await, (950_000, LOOKS));
    }
}
