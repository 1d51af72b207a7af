//! Pauses of a part of the mail: of one sender of an account, or of what an account sends to one domain. Nobody else waits.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::limits::Retry;
use super::retry::jittered;
use crate::mail::Reason;
use crate::store::AccountId;

/// What is paused by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The mail of an account from that sender: the server refuses it.
    Sender(AccountId, String),
    /// The mail of an account to that domain: the server says that it comes too fast.
    Destination(AccountId, String),
}

#[derive(Debug)]
struct Pause {
    /// How often it was paused without having worked between.
    strikes: u32,
    until: Instant,
    reason: Reason,
}

/// The parts that are paused, or were until a short while ago.
#[derive(Debug, Default)]
pub(super) struct Pauses(HashMap<Part, Pause>);

impl Pauses {
    /// Begins a pause, longer each time. Of several emails that were on their way the first one counts.
    pub(super) fn begin(&mut self, part: Part, retry: &Retry, reason: &Reason) {
        let now = Instant::now();
        // What was not tried for a while since begins anew.
        self.0.retain(|_, pause| now < pause.until + retry.longest);
        let strikes = match self.0.get(&part) {
            Some(pause) if now < pause.until => return,
            Some(pause) => pause.strikes.saturating_add(1),
            None => 0,
        };
        let time = retry.first.saturating_mul(1 << strikes.min(30));
        let pause = Pause {
            strikes,
            until: now + jittered(time.min(retry.longest)),
            reason: reason.clone(),
        };
        self.0.insert(part, pause);
    }

    /// An email of it was taken: it works again.
    pub(super) fn end(&mut self, part: &Part) {
        self.0.remove(part);
    }

    /// For how long it is paused yet, and why.
    pub(super) fn of(&self, part: &Part) -> Option<(Duration, &Reason)> {
        let pause = self.0.get(part)?;
        let left = pause.until.checked_duration_since(Instant::now())?;
        Some((left, &pause.reason))
    }

    /// Whether nothing is paused, so that nobody has to look.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
