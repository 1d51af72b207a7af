//! How much is sent at once, and for how long it is tried.

use std::time::Duration;

use super::destinations::DomainLimit;

/// How much a worker does at once, and for how long it tries.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Emails that are being sent at once.
    pub sends: usize,
    /// Emails that are being sent at once to one domain, where that is limited: the first that names it counts.
    pub domains: Vec<DomainLimit>,
    /// Deliveries of one account for which an email of another waits at most.
    pub batch: u16,
    /// Bytes of HTML that wait at once, each text once; and that are being sent at once. One email may have more.
    pub batch_bytes: u64,
    /// How long a claim holds without being renewed. It is more than `answer`.
    pub lease: Duration,
    /// The longest wait after the end of an email's data: 10 minutes (RFC 5321, 4.5.3.2.6), and some time to settle it. A
    /// lease that does not hold for that long does not let an email be finished.
    pub answer: Duration,
    /// The longest time for sending one email: all waits of RFC 5321, 4.5.3.2 are shorter together.
    pub send: Duration,
    /// When what could not be sent is tried again.
    pub retry: Retry,
    /// For how long sending pauses after a fault of the transport. It doubles with each further one.
    pub pause: Duration,
    /// The longest such pause.
    pub longest_pause: Duration,
    /// After how much time it is looked for work of which no signal came.
    pub idle: Duration,
}

/// When what could not be sent is tried again.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    /// The first pause, about. It doubles with each attempt.
    pub first: Duration,
    /// The longest pause, about.
    pub longest: Duration,
    /// The time after the first attempt from which a failure is the last one.
    pub give_up: Duration,
}

impl Limits {
    /// Deliveries that are held at once: those that are being sent, those that wait for it, those that are being settled. An
    /// email of another account waits for all of them, and is overtaken by those that are sent at once: by less than a batch.
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
            lease: Duration::from_secs(15 * 60),
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
