//! Reports that came in, and subscribers that are suppressed because of them.

use std::fmt;

use super::Answer;
use super::events::{About, NewEvent};
use super::identity::AccountId;
use super::operator::Reply;
use crate::mail::{EnhancedCode, Reason};
use crate::outcomes::{PastEvent, PastKind, SuppressionRule, Verdict};
use franking::EventType;

/// What a report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptKind {
    /// The email was given up.
    Failed,
    /// A mail server is still trying.
    Delayed,
    /// It is in the mailbox.
    Delivered,
    /// It was passed to a server that sends no reports.
    Relayed,
    /// It was passed to several addresses.
    Expanded,
    /// The reader reported it as abuse.
    Complaint,
    /// An automatic reply of the reader's.
    Vacation,
}

impl KeptKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::Delayed => "delayed",
            Self::Delivered => "delivered",
            Self::Relayed => "relayed",
            Self::Expanded => "expanded",
            Self::Complaint => "complaint",
            Self::Vacation => "vacation",
        }
    }

    /// The event that it is, and the one by which it is undone. Whatever else is reported is kept, and counts for nothing.
    const fn events(self) -> Option<(EventType, EventType)> {
        match self {
            Self::Failed => Some((EventType::Bounced, EventType::NotBounced)),
            Self::Complaint => Some((EventType::Complained, EventType::NotComplained)),
            Self::Delayed | Self::Delivered | Self::Relayed | Self::Expanded | Self::Vacation => {
                None
            }
        }
    }

    /// Of a name; `None` if there is none of that name.
    pub(super) fn of(name: &str) -> Option<Self> {
        const ALL: [KeptKind; 7] = [
            KeptKind::Failed,
            KeptKind::Delayed,
            KeptKind::Delivered,
            KeptKind::Relayed,
            KeptKind::Expanded,
            KeptKind::Complaint,
            KeptKind::Vacation,
        ];
        ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A report to keep. Debug shows neither its digest nor what it is about.
#[derive(Clone, PartialEq, Eq)]
pub struct NewReport {
    /// SHA-256 of the message: one that is handed over twice is one report.
    pub digest: [u8; 32],
    /// What it says.
    pub kind: KeptKind,
    /// Why, with the enhanced status code, as far as it says so.
    pub reason: Option<Reason>,
    /// The email that it is about.
    pub original: Original,
}

impl NewReport {
    pub(super) fn status(&self) -> Option<String> {
        let code = self.reason.as_ref().and_then(Reason::code);
        code.map(|code| code.to_string())
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.as_ref().map(Reason::as_str)
    }
}

/// What a report says of the email that it is about.
#[derive(Clone, PartialEq, Eq)]
pub enum Original {
    /// It came to the signed return path of this delivery.
    ReturnPath(i64),
    /// It returns headers with this Message-ID, without angle brackets. Whether it is one of ours is looked at.
    MessageId(String),
    /// Nothing.
    Unknown,
}

impl Original {
    /// What the email is found by, for people.
    pub(super) const fn found_by(&self) -> Option<&'static str> {
        match self {
            Self::ReturnPath(_) => Some("return path"),
            Self::MessageId(_) => Some("message id"),
            Self::Unknown => None,
        }
    }
}

/// What came of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptReport {
    /// Its number.
    pub id: i64,
    /// The delivery that it is about, if one was found.
    pub delivery: Option<i64>,
    /// Whether the message had not been handed over before.
    pub is_new: bool,
}

/// A report as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// Its number.
    pub id: i64,
    /// When it came, in seconds since 1970.
    pub received: i64,
    /// What it says, as [`KeptKind::name`].
    pub kind: String,
    /// The enhanced status code, if it has one.
    pub status: Option<String>,
    /// Why, as far as it says so.
    pub reason: Option<String>,
    /// What the email was found by, if it was found.
    pub matched: Option<String>,
    /// The account, the subscriber and the delivery, if the email was found.
    pub email: Option<(AccountId, i64, i64)>,
    /// Why the operator has undone it, if it is undone.
    pub undone: Option<String>,
}

/// A suppression as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuppressionRow {
    /// Its number.
    pub id: i64,
    /// The account.
    pub account: AccountId,
    /// The subscriber.
    pub subscriber: i64,
    /// `bounces` or `complaint`.
    pub cause: String,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// The report that was the last straw, unless a mail server's answer was.
    pub report: Option<i64>,
    /// What the report or the answer says.
    pub reason: Option<String>,
    /// Why it has ended, if it has.
    pub lifted: Option<String>,
}

/// What is asked about reports and suppressions.
pub trait Reports {
    /// Keeps a report, and adds its event if it has one. The message itself is not kept. One that was kept before changes
    /// nothing.
    fn keep_report(&self, report: NewReport) -> Answer<KeptReport>;

    /// Judges subscribers of whom a dead address or a complaint was recorded since they were judged last, at most that many of
    /// them: whom the rule is against becomes INACTIVE. Answers with how many were judged.
    fn judge(&self, rule: SuppressionRule, at_most: u32) -> Answer<u64>;

    /// Undoes a report: its event counts no more unless another report, or the mail server itself, says the same, and the
    /// suppressions that would not be without it are lifted.
    fn undo_report(&self, id: i64, why: String, rule: SuppressionRule) -> Reply<()>;

    /// The reports after that number, at most that many, in the order in which they came.
    fn reports(&self, after: i64, at_most: u32) -> Reply<Vec<ReportRow>>;

    /// Lifts the suppressions of a subscriber: what was recorded until now does not count any more. Answers with whether the
    /// subscriber is active now: the operator may have made it INACTIVE before.
    fn lift(&self, account: AccountId, subscriber: u64, why: String) -> Reply<bool>;
}

/// An event of a subscriber's as it is read.
pub(super) struct Read {
    pub(super) past: PastEvent,
    pub(super) status: Option<String>,
    pub(super) reason: Option<String>,
}

impl Read {
    /// `None` for an event that suppression does not look at.
    pub(super) fn new(
        kind: &str,
        (delivery, report): (Option<i64>, Option<i64>),
        (status, reason): (Option<String>, Option<String>),
        happened: i64,
    ) -> Option<Self> {
        let is = |one: EventType| one.name() == kind;
        let kind = if is(EventType::Delivered) {
            PastKind::Delivered
        } else if is(EventType::Bounced) {
            PastKind::Bounced(status.as_deref().and_then(EnhancedCode::parse))
        } else if is(EventType::NotBounced) {
            PastKind::NotBounced
        } else if is(EventType::Complained) {
            PastKind::Complained
        } else if is(EventType::NotComplained) {
            PastKind::NotComplained
        } else if is(EventType::Lifted) && report.is_none() {
            PastKind::Lifted
        } else {
            return None;
        };
        Some(Self {
            past: PastEvent {
                delivery,
                kind,
                report,
                happened,
            },
            status,
            reason,
        })
    }
}

/// Why a subscriber is suppressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SuppressionCause {
    Bounces,
    Complaint,
}

impl SuppressionCause {
    pub(super) const ALL: [Self; 2] = [Self::Bounces, Self::Complaint];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bounces => "bounces",
            Self::Complaint => "complaint",
        }
    }

    const fn of(self, verdict: Verdict) -> Option<usize> {
        match self {
            Self::Bounces => verdict.bounces,
            Self::Complaint => verdict.complaint,
        }
    }

    /// The event for which the events of a subscriber up to a time suppress it.
    pub(super) fn is_in(self, events: &[Read], rule: SuppressionRule, until: i64) -> Option<&Read> {
        let past: Vec<PastEvent> = events.iter().map(|event| event.past.clone()).collect();
        events.get(self.of(rule.judge(&past, until))?)
    }

    /// The event of a suppression for this cause.
    pub(super) fn event(
        self,
        account: AccountId,
        subscriber: i64,
        report: Option<i64>,
    ) -> NewEvent {
        NewEvent {
            reason: Some(Reason::new(self.name())),
            report,
            ..NewEvent::new(
                About::Subscriber(account, subscriber),
                EventType::Suppressed,
            )
        }
    }
}

/// The event of a suppression that is lifted: by the operator, or because a report is undone.
pub(super) fn lifted(
    account: AccountId,
    subscriber: i64,
    why: &str,
    report: Option<i64>,
) -> NewEvent {
    NewEvent {
        reason: Some(Reason::new(why)),
        report,
        ..NewEvent::new(About::Subscriber(account, subscriber), EventType::Lifted)
    }
}

/// The event of a report about a delivery, and the one by which it is undone.
pub(super) fn events_of(
    kind: KeptKind,
    delivery: i64,
    report: i64,
) -> Option<(NewEvent, NewEvent)> {
    let (says, undoes) = kind.events()?;
    let event = |kind| NewEvent {
        report: Some(report),
        ..NewEvent::new(About::Delivery(delivery), kind)
    };
    Some((event(says), event(undoes)))
}

impl fmt::Debug for NewReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewReport")
            .field("kind", &self.kind)
            .field("reason", &self.reason)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Original {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.found_by().unwrap_or("unknown"))
    }
}
