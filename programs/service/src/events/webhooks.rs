//! Posts events to webhooks. A process claims each webhook that has something to post, and posts to it in rounds until
//! nothing is left.
//!
//! A round posts events that are due again and then new events, several at once. As long as an endpoint takes nothing, its
//! round is one event, so that an endpoint that hangs costs little. The rounds of different webhooks do not wait for each
//! other.

use std::fmt;
use std::sync::Arc;
// clock: between two looks; what is due is told by the database's clock.
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use franking::webhook::{ID, SIGNATURE, Secret, SignError, TIMESTAMP, sign};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::post::{Headers, PostError};
use super::{Sender, notice};
use crate::key_file::KeyFile;
use crate::store::{
    Attempt, EventPage, EventRow, MOST_RETRIES, Round, Store, StoreError, ToPost, Webhook,
};
use crate::telemetry;

/// The time between two looks for webhooks that have something to post.
const LOOKS: Duration = Duration::from_secs(1);
/// How many webhooks a process posts to at once.
const AT_ONCE: u32 = 256;
/// The most events of a round, and the number of them that are posted at once.
const PAGE: usize = 16;
const POSTS: usize = 8;

/// The seconds after which an event that was not taken is posted again, for each attempt. After the last attempt, in about
/// three days, the event is given up.
const AGAIN: [u32; 9] = [
    5,
    5 * 60,
    30 * 60,
    2 * 3600,
    5 * 3600,
    10 * 3600,
    14 * 3600,
    20 * 3600,
    24 * 3600,
];

/// Posts events to webhooks.
pub struct Webhooks {
    store: Arc<dyn Store>,
    sender: Sender,
    /// The keys by which the secrets are sealed.
    keys: Option<KeyFile>,
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Webhooks").finish_non_exhaustive()
    }
}

/// The result of a webhook's round.
enum Went {
    /// There may be more to post.
    On,
    /// There is nothing to post at the moment, or the webhook is disabled or removed.
    Idle,
}

impl Webhooks {
    /// Posts the events of a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, sender: Sender, keys: Option<KeyFile>) -> Arc<Self> {
        Arc::new(Self {
            store,
            sender,
            keys,
        })
    }

    /// Posts until `end`.
    pub async fn run(self: Arc<Self>, end: CancellationToken) {
        let places = Arc::new(Semaphore::new(AT_ONCE as usize));
        let mut rounds = JoinSet::new();
        let mut looks = interval(LOOKS);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !end.is_cancelled() {
            tokio::select! {
                () = end.cancelled() => break,
                _ = looks.tick() => {}
            }
            while rounds.try_join_next().is_some() {}
            let free = u32::try_from(places.available_permits()).unwrap_or(AT_ONCE);
            let claimed = match self.store.claim_webhooks(free).await {
                Ok(claimed) => claimed,
                Err(error) => {
                    tracing::warn!(%error, "webhooks could not be claimed");
                    continue;
                }
            };
            for webhook in claimed {
                let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
                    break;
                };
                let (webhooks, end) = (Arc::clone(&self), end.clone());
                rounds.spawn(async move {
                    webhooks.post_all(webhook, &end).await;
                    drop(place);
                });
            }
        }
        while rounds.join_next().await.is_some() {}
    }

    /// Posts to a webhook round by round, and then releases it.
    async fn post_all(&self, mut webhook: Webhook, end: &CancellationToken) {
        let secrets = match self.secrets(&webhook) {
            Ok(secrets) => secrets,
            // The webhook is tried again when its lease is over.
            Err(why) => {
                tracing::error!(
                    webhook = webhook.id,
                    why,
                    "the posts of a webhook cannot be signed"
                );
                return;
            }
        };
        loop {
            let round = tokio::select! {
                // The events of this round are posted again later.
                () = end.cancelled() => break,
                round = self.round(&mut webhook, &secrets) => round,
            };
            match round {
                Ok(Went::On) => {}
                Ok(Went::Idle) => break,
                Err(error) => {
                    tracing::warn!(webhook = webhook.id, %error, "a webhook could not be posted to");
                    break;
                }
            }
        }
        if let Err(error) = self.store.release_webhook(webhook.id).await {
            tracing::warn!(webhook = webhook.id, %error, "a webhook could not be released");
        }
    }

    /// The secrets of a webhook.
    fn secrets(&self, webhook: &Webhook) -> Result<Vec<Secret>, &'static str> {
        let keys = self.keys.as_ref().ok_or("there is no key file")?;
        let purpose = purpose(webhook.account.number());
        let open = |sealed: &Vec<u8>| {
            let opened = keys.open(&purpose, sealed).ok()?;
            Secret::parse(std::str::from_utf8(&opened).ok()?).ok()
        };
        let secrets: Option<Vec<Secret>> = webhook.secrets.iter().map(open).collect();
        secrets.ok_or("the key file does not open the secret of the webhook")
    }

    async fn round(&self, webhook: &mut Webhook, secrets: &[Secret]) -> Result<Went, StoreError> {
        let most = if webhook.is_failing { 1 } else { PAGE };
        let again = self.store.webhook_retries(webhook.id, most as u32).await?;
        let more = most.saturating_sub(again.len());
        let (fresh, after) = match more > 0 && webhook.retries < MOST_RETRIES {
            true => self.fresh(webhook, more as u32).await?,
            false => (Vec::new(), webhook.position),
        };
        let to_post: Vec<ToPost> = again.into_iter().chain(fresh).collect();
        if to_post.is_empty() && after == webhook.position {
            return Ok(Went::Idle);
        }
        let attempts = self.attempts(webhook, secrets, &to_post).await;
        // Events that were not tried stay after the position.
        let after = match to_post.get(attempts.len()..).unwrap_or_default() {
            [] => after,
            _ => last_fresh(&to_post, attempts.len()).unwrap_or(webhook.position),
        };
        let round = judged(webhook, &to_post, attempts, after);
        if let Some(why) = &round.disabled {
            let account = webhook.account.number();
            tracing::warn!(
                webhook = webhook.id,
                account,
                why,
                "a webhook was disabled: `webhook enable` resumes it"
            );
        }
        for (attempt, one) in round.attempts.iter().zip(&to_post) {
            match (one.first, attempt.again) {
                (None, Some(_)) => webhook.retries = webhook.retries.saturating_add(1),
                (Some(_), None) => webhook.retries = webhook.retries.saturating_sub(1),
                _ => {}
            }
        }
        webhook.position = after;
        if let Some(is_taken) = round.is_taken() {
            webhook.is_failing = !is_taken;
            if is_taken {
                // The database notes a time of its own. A small difference does not matter, because the time is compared with
                // one that is about three days old.
                webhook.succeeded = i64::try_from(now()).ok();
            }
        }
        Ok(match self.store.settle_webhook(round).await? {
            true => Went::On,
            false => Went::Idle,
        })
    }

    /// New events of the webhook's kinds, and the position that they reach.
    async fn fresh(
        &self,
        webhook: &Webhook,
        at_most: u32,
    ) -> Result<(Vec<ToPost>, i64), StoreError> {
        let events = |after| self.store.events(webhook.account, after, at_most);
        let (events, last) = match events(Some(webhook.position)).await? {
            EventPage::Events(events, last) => (events, last),
            EventPage::Gone => {
                tracing::warn!(
                    webhook = webhook.id,
                    "events were deleted before they were posted to a webhook: it goes on with the oldest event that is kept"
                );
                match events(None).await? {
                    EventPage::Events(events, last) => (events, last),
                    EventPage::Gone => (Vec::new(), webhook.position),
                }
            }
        };
        let wanted = |event: &EventRow| {
            let kinds = webhook.kinds.as_ref();
            kinds.is_none_or(|kinds| kinds.contains(&event.kind))
        };
        let fresh = events.into_iter().filter(wanted).map(|event| ToPost {
            event,
            attempts: 0,
            first: None,
        });
        Ok((fresh.collect(), last))
    }

    /// Posts events in their order, a few at once. It stops when the endpoint has taken no event of the last few.
    async fn attempts(
        &self,
        webhook: &Webhook,
        secrets: &[Secret],
        to_post: &[ToPost],
    ) -> Vec<(Attempt, bool)> {
        let mut attempts = Vec::with_capacity(to_post.len());
        for few in to_post.chunks(POSTS) {
            let mut posts = JoinSet::new();
            for (place, one) in few.iter().enumerate() {
                let (sender, url) = (self.sender.clone(), webhook.url.clone());
                let signed = signed(&one.event, secrets);
                let (number, attempt) = (one.event.number, one.attempts.saturating_add(1));
                posts.spawn(async move {
                    let (milliseconds, posted) = match signed {
                        Ok((headers, body)) => sender.post(&url, headers, body).await,
                        Err(error) => (0, Err(error.into())),
                    };
                    let is_gone = posted.as_ref().err().is_some_and(PostError::is_gone);
                    let attempt = Attempt {
                        number,
                        attempt,
                        status: match &posted {
                            Ok(status) => Some(status.as_u16()),
                            Err(error) => error.status(),
                        },
                        problem: posted.err().map(|error| error.to_string()),
                        milliseconds,
                        again: None,
                    };
                    (place, (attempt, is_gone))
                });
            }
            let mut done: Vec<_> = posts.join_all().await;
            done.sort_by_key(|(place, _)| *place);
            let is_well = done
                .iter()
                .any(|(_, (attempt, _))| attempt.problem.is_none());
            attempts.extend(done.into_iter().map(|(_, attempt)| attempt));
            if !is_well {
                break;
            }
        }
        attempts
    }
}

/// The purpose for which the secrets of an account's webhooks are sealed.
#[must_use]
pub(crate) fn purpose(account: i64) -> String {
    format!("webhooks of account {account}")
}

/// The headers and the body of an event, signed now.
fn signed(event: &EventRow, secrets: &[Secret]) -> Result<(Headers, Bytes), SignError> {
    let body = notice(event).to_string();
    let id = event.number.to_string();
    let now = now();
    let signature = sign(secrets, &id, now, body.as_bytes())?;
    let headers = [
        (ID, id),
        (TIMESTAMP, now.to_string()),
        (SIGNATURE, signature),
    ];
    Ok((headers, Bytes::from(body)))
}

/// The seconds since 1970.
fn now() -> u64 {
    // clock: receivers refuse what was signed long ago, and an endpoint has days to accept something
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

/// The number of the last new event among the first `tried` events.
fn last_fresh(to_post: &[ToPost], tried: usize) -> Option<i64> {
    let mut tried = to_post.iter().take(tried).rev();
    let last = tried.find(|one| one.first.is_none());
    last.map(|one| one.event.number)
}

/// Judges a round's attempts: what is tried again and when, what is given up, and whether the webhook is disabled.
fn judged(
    webhook: &Webhook,
    to_post: &[ToPost],
    attempts: Vec<(Attempt, bool)>,
    after: i64,
) -> Round {
    let taken = attempts
        .iter()
        .any(|(attempt, _)| attempt.problem.is_none());
    let mut disabled = None;
    let mut all = Vec::with_capacity(attempts.len());
    for ((mut attempt, is_gone), one) in attempts.into_iter().zip(to_post) {
        telemetry::posted(attempt.problem.is_none());
        if let Some(problem) = &attempt.problem {
            let tried = usize::try_from(one.attempts).unwrap_or(AGAIN.len());
            let next = AGAIN.get(tried).copied();
            let has_taken_others = taken || webhook.succeeded >= one.first.or(Some(i64::MAX));
            if is_gone {
                disabled = Some("its endpoint answered 410 (gone)".to_owned());
            } else if next.is_none() && !has_taken_others {
                disabled = Some(format!(
                    "its endpoint has accepted nothing for three days: {problem}"
                ));
            }
            attempt.again = match (next, has_taken_others) {
                // The event is kept until the webhook is enabled again.
                (None, false) => Some(0),
                (None, true) => {
                    let event = attempt.number;
                    tracing::warn!(
                        webhook = webhook.id,
                        event,
                        "an event was given up, because its endpoint accepts other events"
                    );
                    None
                }
                (next, _) => next,
            };
        }
        all.push(attempt);
    }
    Round {
        webhook: webhook.id,
        position: (webhook.position, after),
        attempts: all,
        disabled,
    }
}
