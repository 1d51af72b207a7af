//! Deletes what has outlived its time, each kind of thing by a setting of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
// clock: pauses between steps and rounds. What is deleted is told by the database's time.
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use crate::store::{DAY, Expired, KEPT_SECONDS, OperatorError, Position, Store};

/// Between two rounds. What has outlived its time counts for nothing meanwhile: it only takes room.
const PAUSE: Duration = Duration::from_secs(600);
/// After how many rounds rows are looked at again that could not be deleted: once a day.
const ROUNDS: u32 = 144;
/// A step is followed by a pause of this many times its duration: of a hundred calls one meets a step.
const REST: u32 = 100;
/// A round that has lasted long rests less, half as much after each ten minutes, but not less than this.
const LEAST_REST: u32 = 2;

/// How many times as long as a step it rests, when the round has lasted for so long.
fn rest(round: Duration) -> u32 {
    let halvings = u32::try_from(round.as_secs() / PAUSE.as_secs()).unwrap_or(u32::MAX);
    REST.checked_shr(halvings).unwrap_or(0).max(LEAST_REST)
}

/// For how many days things are kept.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Subject, HTML and values of emails.
    pub contents: u16,
    /// Deliveries, with the addresses of their recipients.
    pub deliveries: u16,
    /// Calls.
    pub calls: u16,
    /// Calls that are kept to be explained.
    pub transcripts: u16,
    /// Events.
    pub events: u16,
    /// Reports.
    pub reports: u16,
    /// Addresses and agents of readers who are tracked; `None` where they are not kept.
    pub readers: Option<u16>,
    /// Followed links and loaded images.
    pub hits: u16,
    /// What operators did.
    pub audit: u16,
}

impl Kept {
    /// What is deleted, and for how many seconds it is kept. Rows go before those that they refer to.
    fn seconds(self) -> [(Expired, i64); 11] {
        let days = |days: u16| i64::from(days).saturating_mul(DAY);
        [
            (Expired::IdempotencyKeys, KEPT_SECONDS),
            (Expired::Contents, days(self.contents)),
            (Expired::Deliveries, days(self.deliveries)),
            (Expired::Messages, days(self.deliveries)),
            (Expired::Calls, days(self.calls)),
            (Expired::Transcripts, days(self.transcripts)),
            (Expired::Events, days(self.events)),
            (Expired::Reports, days(self.reports)),
            // Those that were kept before the setting was taken away go as well.
            (Expired::Readers, days(self.readers.unwrap_or(0))),
            (Expired::Hits, days(self.hits)),
            (Expired::Audit, days(self.audit)),
        ]
    }
}

/// Deletes from a database, round by round.
pub struct Retention {
    store: Arc<dyn Store>,
    kept: Kept,
    /// Where the steps of the last round have ended.
    positions: BTreeMap<Expired, Position>,
    rests: bool,
}

impl Retention {
    /// Deletes nothing yet.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, kept: Kept) -> Self {
        Self {
            store,
            kept,
            positions: BTreeMap::new(),
            rests: true,
        }
    }

    /// One that goes on without pauses, where nobody else uses the database.
    #[must_use]
    pub fn without_rest(self) -> Self {
        Self {
            rests: false,
            ..self
        }
    }

    /// Deletes what has outlived its time, until `end`, and begins at once.
    pub async fn run(mut self, end: CancellationToken) {
        let mut rounds = interval(PAUSE);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for round in 1_u32.. {
            tokio::select! {
                () = end.cancelled() => return,
                _ = rounds.tick() => {}
            }
            match self.store.time().await {
                Ok(now) => self.round(now, &end).await,
                Err(error) => tracing::warn!(%error, "the database does not tell the time"),
            }
            if round.is_multiple_of(ROUNDS) {
                self.positions.clear();
            }
        }
    }

    /// One round, at the time `now`, in seconds since 1970. What cannot be deleted is told to the log.
    pub async fn round(&mut self, now: i64, end: &CancellationToken) {
        // clock: a round that takes long rests less. What is deleted does not depend on it.
        let began = Instant::now();
        for (what, seconds) in self.kept.seconds() {
            let until = now.saturating_sub(seconds);
            match self.delete(what, until, began, end).await {
                Ok(0) => {}
                Ok(rows) => tracing::info!(rows, ?what, "deleted what has outlived its time"),
                Err(error) => {
                    tracing::warn!(%error, ?what, "could not delete what has outlived its time");
                }
            }
        }
    }

    /// Deletes step by step. Answers with how many rows that were.
    async fn delete(
        &mut self,
        what: Expired,
        until: i64,
        // clock: as in `round`
        round: Instant,
        end: &CancellationToken,
    ) -> Result<u64, OperatorError> {
        let mut all = 0_u64;
        let position = self.positions.entry(what).or_default();
        loop {
            // clock: how long to rest; what is deleted does not depend on it.
            let begun = Instant::now();
            let step = self.store.forget(what, until, *position).await?;
            *position = step.position;
            all = all.saturating_add(step.rows);
            if step.is_last || end.is_cancelled() {
                return Ok(all);
            }
            if self.rests {
                let pause = begun.elapsed().saturating_mul(rest(round.elapsed()));
                tokio::select! {
                    () = end.cancelled() => return Ok(all),
                    () = sleep(pause) => {}
                }
            }
        }
    }
}

impl std::fmt::Debug for Retention {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Retention")
            .field("kept", &self.kept)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn a_round_rests_less_the_longer_it_lasts() {
        let minutes =
            [0, 9, 10, 20, 50, 1_000_000].map(|minutes| Duration::from_secs(minutes * 60));
        assert_eq!(minutes.map(rest), [100, 100, 50, 25, 3, 2]);
    }

    #[test]
    fn the_page_says_how_often_things_are_deleted_and_that_many_rounds_are_a_day() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(root.join("../../docs/operating.md")).unwrap();
        let minutes = PAUSE.as_secs() / 60;
        let rests = format!("a pause {REST} times as long");
        let least = format!("down to {LEAST_REST} times");
        for says in [format!("every {minutes} minutes"), rests, least] {
            assert!(page.contains(&says), "{says}");
        }
        assert_eq!(i64::from(ROUNDS) * PAUSE.as_secs() as i64, DAY);
    }
}
