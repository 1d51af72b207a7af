//! Pauses after faults of the transport.

use std::time::Duration;

use tokio::time::Instant;

use super::limits::Limits;
use super::retry::jittered;

/// Whether the transport works.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fault {
    /// How often the transport has failed since it last worked.
    strikes: u32,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Works,
    /// Nothing is sent before this moment.
    Paused(Instant),
    /// One email is sent, to see whether it works again.
    Tried,
}

impl Fault {
    /// Notes a fault of the transport. Returns the pause, if one begins.
    pub(super) fn strike(&mut self, limits: &Limits) -> Option<Duration> {
        if let State::Paused(_) = self.state {
            // The email was already in flight when the pause began.
            return None;
        }
        let pause = limits.pause.saturating_mul(1 << self.strikes.min(20));
        let pause = jittered(pause.min(limits.longest_pause));
        self.strikes = self.strikes.saturating_add(1);
        self.state = State::Paused(Instant::now() + pause);
        Some(pause)
    }

    /// Notes that the transport has accepted an email, or refused one for good. Returns whether this ends a fault.
    pub(super) fn works(&mut self) -> bool {
        let was_known = self.is_known();
        *self = Self::default();
        was_known
    }

    /// Notes that an email has failed for a reason of its own. Others can be sent.
    pub(super) fn may_work(&mut self) {
        if self.state == State::Tried {
            self.state = State::Works;
        }
    }

    /// Returns how much may be claimed, and from which moment on.
    pub(super) fn room(&mut self) -> Room {
        match self.state {
            State::Works => Room::Free,
            State::Tried => Room::One,
            State::Paused(until) if Instant::now() >= until => {
                self.state = State::Tried;
                Room::One
            }
            State::Paused(until) => Room::None(until),
        }
    }

    /// Whether the transport has failed, and is not known to work again.
    pub(super) const fn is_known(&self) -> bool {
        self.strikes > 0
    }

    /// Whether sending is paused, so that claimed emails must not be sent.
    pub(super) fn is_paused(&self) -> bool {
        matches!(self.state, State::Paused(_))
    }
}

/// How much may be claimed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Room {
    Free,
    /// One email, if nothing else is held.
    One,
    /// Nothing before this moment.
    None(Instant),
}
