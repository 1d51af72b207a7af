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
    began: Instant,
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
            began: now,
            until: now + jittered(time.min(retry.longest)),
            reason: reason.clone(),
        };
        self.0.insert(part, pause);
    }

    /// Ends the pause of a part, because one of its emails was accepted. `begun` is when that email was begun: if that was
    /// before the pause, the email does not show that the server takes more, and the pause goes on.
    pub(super) fn end(&mut self, part: &Part, begun: Instant) {
        if self.0.get(part).is_some_and(|pause| begun >= pause.began) {
            self.0.remove(part);
        }
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

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    /// Longer than the longest first pause.
    const LONG: Duration = Duration::from_secs(100);

    #[tokio::test(start_paused = true)]
    async fn an_email_that_was_in_flight_when_a_pause_began_does_not_end_it() {
        let (retry, reason) = (Retry::default(), Reason::new("450 4.7.28 too fast"));
        let part = Part::Destination(AccountId::from_number(1), "reader.example".to_owned());
        let mut pauses = Pauses::default();
        let before = Instant::now();
        tokio::time::advance(Duration::from_secs(1)).await;
        pauses.begin(part.clone(), &retry, &reason);
        pauses.end(&part, before);
        let (left, _) = pauses.of(&part).unwrap();
        assert!(left > Duration::ZERO);
        // The pause counts when the next one begins, which is longer.
        tokio::time::advance(LONG).await;
        assert!(pauses.of(&part).is_none());
        pauses.end(&part, before);
        pauses.begin(part.clone(), &retry, &reason);
        assert_eq!(pauses.0.get(&part).unwrap().strikes, 1);
        // An email that was begun after the pause ends it, and the next pause is a first one.
        tokio::time::advance(2 * LONG).await;
        pauses.end(&part, Instant::now());
        assert!(pauses.is_empty());
    }
}
