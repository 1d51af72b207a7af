//! Webhooks: endpoints to which an account's events are posted.
//!
//! Events are posted in the order of their numbers, up to the webhook's position. What is not taken is kept apart until it is, so that
//! one event that an endpoint does not understand holds up no other.

use std::fmt;

use super::Answer;
use super::events::{About, EventRow, NewEvent};
use super::identity::AccountId;
use super::operator::Reply;
use crate::mail::Reason;
use franking::EventType;

/// How many webhooks an account has at most.
pub(super) const MOST_WEBHOOKS: i64 = 10;

/// How many events wait to be tried again while new ones are posted as well.
pub const MOST_RETRIES: i64 = 64;

/// For how many seconds a process has a webhook, from each round on: longer than a round takes.
pub(super) const LEASE_SECONDS: i64 = 60;

/// How many attempts of a webhook are kept.
pub(super) const KEPT_ATTEMPTS: i64 = 50;

/// A webhook to add. Debug shows nothing.
pub struct NewWebhook {
    /// Where it ends.
    pub url: String,
    /// The kinds of events that are posted; `None` for all.
    pub kinds: Option<Vec<EventType>>,
    /// Its secret, sealed.
    pub secret: Vec<u8>,
    /// The number after which events are posted; `None` for those to come.
    pub after: Option<i64>,
}

impl NewWebhook {
    /// The names of its kinds, parted by commas.
    pub(super) fn kinds(&self) -> Option<String> {
        let kinds = self.kinds.as_ref()?.iter();
        Some(kinds.map(|kind| kind.name()).collect::<Vec<_>>().join(","))
    }
}

/// A webhook as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRow {
    /// Its number.
    pub id: i64,
    /// Where it ends.
    pub url: String,
    /// The kinds of events that are posted, parted by commas; `None` for all.
    pub kinds: Option<String>,
    /// Whether the secret before the newest one signs as well.
    pub has_two_secrets: bool,
    /// The number up to which events were posted.
    pub position: i64,
    /// How many events of the account have come after it; those beyond 10,001 are not counted.
    pub waiting: i64,
    /// How many events wait to be tried again.
    pub retries: i64,
    /// When an event was last taken, in seconds since 1970.
    pub succeeded: Option<i64>,
    /// Why it is posted to no more.
    pub disabled: Option<String>,
}

/// An attempt to post an event, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRow {
    /// The event's number.
    pub number: i64,
    /// Which attempt it was, from 1.
    pub attempt: i32,
    /// The HTTP status, if there was one.
    pub status: Option<i32>,
    /// Why the event was not taken; `None` when it was.
    pub problem: Option<String>,
    /// How long it took.
    pub milliseconds: i64,
    /// When it ended, in seconds since 1970.
    pub happened: i64,
}

/// A webhook that this process has for a minute. `Debug` shows its number.
pub struct Webhook {
    /// Its number.
    pub id: i64,
    /// Whose it is.
    pub account: AccountId,
    /// Where it ends.
    pub url: String,
    /// The kinds of events that are posted; `None` for all.
    pub kinds: Option<Vec<String>>,
    /// Its secrets, sealed: the newest one, and the one before if there is one.
    pub secrets: Vec<Vec<u8>>,
    /// The number up to which events were posted.
    pub position: i64,
    /// Whether nothing was taken in the round before.
    pub is_failing: bool,
    /// When an event was last taken, in seconds since 1970.
    pub succeeded: Option<i64>,
    /// How many events wait to be tried again.
    pub retries: i64,
}

/// Kinds as the database has them.
pub(super) fn read_kinds(kinds: Option<String>) -> Option<Vec<String>> {
    Some(kinds?.split(',').map(str::to_owned).collect())
}

/// An event to post, which was posted before if its attempts are more than 0.
#[derive(Clone, Debug)]
pub struct ToPost {
    /// The event.
    pub event: EventRow,
    /// How often it was posted before.
    pub attempts: i32,
    /// When it was first posted, in seconds since 1970.
    pub first: Option<i64>,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The event's number.
    pub number: i64,
    /// Which attempt it was, from 1.
    pub attempt: i32,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// Why the event was not taken; `None` when it was.
    pub problem: Option<String>,
    /// How long it took.
    pub milliseconds: i64,
    /// In how many seconds it is tried again; `None` when it was taken or is given up.
    pub again: Option<u32>,
}

/// What came of a round of attempts.
#[derive(Clone, Debug)]
pub struct Round {
    /// The webhook's number.
    pub webhook: i64,
    /// Its position before the round, and after it.
    pub position: (i64, i64),
    /// The attempts.
    pub attempts: Vec<Attempt>,
    /// Why it is posted to no more.
    pub disabled: Option<String>,
}

impl Round {
    /// Whether anything was taken; `None` where nothing was posted.
    #[must_use]
    pub fn is_taken(&self) -> Option<bool> {
        let mut attempts = self.attempts.iter();
        let is_taken = attempts.any(|attempt| attempt.problem.is_none());
        (!self.attempts.is_empty()).then_some(is_taken)
    }

    /// The attempts of what is tried again.
    pub(super) fn again(&self) -> impl Iterator<Item = (&Attempt, u32)> {
        let attempts = self.attempts.iter();
        attempts.filter_map(|attempt| Some((attempt, attempt.again?)))
    }

    /// The numbers of what was taken or is given up.
    pub(super) fn done(&self) -> impl Iterator<Item = i64> {
        let attempts = self.attempts.iter();
        let done = attempts.filter(|attempt| attempt.again.is_none());
        done.map(|attempt| attempt.number)
    }

    /// The event of a webhook that was disabled.
    pub(super) fn event(&self, account: AccountId) -> Option<NewEvent> {
        let why = self.disabled.as_ref()?;
        let reason = format!("webhook {}: {why}", self.webhook);
        Some(NewEvent {
            reason: Some(Reason::new(&reason)),
            ..NewEvent::new(About::Account(account), EventType::WebhookDisabled)
        })
    }
}

/// What is asked about webhooks.
pub trait Webhooks {
    /// Adds a webhook to an account, which has 10 at most. Answers with its number.
    fn add_webhook(&self, account: AccountId, webhook: NewWebhook) -> Reply<i64>;
    /// The webhooks of an account.
    fn webhooks(&self, account: AccountId) -> Reply<Vec<WebhookRow>>;
    /// Gives a webhook a new secret, sealed. The one before signs as well, until it is retired; there are two at most.
    fn rotate_webhook(&self, account: AccountId, id: i64, secret: Vec<u8>) -> Reply<()>;
    /// Ends the secret before the newest one, if there is one.
    fn retire_webhook_secret(&self, account: AccountId, id: i64) -> Reply<()>;
    /// Ends a webhook's posts for a reason, or goes on with them where none is given: what was not taken is tried as if for the first
    /// time.
    fn set_webhook_disabled(&self, account: AccountId, id: i64, why: Option<String>) -> Reply<()>;
    /// Posts again what came after a number.
    fn replay_webhook(&self, account: AccountId, id: i64, after: i64) -> Reply<()>;
    /// Deletes a webhook.
    fn remove_webhook(&self, account: AccountId, id: i64) -> Reply<()>;
    /// The last attempts of a webhook, in their order.
    fn webhook_attempts(&self, account: AccountId, id: i64) -> Reply<Vec<AttemptRow>>;

    /// Webhooks that have something to post and that no process has, at most that many.
    fn claim_webhooks(&self, at_most: u32) -> Answer<Vec<Webhook>>;
    /// Events that a webhook has not taken and that are due, at most that many.
    fn webhook_retries(&self, webhook: i64, at_most: u32) -> Answer<Vec<ToPost>>;
    /// Notes what came of a round. Answers with whether the webhook goes on.
    fn settle_webhook(&self, round: Round) -> Answer<bool>;
    /// Gives a webhook back.
    fn release_webhook(&self, webhook: i64) -> Answer<()>;
}

impl fmt::Debug for NewWebhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewWebhook").finish_non_exhaustive()
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhook")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
