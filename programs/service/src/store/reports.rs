//! Reports that came in, and subscribers that are suppressed because of them.

use std::fmt;

use super::Answer;
use super::events::{About, NewEvent};
use super::identity::AccountId;
use super::operator::Reply;
use crate::mail::{EnhancedCode, Reason};
use crate::outcomes::{PastEvent, PastKind, SuppressionRule, Verdict};
use franking::EventType;

/// The kind of a report.
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
    /// An automatic reply of the reader.
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

    /// Returns the event of a report of this kind, and the event that undoes it. A report of another kind is kept, but it
    /// counts for nothing.
    const fn events(self) -> Option<(EventType, EventType)> {
        match self {
            Self::Failed => Some((EventType::Bounced, EventType::NotBounced)),
            Self::Complaint => Some((EventType::Complained, EventType::NotComplained)),
            Self::Delayed | Self::Delivered | Self::Relayed | Self::Expanded | Self::Vacation => {
                None
            }
        }
    }

    /// Returns the kind with a name, or `None` if there is none.
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

/// A report to keep. Debug shows neither its digest nor its email.
#[derive(Clone, PartialEq, Eq)]
pub struct NewReport {
    /// The SHA-256 of the message. A message that is handed over twice is one report.
    pub digest: [u8; 32],
    /// The kind.
    pub kind: KeptKind,
    /// The reason, with the enhanced status code, as far as the report gives them.
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

/// How a report identifies the email that it is about.
#[derive(Clone, PartialEq, Eq)]
pub enum Original {
    /// It came to the signed return path of this delivery.
    ReturnPath(i64),
    /// It returns headers with this Message-ID, without angle brackets. The store checks whether it is one of the service's
    /// own.
    MessageId(String),
    /// It does not identify the email.
    Unknown,
}

impl Original {
    /// Returns the data by which the email is found, in words for people.
    pub(super) const fn found_by(&self) -> Option<&'static str> {
        match self {
            Self::ReturnPath(_) => Some("return path"),
            Self::MessageId(_) => Some("message id"),
            Self::Unknown => None,
        }
    }
}

/// The result of keeping a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptReport {
    /// Its number.
    pub id: i64,
    /// The delivery that it is about, if one was found.
    pub delivery: Option<i64>,
    /// Whether the message was handed over for the first time.
    pub is_new: bool,
}

/// A report as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportRow {
    /// Its number.
    pub id: i64,
    /// When it came, in seconds since 1970.
    pub received: i64,
    /// The kind, as [`KeptKind::name`].
    pub kind: String,
    /// The enhanced status code, if it has one.
    pub status: Option<String>,
    /// The reason, as far as the report gives one.
    pub reason: Option<String>,
    /// The data by which the email was found, if it was found.
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
    /// The report that caused the suppression, unless an answer of a mail server did.
    pub report: Option<i64>,
    /// The words of the report or of the answer.
    pub reason: Option<String>,
    /// Why it has ended, if it has.
    pub lifted: Option<String>,
}

/// Keeps reports, and suppresses subscribers.
pub trait Reports {
    /// Keeps a report, and adds its event if it has one. The message itself is not kept. A report that was kept before
    /// changes nothing.
    fn keep_report(&self, report: NewReport) -> Answer<KeptReport>;

    /// Judges at most `at_most` subscribers for whom a dead address or a complaint was recorded since they were last judged.
    /// Those that the rule suppresses become INACTIVE. Returns how many were judged.
    fn judge(&self, rule: SuppressionRule, at_most: u32) -> Answer<u64>;

    /// Undoes a report. Its event no longer counts, unless another report, or the mail server itself, says the same.
    /// Suppressions that would not exist without it are lifted.
    fn undo_report(&self, id: i64, why: String, rule: SuppressionRule) -> Reply<()>;

    /// Returns at most `at_most` reports after a number, in the order in which they came.
    fn reports(&self, after: i64, at_most: u32) -> Reply<Vec<ReportRow>>;

    /// Lifts the suppressions of a subscriber. What was recorded until now no longer counts. Returns whether the subscriber
    /// is active now: it is not if the operator had made it INACTIVE before.
    fn lift(&self, account: AccountId, subscriber: u64, why: String) -> Reply<bool>;
}

/// An event of a subscriber, as it is read.
pub(super) struct Read {
    pub(super) past: PastEvent,
    pub(super) status: Option<String>,
    pub(super) reason: Option<String>,
}

impl Read {
    /// Returns `None` for an event that does not matter for suppression.
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

    /// Returns the event that suppresses a subscriber for this cause, by the subscriber's events up to a time.
    pub(super) fn is_in(self, events: &[Read], rule: SuppressionRule, until: i64) -> Option<&Read> {
        let past: Vec<PastEvent> = events.iter().map(|event| event.past.clone()).collect();
        events.get(self.of(rule.judge(&past, until))?)
    }

    /// Returns the event of a suppression for this cause.
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

/// Returns the event of a suppression that is lifted: by the operator, or because a report is undone.
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

/// Returns the event of a report about a delivery, and the event that undoes it.
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
