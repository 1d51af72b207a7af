//! Deletes data that has outlived its time. Each kind of data has a setting of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
// clock: pauses between steps and rounds. The database's time decides what is deleted.
use std::time::{Duration, Instant};

use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use crate::store::{DAY, Expired, KEPT_SECONDS, OperatorError, Position, Store};

/// The time between two rounds. Meanwhile data that has outlived its time has no effect: it only takes up space.
const PAUSE: Duration = Duration::from_secs(600);
/// The number of rounds after which rows that could not be deleted are looked at again: once a day.
const ROUNDS: u32 = 144;
/// A step is followed by a pause of this many times its duration, so that one call in a hundred meets a step.
const REST: u32 = 100;
/// The shortest pause, in durations of the step. A round that lasts long rests less: after each ten minutes, half as long.
const LEAST_REST: u32 = 2;

/// Returns how many times as long as a step the pause is, after the round has lasted for `round`.
fn rest(round: Duration) -> u32 {
    let halvings = u32::try_from(round.as_secs() / PAUSE.as_secs()).unwrap_or(u32::MAX);
    REST.checked_shr(halvings).unwrap_or(0).max(LEAST_REST)
}

/// The days for which each kind of data is kept.
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
    /// Addresses and agents of readers who are tracked; `None` if they are not kept.
    pub readers: Option<u16>,
    /// Followed links and loaded images.
    pub hits: u16,
    /// What operators did.
    pub audit: u16,
}

impl Kept {
    /// The kinds of data that are deleted, with the seconds for which each is kept. Rows are deleted before the rows that
    /// they refer to.
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
            // Rows that were kept before the setting was removed are deleted as well.
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
    /// The positions at which the steps of the last round ended.
    positions: BTreeMap<Expired, Position>,
    rests: bool,
}

impl Retention {
    /// A task for a store. It deletes nothing yet.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, kept: Kept) -> Self {
        Self {
            store,
            kept,
            positions: BTreeMap::new(),
            rests: true,
        }
    }

    /// The same task without pauses, for a database that nobody else uses.
    #[must_use]
    pub fn without_rest(self) -> Self {
        Self {
            rests: false,
            ..self
        }
    }

    /// Deletes data that has outlived its time, until `end`. The first round begins at once.
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

    /// Runs one round at the time `now`, in seconds since 1970. Failures are logged.
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

    /// Deletes step by step, and returns the number of rows.
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
