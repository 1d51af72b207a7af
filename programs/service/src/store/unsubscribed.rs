//! Readers who have unsubscribed: from a stored email, from httpSendMail, or from all emails of an account. Other emails are
//! not affected: a reader who leaves a newsletter still gets an email with a new password.

use super::Answer;
use super::events::{About, NewEvent};
use super::identity::AccountId;
use super::operator::Reply;
use crate::mail::Reason;
use franking::EventType;

/// The emails that a reader unsubscribes from by the service's own List-Unsubscribe of a stored email.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum UnsubscribeScope {
    /// That stored email.
    Mailer,
    /// All emails of the account.
    Account,
}

impl UnsubscribeScope {
    /// Its name in the database.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Mailer => "mailer",
            Self::Account => "account",
        }
    }
}

/// The result of a reader's wish to get no more emails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsubscription {
    /// The reader is unsubscribed from now on.
    New,
    /// The reader was unsubscribed already.
    Repeated,
    /// The delivery or its reader is not stored any more, or the email did not have the service's own List-Unsubscribe.
    Unknown,
}

/// A reader who has unsubscribed, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsubscribedRow {
    /// Its number.
    pub id: i64,
    /// The number that the reader had as a subscriber.
    pub subscriber: i64,
    /// `mailer`, `httpSendMail` or `account`.
    pub scope: String,
    /// The stored email, if it is about one.
    pub mailer: Option<i64>,
    /// When it began, in seconds since 1970.
    pub created: i64,
    /// Why the operator has lifted it, if it is lifted.
    pub lifted: Option<String>,
}

/// Unsubscribes readers, and lifts this again.
pub trait Unsubscribing {
    /// Whether there is still a reader who can unsubscribe by the link in a delivery. This changes nothing.
    fn has_unsubscribe(&self, delivery: i64) -> Answer<bool>;

    /// Unsubscribes the reader of a delivery from what its email offered at acceptance, and adds an event if the reader was
    /// not unsubscribed before.
    fn unsubscribe(&self, delivery: i64) -> Answer<Unsubscription>;

    /// Lifts the entry with a number: the reader gets the emails of its scope again.
    fn lift_unsubscribed(&self, account: AccountId, id: i64, why: String) -> Reply<()>;

    /// Sets whether an account's emails of httpSendMail have the service's own List-Unsubscribe, from the next call on.
    fn set_http_unsubscribe(&self, account: AccountId, has: bool) -> Reply<()>;
}

/// Makes the event of a reader who unsubscribes.
pub(super) const fn left(delivery: i64) -> NewEvent {
    NewEvent::new(About::Delivery(delivery), EventType::Unsubscribed)
}

/// Makes the event of an entry that is lifted.
pub(super) fn lifted(account: AccountId, subscriber: i64, why: &str) -> NewEvent {
    NewEvent {
        reason: Some(Reason::new(why)),
        ..NewEvent::new(
            About::Subscriber(account, subscriber),
            EventType::Resubscribed,
        )
    }
}
