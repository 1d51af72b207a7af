//! What the outbox asks of a database: a delivery is claimed for a time, and settled by whoever holds the claim.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use franking::EventType;
use tokio::sync::Notify;
use tokio_util::task::AbortOnDropHandle;

use super::Answer;
use super::events::{About, NewEvent};
use super::identity::{AccountId, CallId};
use super::message_id;
use super::operator::Reply;
use super::queue::Queue;
use crate::mail::{Delivery, Reason, SentHtml};

/// Deliveries on their way out.
pub trait Outbox: Send + Sync + 'static {
    /// Claims a batch of what is due, of all accounts but those. Claims go round by account: each that has something due gets
    /// an equal share.
    fn claim_batch(&self, ask: Ask, without: Vec<AccountId>) -> Answer<Batch>;

    /// Renews leases, each for that time from now. Answers with the deliveries whose lease holds; the others are no longer
    /// the caller's: somebody else has taken them over, or they are cancelled.
    fn renew(&self, leases: Vec<Lease>, time: Duration) -> Answer<HashSet<i64>>;

    /// Settles deliveries, all in one transaction. Answers with those that were settled: who has lost a lease settles nothing.
    fn settle(&self, settled: Vec<Settled>) -> Answer<HashSet<i64>>;

    /// Waits for work on the caller's behalf.
    fn wakes(&self) -> Wakes;

    /// Gives this process a name, as long as the answer's task is kept: what was claimed under it, by a process that has ended, can
    /// be claimed at once. On SQLite claims end with their process, and nothing is done.
    fn hold_name(&self, name: String) -> Answer<Option<AbortOnDropHandle<()>>>;

    /// Pauses sending, or lets it go on: of an account, or altogether. What is being sent is finished.
    fn set_paused(&self, account: Option<AccountId>, paused: bool) -> Reply<()>;

    /// Makes due at once what waits for its next attempt. Answers with how many.
    fn retry(&self, which: Which) -> Reply<u64>;

    /// Ends what waits as bounced, with the reason "cancelled". What is delivered all the same, because it was being sent, is
    /// recorded as delivered. Answers with how many.
    fn cancel(&self, which: Which) -> Reply<u64>;

    /// Makes a delivery due again that has ended. Its reader gets the email once more.
    fn resend(&self, delivery: i64) -> Reply<()>;

    /// What waits, counted up to a number of emails of each account. It takes as long as what is counted, whatever has ended before.
    fn queue(&self, at_most: u32) -> Reply<Queue>;
}

/// How much is claimed at once.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// How many deliveries at most.
    pub most: u16,
    /// How many bytes of HTML at most; one delivery is claimed whatever its length.
    pub bytes: u64,
    /// For how long.
    pub lease: Duration,
}

/// What was claimed.
#[derive(Debug)]
pub struct Batch {
    /// In the order in which they are to be sent.
    pub deliveries: Vec<Claimed>,
    /// When nothing was claimed: how long it takes until something is due, if anything waits that is not paused.
    pub next: Option<Duration>,
}

/// A claimed delivery.
#[derive(Debug)]
pub struct Claimed {
    /// The claim.
    pub lease: Lease,
    /// Whose it is.
    pub account: AccountId,
    /// How often it was tried before.
    pub attempts: u32,
    /// How long ago it was first tried.
    pub tried: Duration,
    /// What its email is made of.
    pub delivery: Result<Delivery, Unsendable>,
}

/// Why a claimed delivery gets no email.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsendable {
    /// It lacks what an email is made of. It names what.
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
    /// The claim's number: another claim to the same delivery has another one.
    pub claim: i64,
}

/// What comes of a claimed delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// The claim.
    pub lease: Lease,
    /// What comes of it.
    pub end: Settlement,
}

/// What comes of a claimed delivery. The reason is kept in its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settlement {
    /// It was delivered.
    Delivered(Reason),
    /// It is given up for good.
    Bounced(Reason),
    /// It was tried, and is due again after that time.
    Postponed(Duration, Reason),
    /// It was not tried, and is due again after that time.
    GivenBack(Duration, Option<Reason>),
}

impl Settled {
    /// The events of a delivery that is settled so. That it was cancelled meanwhile no longer counts when it was delivered.
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
    /// Why an attempt failed after which it is tried again: the answer of the mail server.
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

    /// After what time it is due again, if it is.
    #[must_use]
    pub const fn due(&self) -> Option<Duration> {
        match self {
            Self::Delivered(_) | Self::Bounced(_) => None,
            Self::Postponed(after, _) | Self::GivenBack(after, _) => Some(*after),
        }
    }

    /// How many attempts it took.
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

/// How many deliveries the operator's commands change in one transaction, so that nobody else waits long.
pub(super) const PART: u32 = 5_000;

/// Signals that there may be something to claim.
pub struct Wakes {
    work: Arc<Notify>,
    /// What brings signals from other processes, as long as they are waited for.
    _listener: Option<AbortOnDropHandle<()>>,
}

impl Wakes {
    pub(super) const fn new(work: Arc<Notify>, listener: Option<AbortOnDropHandle<()>>) -> Self {
        Self {
            work,
            _listener: listener,
        }
    }

    /// Waits for the next one. One that came when nobody waited is kept.
    pub async fn next(&self) {
        self.work.notified().await;
    }
}

impl fmt::Debug for Wakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wakes")
    }
}

/// A row of a batch, before its HTML is read.
pub(super) struct ClaimedRow {
    pub(super) lease: Lease,
    pub(super) attempts: u32,
    pub(super) tried: Duration,
    pub(super) created: i64,
    pub(super) account: i64,
    /// The values that its email is filled in with.
    pub(super) fields: Result<Vec<(String, String)>, Unsendable>,
    pub(super) to: String,
    /// Whether the recipient is INACTIVE by now, or has unsubscribed.
    pub(super) inactive: bool,
    pub(super) from: String,
    pub(super) from_name: Option<String>,
    pub(super) reply_to: Option<String>,
    pub(super) subject: String,
    pub(super) mailer: Option<i64>,
    pub(super) list_unsubscribe: Option<String>,
    /// Whether it has the service's own List-Unsubscribe.
    pub(super) unsubscribe: bool,
    /// Whether its call has asked for its opens, and for its clicks.
    pub(super) track_opens: bool,
    pub(super) track_clicks: bool,
    /// The HTML's hash and length.
    pub(super) content: Option<(Vec<u8>, u64)>,
    /// The key of its Message-ID.
    pub(super) secret: Vec<u8>,
}

/// Rows of a batch, and where the next one goes on in the round of accounts.
pub(super) struct Share {
    pub(super) rows: Vec<ClaimedRow>,
    /// What would be too long.
    pub(super) beyond: Vec<ClaimedRow>,
    /// The account after which the next batch begins.
    pub(super) after: i64,
}

/// Takes rows from the front, up to a length of their HTML, of which each text counts once. The rows are the first one of each
/// account, in the order of accounts, the second ones, and so on.
pub(super) fn share(mut rows: Vec<ClaimedRow>, ask: Ask) -> Share {
    let accounts = |rows: &[ClaimedRow]| rows.iter().map(|row| row.account).collect();
    let all: BTreeSet<i64> = accounts(&rows);
    let mut seen = HashSet::new();
    let mut total = 0_u64;
    let within = rows
        .iter()
        .take_while(|row| {
            if let Some((hash, length)) = &row.content
                && seen.insert(hash.as_slice())
            {
                total = total.saturating_add(*length);
            }
            total <= ask.bytes
        })
        .count();
    let beyond = rows.split_off(within.max(1).min(rows.len()));
    let taken: BTreeSet<i64> = accounts(&rows);
    // With room for more accounts than there were, the round is at its end.
    let is_whole = taken == all && all.len() < usize::from(ask.most);
    let after = taken.last().copied().filter(|_| !is_whole).unwrap_or(0);
    Share {
        rows,
        beyond,
        after,
    }
}

/// A time as databases give it, in seconds. What lies in the past is now.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

/// The texts that rows point to, each once.
pub(super) fn hashes(rows: &[ClaimedRow]) -> Vec<&[u8]> {
    let hashes: HashSet<&[u8]> = rows
        .iter()
        .filter_map(|row| row.content.as_ref().map(|(hash, _)| hash.as_slice()))
        .collect();
    hashes.into_iter().collect()
}

/// The HTML of a batch, by its hash; `None` for what is no UTF-8.
pub(super) type Contents = HashMap<Vec<u8>, Option<Arc<str>>>;

impl ClaimedRow {
    pub(super) fn into_claimed(self, contents: &Contents) -> Claimed {
        let (lease, attempts, tried) = (self.lease, self.attempts, self.tried);
        Claimed {
            lease,
            account: AccountId(self.account),
            attempts,
            tried,
            delivery: self.into_delivery(contents),
        }
    }

    fn into_delivery(self, contents: &Contents) -> Result<Delivery, Unsendable> {
        if self.inactive {
            return Err(Unsendable::Inactive);
        }
        // Subjects and bodies of httpSendMail are not templates.
        let fields = self.mailer.map(|_| self.fields).transpose()?;
        let message_id = message_id::make(&self.secret, self.lease.delivery);
        let html = self.content.and_then(|(hash, _)| contents.get(&hash));
        let html = html.ok_or(Unsendable::Lacks("content"))?.clone();
        Ok(Delivery {
            id: self.lease.delivery,
            message_id,
            created: self.created,
            from: self.from,
            from_name: self.from_name,
            reply_to: self.reply_to,
            to: self.to,
            subject: self.subject,
            html: html.ok_or(Unsendable::Lacks("content in UTF-8"))?,
            fields,
            list_unsubscribe: self.list_unsubscribe,
            unsubscribe: self.unsubscribe,
            track_opens: self.track_opens,
            track_clicks: self.track_clicks,
        })
    }
}

/// The HTML of a stored delivery. `None` where it cannot be read any more.
pub(super) fn sent_html(
    to: String,
    html: Vec<u8>,
    mailer: Option<i64>,
    stored: Option<String>,
    decode: impl Fn(String) -> Option<String>,
) -> Option<SentHtml> {
    let fields = mailer.map(|_| fields(stored.as_deref(), decode));
    Some(SentHtml {
        to,
        html: String::from_utf8(html).ok()?.into(),
        fields: fields.transpose().ok()?,
    })
}

/// The values that an email is filled in with, as they are stored: JSON, of which `decode` reads each value.
pub(super) fn fields(
    stored: Option<&str>,
    decode: impl Fn(String) -> Option<String>,
) -> Result<Vec<(String, String)>, Unsendable> {
    let Some(stored) = stored else {
        return Ok(Vec::new());
    };
    let values: Option<BTreeMap<String, String>> = serde_json::from_str(stored).ok();
    let decoded = |(name, value)| Some((name, decode(value)?));
    let fields = values.and_then(|values| values.into_iter().map(decoded).collect());
    fields.ok_or(Unsendable::Lacks("readable values"))
}
