//! The bytes of bodies that are held at once, by all calls.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What a call counts for at least, and the unit in which bytes are counted: a call costs memory beside its body.
const UNIT: u64 = 4096;

/// How many bytes of bodies may be held at once. A call that gets none is refused at once: there is no queue.
#[derive(Clone, Debug)]
pub(super) struct Budget(Arc<Semaphore>);

/// A part of the budget, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    permit: OwnedSemaphorePermit,
    budget: Budget,
}

impl Budget {
    pub(super) fn new(bytes: u64) -> Self {
        let units = usize::try_from(bytes.div_ceil(UNIT)).unwrap_or(usize::MAX);
        Self(Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))))
    }

    /// A part for a call whose body is about to come.
    pub(super) fn open(&self) -> Option<Held> {
        let permit = Arc::clone(&self.0).try_acquire_owned().ok()?;
        let budget = self.clone();
        Some(Held { permit, budget })
    }
}

impl Held {
    /// Makes the part large enough for that many bytes; `None` when there is no room.
    pub(super) fn grow(&mut self, bytes: u64) -> Option<()> {
        let units = usize::try_from(bytes.div_ceil(UNIT)).ok()?;
        let more = units.saturating_sub(self.permit.num_permits());
        if more > 0 {
            let more = u32::try_from(more).ok()?;
            let more = Arc::clone(&self.budget.0)
                .try_acquire_many_owned(more)
                .ok()?;
            self.permit.merge(more);
        }
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

    #[test]
    fn a_body_that_has_no_room_is_told_so_and_what_was_held_comes_back() {
        let budget = Budget::new(3 * UNIT);
        let mut one = budget.open().unwrap();
        one.grow(2 * UNIT).unwrap();
        let mut other = budget.open().unwrap();
        assert!(other.grow(UNIT + 1).is_none());
        assert!(budget.open().is_none());
        drop(one);
        other.grow(3 * UNIT).unwrap();
    }
}
