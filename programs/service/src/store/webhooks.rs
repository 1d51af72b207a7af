//! Webhooks: endpoints to which an account's events are posted.
//!
//! Events are posted in the order of their numbers. A webhook's position is the number up to which this was done. An event
//! that the endpoint does not accept is kept separately until it does, so that it does not hold up others.

use std::fmt;

use super::Answer;
use super::events::{About, EventRow, NewEvent};
use super::identity::AccountId;
use super::operator::Reply;
use crate::mail::Reason;
use franking::EventType;

/// How many webhooks an account has at most.
pub(super) const MOST_WEBHOOKS: i64 = 10;

/// While this many events wait to be tried again, no new ones are posted.
pub const MOST_RETRIES: i64 = 64;

/// How many seconds a process holds a webhook after each round, which is longer than a round takes.
pub(super) const LEASE_SECONDS: i64 = 60;

/// How many attempts of a webhook are kept.
pub(super) const KEPT_ATTEMPTS: i64 = 50;

/// A webhook to add. Debug shows nothing.
pub struct NewWebhook {
    /// The URL of its endpoint.
    pub url: String,
    /// The kinds of events that are posted; `None` for all.
    pub kinds: Option<Vec<EventType>>,
    /// Its secret, sealed.
    pub secret: Vec<u8>,
    /// The number after which events are posted. `None` for events to come.
    pub after: Option<i64>,
}

impl NewWebhook {
    /// The names of its kinds, separated by commas.
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
    /// The URL of its endpoint.
    pub url: String,
    /// The kinds of events that are posted, separated by commas. `None` for all.
    pub kinds: Option<String>,
    /// Whether the previous secret signs as well.
    pub has_two_secrets: bool,
    /// The number up to which events were posted.
    pub position: i64,
    /// How many events of the account have come after the position, counted up to 10,001.
    pub waiting: i64,
    /// How many events wait to be tried again.
    pub retries: i64,
    /// When an event was last accepted, in seconds since 1970.
    pub succeeded: Option<i64>,
    /// Why the webhook is disabled, if it is.
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
    /// Why the event was not accepted. `None` if it was.
    pub problem: Option<String>,
    /// How long it took.
    pub milliseconds: i64,
    /// When it ended, in seconds since 1970.
    pub happened: i64,
}

/// A webhook that this process holds for a minute. `Debug` shows its number.
pub struct Webhook {
    /// Its number.
    pub id: i64,
    /// The account.
    pub account: AccountId,
    /// The URL of its endpoint.
    pub url: String,
    /// The kinds of events that are posted; `None` for all.
    pub kinds: Option<Vec<String>>,
    /// Its sealed secrets: the newest one, and the previous one if there is one.
    pub secrets: Vec<Vec<u8>>,
    /// The number up to which events were posted.
    pub position: i64,
    /// Whether no event was accepted in the previous round.
    pub is_failing: bool,
    /// When an event was last accepted, in seconds since 1970.
    pub succeeded: Option<i64>,
    /// How many events wait to be tried again.
    pub retries: i64,
}

/// Reads kinds as the database has them.
pub(super) fn read_kinds(kinds: Option<String>) -> Option<Vec<String>> {
    Some(kinds?.split(',').map(str::to_owned).collect())
}

/// An event to post. If `attempts` is more than 0, it was posted before.
#[derive(Clone, Debug)]
pub struct ToPost {
    /// The event.
    pub event: EventRow,
    /// How often it was posted before.
    pub attempts: i32,
    /// When it was first posted, in seconds since 1970.
    pub first: Option<i64>,
}

/// The result of an attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The event's number.
    pub number: i64,
    /// Which attempt it was, from 1.
    pub attempt: i32,
    /// The HTTP status, if there was one.
    pub status: Option<u16>,
    /// Why the event was not accepted. `None` if it was.
    pub problem: Option<String>,
    /// How long it took.
    pub milliseconds: i64,
    /// In how many seconds it is tried again. `None` if it was accepted or is given up.
    pub again: Option<u32>,
}

/// The results of a round of attempts.
#[derive(Clone, Debug)]
pub struct Round {
    /// The webhook's number.
    pub webhook: i64,
    /// Its position before the round, and after it.
    pub position: (i64, i64),
    /// The attempts.
    pub attempts: Vec<Attempt>,
    /// Why the webhook is disabled, if it is.
    pub disabled: Option<String>,
}

impl Round {
    /// Whether any event was accepted. `None` if nothing was posted.
    #[must_use]
    pub fn is_taken(&self) -> Option<bool> {
        let mut attempts = self.attempts.iter();
        let is_taken = attempts.any(|attempt| attempt.problem.is_none());
        (!self.attempts.is_empty()).then_some(is_taken)
    }

    /// The attempts of events that are tried again.
    pub(super) fn again(&self) -> impl Iterator<Item = (&Attempt, u32)> {
        let attempts = self.attempts.iter();
        attempts.filter_map(|attempt| Some((attempt, attempt.again?)))
    }

    /// The numbers of events that were accepted or are given up.
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

/// Manages webhooks, and records their attempts.
pub trait Webhooks {
    /// Adds a webhook to an account, which has 10 at most. Returns its number.
    fn add_webhook(&self, account: AccountId, webhook: NewWebhook) -> Reply<i64>;
    /// The webhooks of an account.
    fn webhooks(&self, account: AccountId) -> Reply<Vec<WebhookRow>>;
    /// Gives a webhook a new sealed secret. The previous one signs as well until it is retired. There are two at most.
    fn rotate_webhook(&self, account: AccountId, id: i64, secret: Vec<u8>) -> Reply<()>;
    /// Retires the previous secret, if there is one.
    fn retire_webhook_secret(&self, account: AccountId, id: i64) -> Reply<()>;
    /// Disables a webhook for a reason, or enables it if no reason is given. Events that were not accepted are then tried as
    /// if for the first time.
    fn set_webhook_disabled(&self, account: AccountId, id: i64, why: Option<String>) -> Reply<()>;
    /// Posts the events after a number again.
    fn replay_webhook(&self, account: AccountId, id: i64, after: i64) -> Reply<()>;
    /// Deletes a webhook.
    fn remove_webhook(&self, account: AccountId, id: i64) -> Reply<()>;
    /// The last attempts of a webhook, in their order.
    fn webhook_attempts(&self, account: AccountId, id: i64) -> Reply<Vec<AttemptRow>>;

    /// Claims at most `at_most` webhooks that have something to post and that no process holds.
    fn claim_webhooks(&self, at_most: u32) -> Answer<Vec<Webhook>>;
    /// Returns at most `at_most` events that a webhook has not accepted and that are due.
    fn webhook_retries(&self, webhook: i64, at_most: u32) -> Answer<Vec<ToPost>>;
    /// Stores the results of a round. Returns whether the webhook is still enabled.
    fn settle_webhook(&self, round: Round) -> Answer<bool>;
    /// Releases a webhook.
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
