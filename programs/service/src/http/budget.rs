//! The budget of the bytes that the bodies of all calls may hold at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
// clock: which body has stalled longest.
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::pace::Pace;

/// The unit in which bytes are counted. A call counts for at least one unit, because it costs memory besides its body.
const UNIT: u64 = 4096;
/// The longest short body, in units. A part of the budget is for short bodies alone.
const SHORT_UNITS: usize = 16;
/// The time without new bytes after which a body may be given up in favour of another one.
const STALLED: Duration = Duration::from_secs(1);
/// The longest time to wait for the bytes of a body that was given up.
const GRACE: Duration = Duration::from_secs(1);

/// The bytes of bodies that may be held at once. A quarter of them is for short bodies alone. If there are too few for a
/// call, the body that has stalled longest is given up. If no body has stalled, the call is refused at once.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    all: Arc<Semaphore>,
    /// The part that longer bodies may take.
    long: Arc<Semaphore>,
    coming: Arc<Coming>,
    /// How fast longer bodies are read.
    pace: Pace,
}

/// The bodies that are being read.
#[derive(Debug, Default)]
struct Coming {
    bodies: Mutex<Bodies>,
    /// Notified when a body has ended.
    ended: Notify,
}

#[derive(Debug, Default)]
struct Bodies {
    last: u64,
    all: HashMap<u64, (Instant, CancellationToken)>,
}

/// A part of the budget, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    all: OwnedSemaphorePermit,
    long: Option<OwnedSemaphorePermit>,
    budget: Budget,
    id: u64,
    /// Cancelled when the body is given up in favour of another one.
    given_up: CancellationToken,
}

/// The length of the longest body that fits into a budget of `bytes` bytes.
pub(crate) const fn longest_body(bytes: u64) -> u64 {
    bytes.saturating_sub(bytes / 4)
}

impl Budget {
    pub(super) fn new(bytes: u64) -> Self {
        let semaphore = |bytes: u64| {
            let units = usize::try_from(bytes.div_ceil(UNIT)).unwrap_or(usize::MAX);
            Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS)))
        };
        Self {
            all: semaphore(bytes),
            long: semaphore(longest_body(bytes)),
            coming: Arc::default(),
            pace: Pace::of_large_bodies(),
        }
    }

    /// Takes a part for a call whose body is about to come. `None` if nothing is free.
    pub(super) async fn open(&self) -> Option<Held> {
        let mut ends = std::pin::pin!(self.coming.ended.notified());
        ends.as_mut().enable();
        let all = match Arc::clone(&self.all).try_acquire_owned() {
            Ok(all) => all,
            Err(_) => {
                self.coming.give_up_stalled(None)?;
                // clock: a body that is given up ends at once
                let _ = timeout(GRACE, ends).await;
                Arc::clone(&self.all).try_acquire_owned().ok()?
            }
        };
        let given_up = CancellationToken::new();
        let id = self.coming.begin(given_up.clone());
        Some(Held {
            all,
            long: None,
            budget: self.clone(),
            id,
            given_up,
        })
    }
}

impl Held {
    /// Grows the part to `bytes` bytes. `None` if the budget has too few.
    pub(super) async fn grow(&mut self, bytes: u64) -> Option<()> {
        let units = usize::try_from(bytes.div_ceil(UNIT)).ok()?;
        while self.try_grow(units).is_none() {
            let coming = Arc::clone(&self.budget.coming);
            let mut ends = std::pin::pin!(coming.ended.notified());
            ends.as_mut().enable();
            coming.give_up_stalled(Some(self.id))?;
            // clock: a body that is given up ends at once
            let _ = timeout(GRACE, ends).await;
        }
        Some(())
    }

    fn try_grow(&mut self, units: usize) -> Option<()> {
        let take = |of: &Arc<Semaphore>, more: usize| {
            let more = u32::try_from(more).ok()?;
            Arc::clone(of).try_acquire_many_owned(more).ok()
        };
        if units > SHORT_UNITS {
            let had = self
                .long
                .as_ref()
                .map_or(0, OwnedSemaphorePermit::num_permits);
            let more = take(&self.budget.long, units.saturating_sub(had))?;
            match &mut self.long {
                Some(long) => long.merge(more),
                None => self.long = Some(more),
            }
        }
        let more = units.saturating_sub(self.all.num_permits());
        self.all.merge(take(&self.budget.all, more)?);
        Some(())
    }

    /// Notes that more of the body has come.
    pub(super) fn comes(&self) {
        self.has_come_until(Instant::now());
    }

    /// Waits after `bytes` bytes of a large body were read, until more of it may be read.
    pub(super) async fn pace(&self, bytes: usize) {
        let next = self.budget.pace.count(bytes);
        // It is the service that waits. The body has not stalled.
        self.has_come_until(next.into_std());
        sleep_until(next).await;
    }

    fn has_come_until(&self, time: Instant) {
        if let Some((since, _)) = self.budget.coming.lock().all.get_mut(&self.id) {
            *since = time;
        }
    }

    /// Notes that the body is whole, so that it is not given up any more.
    pub(super) fn is_whole(&self) {
        self.budget.coming.lock().all.remove(&self.id);
    }

    /// Cancelled when the body is given up in favour of another one.
    pub(super) fn given_up(&self) -> CancellationToken {
        self.given_up.clone()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.is_whole();
        // The bytes are released before those who wait for them are notified.
        drop(self.all.split(self.all.num_permits()));
        self.long = None;
        self.budget.coming.ended.notify_waiters();
    }
}

impl Coming {
    fn lock(&self) -> MutexGuard<'_, Bodies> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, given_up: CancellationToken) -> u64 {
        let mut bodies = self.lock();
        bodies.last = bodies.last.wrapping_add(1);
        let id = bodies.last;
        bodies.all.insert(id, (Instant::now(), given_up));
        id
    }

    /// Gives up the body that has stalled longest, leaving out the body `but`. `None` if no body has stalled.
    fn give_up_stalled(&self, but: Option<u64>) -> Option<()> {
        let mut bodies = self.lock();
        let others = bodies.all.iter().filter(|(id, _)| Some(**id) != but);
        let (id, (since, _)) = others.min_by_key(|(_, (since, _))| *since)?;
        if since.elapsed() < STALLED {
            return None;
        }
        let id = *id;
        let (_, given_up) = bodies.all.remove(&id)?;
        given_up.cancel();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[tokio::test]
    async fn a_body_that_has_no_room_is_told_so_and_what_was_held_comes_back() {
        let budget = Budget::new(3 * UNIT);
        let mut one = budget.open().await.unwrap();
        one.grow(2 * UNIT).await.unwrap();
        let mut other = budget.open().await.unwrap();
        assert!(other.grow(UNIT + 1).await.is_none());
        assert!(budget.open().await.is_none());
        drop(one);
        other.grow(3 * UNIT).await.unwrap();
    }

    #[tokio::test]
    async fn a_part_is_for_short_bodies_alone() {
        let budget = Budget::new(1 << 20);
        let mut long = budget.open().await.unwrap();
        long.grow(longest_body(1 << 20)).await.unwrap();
        let mut other = budget.open().await.unwrap();
        assert!(other.grow(100 << 10).await.is_none());
        assert!(other.grow(64 << 10).await.is_some());
    }

    #[tokio::test]
    async fn the_body_that_has_stalled_longest_makes_room() {
        let budget = Budget::new(1 << 20);
        let mut stalled = budget.open().await.unwrap();
        stalled.grow(500 << 10).await.unwrap();
        // clock: the body that stalled first stays the same, however late this is
        tokio::time::sleep(STALLED).await;
        let given_up = stalled.given_up();
        let ends = tokio::spawn(async move {
            given_up.cancelled().await;
            drop(stalled);
        });
        let mut other = budget.open().await.unwrap();
        assert!(other.grow(500 << 10).await.is_some());
        ends.await.unwrap();
    }
}
