//! Whether an email may be finished: asked of the lease right before the end of its data.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use crate::mail::MayFinish;
use crate::moment::Moment;

const OPEN: u8 = 0;
const PASSED: u8 = 1;
const CLOSED: u8 = 2;

/// What stands between an email's data and its end. It is passed once, while the lease holds, or closed.
#[derive(Debug)]
pub(super) struct Gate {
    state: AtomicU8,
    /// The moment up to which the lease holds, in milliseconds.
    until: AtomicU64,
    /// The time for which a lease has to hold.
    answer: Duration,
}

impl Gate {
    /// Of a lease of that time, asked for at a moment: by the database's clock it ends later, if at all.
    pub(super) fn new(asked: Moment, lease: Duration, answer: Duration) -> Arc<Self> {
        Arc::new(Self {
            state: AtomicU8::new(OPEN),
            until: AtomicU64::new(asked.milliseconds_after(lease)),
            answer,
        })
    }

    /// The lease was renewed.
    pub(super) fn renew(&self, asked: Moment, lease: Duration) {
        let until = asked.milliseconds_after(lease);
        self.until.store(until, Ordering::Release);
    }

    /// The lease was lost.
    pub(super) fn lose(&self) {
        self.until.store(0, Ordering::Release);
    }

    /// Passes, if the lease holds for long enough.
    fn pass(&self) -> bool {
        let holds =
            Moment::now().milliseconds_after(self.answer) <= self.until.load(Ordering::Acquire);
        holds && self.turn_to(PASSED)
    }

    /// Closes the gate. Answers whether nothing has passed: then the email is not sent.
    pub(super) fn close(&self) -> bool {
        self.turn_to(CLOSED)
    }

    fn turn_to(&self, state: u8) -> bool {
        let turned = self
            .state
            .compare_exchange(OPEN, state, Ordering::AcqRel, Ordering::Acquire);
        turned.is_ok()
    }

    /// What a transport asks.
    pub(super) fn ask(self: &Arc<Self>) -> MayFinish {
        let gate = Arc::clone(self);
        Box::pin(async move { gate.pass() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_gate_is_passed_once_and_not_after_it_was_closed() {
        let gate = Gate::new(Moment::now(), 15 * MINUTE, 10 * MINUTE);
        assert!(gate.pass());
        assert!(!gate.pass());
        assert!(!gate.close());
        let gate = Gate::new(Moment::now(), 15 * MINUTE, 10 * MINUTE);
        assert!(gate.close());
        assert!(!gate.pass());
    }

    #[test]
    fn a_lease_has_to_hold_for_as_long_as_an_answer_may_take() {
        let gate = Gate::new(Moment::now(), 9 * MINUTE, 10 * MINUTE);
        assert!(!gate.pass());
        gate.renew(Moment::now(), 15 * MINUTE);
        assert!(gate.pass());
        let gate = Gate::new(Moment::now(), 15 * MINUTE, 10 * MINUTE);
        gate.lose();
        assert!(!gate.pass());
    }
}
