//! The gate of an email. It is asked right before the end of the email's data whether the lease still holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

use crate::mail::MayFinish;
use crate::moment::Moment;

const OPEN: u8 = 0;
const PASSED: u8 = 1;
const CLOSED: u8 = 2;

/// Decides whether the end of an email's data may be sent. The gate is passed once, while the lease holds, or it is closed.
#[derive(Debug)]
pub(super) struct Gate {
    state: AtomicU8,
    /// The moment up to which the lease holds, in milliseconds.
    until: AtomicU64,
    /// How long the lease still has to hold when the gate is passed.
    answer: Duration,
}

impl Gate {
    /// Makes the gate of a lease that was asked for at a moment. The database counts the lease from then or later, so the
    /// lease holds at least as long as the gate assumes.
    pub(super) fn new(asked: Moment, lease: Duration, answer: Duration) -> Arc<Self> {
        Arc::new(Self {
            state: AtomicU8::new(OPEN),
            until: AtomicU64::new(asked.milliseconds_after(lease)),
            answer,
        })
    }

    /// Notes that the lease was renewed.
    pub(super) fn renew(&self, asked: Moment, lease: Duration) {
        let until = asked.milliseconds_after(lease);
        self.until.store(until, Ordering::Release);
    }

    /// Notes that the lease was lost.
    pub(super) fn lose(&self) {
        self.until.store(0, Ordering::Release);
    }

    /// Passes the gate if the lease holds for long enough.
    fn pass(&self) -> bool {
        let holds =
            Moment::now().milliseconds_after(self.answer) <= self.until.load(Ordering::Acquire);
        holds && self.turn_to(PASSED)
    }

    /// Closes the gate. Returns `true` if it was neither passed nor closed before: the email is not sent then.
    pub(super) fn close(&self) -> bool {
        self.turn_to(CLOSED)
    }

    fn turn_to(&self, state: u8) -> bool {
        let turned = self
            .state
            .compare_exchange(OPEN, state, Ordering::AcqRel, Ordering::Acquire);
        turned.is_ok()
    }

    /// Returns the question that a transport asks before it finishes the email.
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
