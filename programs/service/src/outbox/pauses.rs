//! Pauses of a part of the mail: the mail of one sender of an account, or the mail of an account to one domain. Other mail
//! does not wait.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::limits::Retry;
use super::retry::jittered;
use crate::mail::Reason;
use crate::store::AccountId;

/// A part of the mail that is paused on its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The mail of an account from this sender, which the server refuses.
    Sender(AccountId, String),
    /// The mail of an account to this domain, because the server says that it comes too fast.
    Destination(AccountId, String),
}

#[derive(Debug)]
struct Pause {
    /// How often the part has been paused since it last worked.
    strikes: u32,
    until: Instant,
    reason: Reason,
}

/// The parts that are paused, or were paused a short while ago.
#[derive(Debug, Default)]
pub(super) struct Pauses(HashMap<Part, Pause>);

impl Pauses {
    /// Begins a pause, which is longer each time. Of several emails that were in flight, only the first one counts.
    pub(super) fn begin(&mut self, part: Part, retry: &Retry, reason: &Reason) {
        let now = Instant::now();
        // A part whose pause ended a while ago begins with the first pause again.
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

    /// Ends the pauses of a part, because an email of it was accepted.
    pub(super) fn end(&mut self, part: &Part) {
        self.0.remove(part);
    }

    /// Returns how long a part is still paused, and why.
    pub(super) fn of(&self, part: &Part) -> Option<(Duration, &Reason)> {
        let pause = self.0.get(part)?;
        let left = pause.until.checked_duration_since(Instant::now())?;
        Some((left, &pause.reason))
    }

    /// Whether no part is paused or was paused a short while ago, so that nothing has to be looked up.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
