//! What is known of the plan of a call.

use core::sync::atomic::{AtomicU8, Ordering};

/// No plan was handed out, or a conflict has said since that it was not carried out.
const NO: u8 = 0;
/// An answer is being given that may be one to a commit. If it is, the host had the plan.
const MAYBE: u8 = 1;
/// The host had the plan.
const YES: u8 = 2;

/// Whether a plan was handed out, and no conflict has said since that it was not carried out.
pub(super) struct HandedOut(AtomicU8);

impl HandedOut {
    pub(super) fn new() -> Self {
        Self(AtomicU8::new(NO))
    }

    /// It is true as well while an answer is being given that may be one to a commit.
    pub(super) fn is_true(&self) -> bool {
        self.0.load(Ordering::Acquire) != NO
    }

    pub(super) fn set(&self, is_true: bool) {
        let known = if is_true { YES } else { NO };
        self.0.store(known, Ordering::Release);
    }

    /// Notes that an answer is being given that may be one to a commit.
    #[inline]
    pub(super) fn suppose(&self) {
        self.replace(NO, MAYBE);
    }

    /// Takes back [`HandedOut::suppose`]. What was known before it still holds, and so does what another thread has set since.
    #[inline]
    pub(super) fn take_back(&self) {
        self.replace(MAYBE, NO);
    }

    fn replace(&self, from: u8, to: u8) {
        let (done, failed) = (Ordering::AcqRel, Ordering::Acquire);
        let _ = self.0.compare_exchange(from, to, done, failed);
    }
}
