//! The outbox in the database. A delivery is claimed for a time, and settled by the holder of the claim.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use franking::EventType;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::Answer;
use super::events::{About, NewEvent};
use super::identity::{AccountId, CallId};
use super::operator::Reply;
use super::queue::Queue;
use crate::mail::{Delivery, Reason};

/// Claims, settles and manages deliveries.
pub trait Outbox: Send + Sync + 'static {
    /// Claims a batch of due deliveries of all accounts except `without`. Claims go round by account: each account that has
    /// something due gets an equal share.
    fn claim_batch(&self, ask: Ask, without: Vec<AccountId>) -> Answer<Batch>;

    /// Renews leases, each for `time` from now. Returns the deliveries whose leases hold. The caller has lost the others:
    /// another worker has taken them over, or they are cancelled.
    fn renew(&self, leases: Vec<Lease>, time: Duration) -> Answer<HashSet<i64>>;

    /// Settles deliveries, all in one transaction. Returns those that were settled. A delivery whose lease was lost is not
    /// settled.
    fn settle(&self, settled: Vec<Settled>) -> Answer<HashSet<i64>>;

    /// Returns the signals that there may be work.
    fn wakes(&self) -> Wakes;

    /// Gives this process a name for as long as the returned task is kept. Deliveries that an ended process claimed under
    /// the name can be claimed again at once, and this process keeps its own. On SQLite this does nothing, because claims
    /// end with their process.
    fn hold_name(&self, name: String) -> Answer<Option<AbortOnDropHandle<()>>>;

    /// Pauses or resumes sending, for an account or for all. Emails that are being sent are finished.
    fn set_paused(&self, account: Option<AccountId>, paused: bool) -> Reply<()>;

    /// Makes deliveries that wait for their next attempt due at once. Returns how many.
    fn retry(&self, which: Which) -> Reply<u64>;

    /// Ends waiting deliveries as bounced, with the reason "cancelled". A delivery that is delivered nevertheless, because
    /// it was being sent, is recorded as delivered. Returns how many were cancelled.
    fn cancel(&self, which: Which) -> Reply<u64>;

    /// Makes a delivery that has ended due again. Its reader gets the email once more. A delivery that was cancelled while it
    /// was claimed may be on its way until its lease ends. Before that it is not made due, because it would be sent twice.
    fn resend(&self, delivery: i64) -> Reply<()>;

    /// Counts the emails that wait, up to `at_most` of each account. This takes time in proportion to the count, however
    /// many emails have ended before.
    fn queue(&self, at_most: u32) -> Reply<Queue>;
    /// Returns at most `at_most` answers of the mail server to emails that wait: the most frequent ones among the last emails
    /// of each account, each with the number of these emails.
    fn waiting_reasons(&self, at_most: u32) -> Reply<Vec<(String, i64)>>;
}

/// How much is claimed at once.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// How many deliveries at most.
    pub most: u16,
    /// How many bytes of HTML at most. Deliveries that do not fit are left out.
    pub bytes: u64,
    /// Whether one delivery that does not fit is claimed as well, whatever its length.
    pub longer: bool,
    /// The length of the lease.
    pub lease: Duration,
}

/// A batch that was claimed.
#[derive(Debug)]
pub struct Batch {
    /// In the order in which they are to be sent.
    pub deliveries: Vec<Claimed>,
    /// If nothing was claimed: the time until something is due, if anything waits that is not paused.
    pub next: Option<Duration>,
}

/// A claimed delivery.
#[derive(Debug)]
pub struct Claimed {
    /// The claim.
    pub lease: Lease,
    /// The account.
    pub account: AccountId,
    /// How often it was tried before.
    pub attempts: u32,
    /// How long ago it was first tried.
    pub tried: Duration,
    /// The delivery from which its email is made, or why there is none.
    pub delivery: Result<Delivery, Unsendable>,
}

/// Why no email is made of a claimed delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsendable {
    /// It lacks something that an email is made of, which this names.
    #[error("the stored delivery has no {0}")]
    Lacks(&'static str),
    /// Its recipient has become INACTIVE after the call was accepted, or has unsubscribed.
    #[error("the recipient is INACTIVE or has unsubscribed")]
    Inactive,
}

/// A claim to one delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The delivery's number.
    pub delivery: i64,
    /// The claim's number. Each claim to the same delivery has another number.
    pub claim: i64,
}

/// A claimed delivery, and its settlement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The claim.
    pub lease: Lease,
    /// The settlement.
    pub end: Settlement,
}

/// The settlement of a claimed delivery. The reason is kept in its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// It was delivered.
    Delivered(Reason),
    /// It is given up for good.
    Bounced(Reason),
    /// It was tried, and is due again after this time.
    Postponed(Duration, Reason),
    /// It was not tried, and is due again after this time.
    GivenBack(Duration, Option<Reason>),
}

impl Settled {
    /// Returns the events of a settled delivery. If it was cancelled but delivered nevertheless, the first event undoes the
    /// bounce.
    pub(super) fn events(&self, cancelled: bool) -> Vec<NewEvent> {
        let about = About::Delivery(self.lease.delivery);
        let with = |kind, reason: &Reason| NewEvent {
            reason: Some(reason.clone()),
            ..NewEvent::new(about, kind)
        };
        match &self.end {
            Settlement::Delivered(answer) => {
                let undone = cancelled.then(|| NewEvent::new(about, EventType::NotBounced));
                let delivered = with(EventType::Delivered, answer);
                undone.into_iter().chain([delivered]).collect()
            }
            Settlement::Bounced(reason) => vec![with(EventType::Bounced, reason)],
            Settlement::Postponed(..) | Settlement::GivenBack(..) => Vec::new(),
        }
    }

    /// Whether its event may suppress its subscriber.
    pub(super) fn may_suppress(&self) -> bool {
        self.events(false).iter().any(NewEvent::may_suppress)
    }
}

impl Settlement {
    /// Returns why an attempt failed after which the delivery is tried again: the answer of the mail server.
    pub(super) fn postponed_because(&self) -> Option<&Reason> {
        match self {
            Self::Postponed(_, reason) => Some(reason),
            Self::Delivered(_) | Self::Bounced(_) | Self::GivenBack(..) => None,
        }
    }

    /// The state of the delivery's record.
    #[must_use]
    pub const fn state(&self) -> &'static str {
        match self {
            Self::Delivered(_) => "delivered",
            Self::Bounced(_) => "bounced",
            Self::Postponed(..) | Self::GivenBack(..) => "queued",
        }
    }

    /// The time after which it is due again, if it is.
    #[must_use]
    pub const fn due(&self) -> Option<Duration> {
        match self {
            Self::Delivered(_) | Self::Bounced(_) => None,
            Self::Postponed(after, _) | Self::GivenBack(after, _) => Some(*after),
        }
    }

    /// How many attempts it took: 0 or 1.
    pub(super) const fn attempts(&self) -> i32 {
        match self {
            Self::GivenBack(..) => 0,
            _ => 1,
        }
    }

    fn why(&self) -> Option<&Reason> {
        match self {
            Self::Delivered(reason) | Self::Bounced(reason) | Self::Postponed(_, reason) => {
                Some(reason)
            }
            Self::GivenBack(_, reason) => reason.as_ref(),
        }
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.why().map(Reason::as_str)
    }

    /// The enhanced status code of its reason.
    pub(super) fn status(&self) -> Option<String> {
        let code = self.why().and_then(Reason::code);
        code.map(|code| code.to_string())
    }
}

/// Which deliveries the operator means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// Those of an account.
    Account(AccountId),
    /// Those of a call.
    Call(CallId),
}

impl Which {
    pub(super) const fn account(self) -> Option<i64> {
        match self {
            Self::Account(id) => Some(id.number()),
            _ => None,
        }
    }

    pub(super) fn call(self) -> Option<i64> {
        match self {
            Self::Call(id) => Some(super::asked::to_signed(id.number())),
            _ => None,
        }
    }
}

/// How many deliveries a command of the operator changes in one transaction, so that others do not wait long.
pub(super) const PART: u32 = 5_000;

/// How long a claim of a worker holds without being renewed.
pub(crate) const LEASE: Duration = Duration::from_secs(15 * 60);

/// How long a delivery may still be on its way after it was cancelled. A claim that was renewed at that moment is over by then.
pub(super) const ON_ITS_WAY: Duration = LEASE.saturating_add(Duration::from_secs(60));

/// Signals that there may be something to claim.
pub struct Wakes {
    work: Arc<Notify>,
    /// Brings signals from other processes for as long as this is kept.
    _listener: Option<AbortOnDropHandle<()>>,
}

impl Wakes {
    pub(super) const fn new(work: Arc<Notify>, listener: Option<AbortOnDropHandle<()>>) -> Self {
        Self {
            work,
            _listener: listener,
        }
    }

    /// Waits for the next signal. A signal that came when nobody waited is kept.
    pub async fn next(&self) {
        self.work.notified().await;
    }
}

impl fmt::Debug for Wakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wakes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_when_a_cancelled_email_can_be_sent_again() {
        let page = include_str!("../../../../docs/emails.md").replace('\n', " ");
        let minutes = ON_ITS_WAY.as_secs() / 60;
        let said = format!("Whether it was is certain {minutes} minutes later");
        assert!(page.contains(&said), "{said}");
    }
}
