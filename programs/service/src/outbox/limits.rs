//! The limits of a worker.

use std::time::Duration;

use super::destinations::DomainLimit;
use crate::store::LEASE;

/// How much a worker does at once, and for how long it tries.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum number of emails that are being sent at once.
    pub sends: usize,
    /// The limits of emails that are being sent at once to one domain. The first limit that matches a domain counts.
    pub domains: Vec<DomainLimit>,
    /// The maximum number of deliveries of one account for which an email of another account waits.
    pub batch: u16,
    /// The maximum number of bytes of HTML that wait, each text counted once, and the maximum that are being sent. One more
    /// email of any length may wait, and one more may be sent.
    pub batch_bytes: u64,
    /// How long a claim holds without being renewed. It is more than `answer`.
    pub lease: Duration,
    /// The longest wait after the end of an email's data: 10 minutes (RFC 5321, 4.5.3.2.6), and some time to settle the
    /// email. An email is finished only if its lease holds for that long.
    pub answer: Duration,
    /// The longest time for sending one email. All waits of RFC 5321, 4.5.3.2 together are shorter.
    pub send: Duration,
    /// When an email that could not be sent is tried again.
    pub retry: Retry,
    /// How long sending pauses after a fault of the transport. It doubles with each further fault.
    pub pause: Duration,
    /// The longest pause after a fault.
    pub longest_pause: Duration,
    /// The time after which the worker looks for work although no signal has come.
    pub idle: Duration,
}

/// When an email that could not be sent is tried again.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    /// The approximate first pause. It doubles with each attempt.
    pub first: Duration,
    /// The approximate longest pause.
    pub longest: Duration,
    /// The time after the first attempt from which on a failure is the last one.
    pub give_up: Duration,
}

impl Limits {
    /// Returns how many deliveries are held at once. They wait to be sent, are being sent, or are being settled. An email of
    /// another account waits for all of them. Meanwhile up to `sends` other emails may overtake it. The limit keeps the sum of
    /// both below a batch.
    pub(super) fn most_held(&self) -> u16 {
        let overtaking = u16::try_from(self.sends).unwrap_or(u16::MAX);
        self.batch
            .saturating_sub(overtaking.saturating_mul(2))
            .max(self.batch / 2)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sends: 32,
            domains: Vec::new(),
            batch: 256,
            batch_bytes: 32 << 20,
            lease: LEASE,
            answer: Duration::from_secs(10 * 60 + 30),
            send: Duration::from_secs(45 * 60),
            retry: Retry::default(),
            pause: Duration::from_secs(5),
            longest_pause: Duration::from_secs(5 * 60),
            idle: Duration::from_secs(30),
        }
    }
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(60),
            longest: Duration::from_secs(4 * 60 * 60),
            give_up: Duration::from_secs(5 * 24 * 60 * 60),
        }
    }
}
