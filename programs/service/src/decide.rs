//! The conversation: drives an API call step by step against the store.
//!
//! This module drives a call from its first step. After a conflict, the store drives it (`Store::in_turn`). A conversation
//! runs in a task of its own, so a client that disconnects does not change what is committed.

mod facts;
mod limits;
mod outcome;
mod panics;
mod threads;
mod turns;

use std::sync::Arc;
// clock: how long a commit takes is measured.
use std::time::Instant;

use franking::http;
use franking::{Call, Commit, DomainRoles, HostAnswer, Operation, Plan, Policy, Step};
use sha2::{Digest as _, Sha256};

use crate::store::{
    AccountId, Again, CallId, Claim, Committed, Hold, IdempotencyKey, Journal, Kept, KeyHash,
    Record, Store, StoreError, Turned, Work,
};
use crate::telemetry;
use crate::transcripts::{Heard, Transcripts};
pub use limits::Limits;
use outcome::of_commit;
pub use outcome::{Decided, Outcome, Trouble, of_decision};
pub use panics::caught;
pub use threads::Threads;
use threads::Worker;
use turns::Turn;
pub use turns::Turns;

/// A call as received.
pub struct Request {
    /// The operation that it calls.
    pub operation: Operation,
    /// The HTTP method. It is `POST` unless the call is refused because of its method.
    pub method: String,
    /// The whole body.
    pub body: Vec<u8>,
    /// The content of its `Idempotency-Key` header.
    pub key: KeyHeader,
}

/// The content of an `Idempotency-Key` header.
#[derive(Debug)]
pub enum KeyHeader {
    /// There is no such header.
    Absent,
    /// The header is not a valid key, or there are several.
    Malformed,
    /// A valid key.
    Given(IdempotencyKey),
}

/// The limits and settings of the service, in addition to the rules of the interface.
#[derive(Debug)]
pub struct Bounds {
    /// The maximum number of recipients, and of emails, of one call.
    pub max_recipients: usize,
    /// The rate limits of each account.
    pub limits: Limits,
    /// Limits how many calls with one key are decided at once.
    pub turns: Turns,
    /// Whether opens and clicks are tracked if a call asks for it.
    pub tracks: bool,
    /// Which calls are kept with a transcript.
    pub transcripts: Transcripts,
}

/// Decides a call.
pub async fn decide(
    store: &Arc<dyn Store>,
    threads: &Threads,
    policy: Policy,
    bounds: Arc<Bounds>,
    request: Request,
) -> Outcome {
    let Some(mut worker) = threads.for_body(&policy, request.body.len()).await else {
        return Outcome::Undone(Trouble::NoMemory);
    };
    let journal = Journal::new(bounds.transcripts.notes(request.body.len()));
    let judged_by = policy.clone();
    let read = worker
        .read(move || {
            let digest = request.digest();
            let Request {
                operation,
                method,
                body,
                key,
            } = request;
            let call = Call::new(&policy, operation, &method, body);
            (call, (key, digest, method))
        })
        .await;
    let Some((key, digest, method)) = read else {
        return Outcome::Undone(Trouble::Fault("a call could not be read"));
    };
    let conversation = Conversation {
        store: Arc::clone(store),
        worker,
        key,
        digest,
        authenticated: None,
        hold: None,
        bounds,
        turn: None,
        mailer_revision: None,
        domains: Vec::new(),
        journal,
        method,
        policy: judged_by,
    };
    match conversation.run().await {
        Ok(outcome) | Err(Stop(outcome)) => outcome,
    }
}

impl Request {
    /// Returns a digest of the operation and the body if the call has an idempotency key. The same key with another digest
    /// means another call.
    fn digest(&self) -> Option<[u8; 32]> {
        let KeyHeader::Given(_) = self.key else {
            return None;
        };
        let mut hash = Sha256::new();
        hash.update(self.operation.name());
        hash.update([0]);
        hash.update(&self.body);
        Some(hash.finalize().into())
    }
}

/// An outcome that ends the conversation before the call has ended.
struct Stop(Outcome);

impl<E: Into<Trouble>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self(Outcome::Undone(error.into()))
    }
}

struct Conversation {
    store: Arc<dyn Store>,
    worker: Worker,
    key: KeyHeader,
    digest: Option<[u8; 32]>,
    /// The account of the call, and the hash of its key.
    authenticated: Option<(AccountId, KeyHash)>,
    hold: Option<Arc<Hold>>,
    bounds: Arc<Bounds>,
    /// The call's turn, which it takes at its first question.
    turn: Option<Turn>,
    /// The revision of the mailer that the call is judged by.
    mailer_revision: Option<i64>,
    /// The answers about the domains after those of the first look-up.
    domains: Vec<DomainRoles>,
    /// The answers that the call was given.
    journal: Journal,
    method: String,
    policy: Policy,
}

impl Conversation {
    async fn run(mut self) -> Result<Outcome, Stop> {
        loop {
            match self.call()?.step() {
                Step::Account(question) => {
                    let key = KeyHash::of(&question.key());
                    if self.turn.is_none() {
                        self.turn = Some(self.bounds.turns.of(key).await);
                    }
                    self.account(key).await?;
                }
                Step::Facts(_) => self.facts().await?,
                Step::Commit(_) => self.commit().await?,
                Step::Done(decision) => {
                    let outcome = of_decision(&decision);
                    let is_tracked = decision.plan().is_some_and(asks_for_tracking);
                    return self.ended(outcome, is_tracked);
                }
            }
        }
    }

    /// Adds the account, the key and the transcript to the outcome.
    fn ended(&mut self, mut outcome: Outcome, asks_for_tracking: bool) -> Result<Outcome, Stop> {
        if let (Outcome::Decided(decided), Some((account, key))) =
            (&mut outcome, self.authenticated)
        {
            decided.account = Some(account);
            decided.key = Some(key);
            self.bounds.limits.emails(account, decided.emails);
            if !self.bounds.tracks && asks_for_tracking {
                telemetry::untracked(account);
            }
            decided.heard = self.heard(decided.call.is_some())?;
        }
        Ok(outcome)
    }

    /// Returns the transcript of the call, or `None` if it is not kept.
    fn heard(&mut self, is_accepted: bool) -> Result<Option<Box<Heard>>, Stop> {
        let answers = std::mem::take(&mut self.journal).into_answers();
        let answers = answers.filter(|_| self.bounds.transcripts.keeps(is_accepted));
        let Some(answers) = answers else {
            return Ok(None);
        };
        Ok(Some(Box::new(Heard {
            policy: self.policy.clone(),
            method: std::mem::take(&mut self.method),
            body: self.call()?.body().to_vec(),
            answers,
        })))
    }

    fn call(&self) -> Result<&Call<'_>, Stop> {
        self.worker.call().ok_or_else(panicked)
    }

    async fn account(&mut self, key: KeyHash) -> Result<(), Stop> {
        let found = self.store.account(key).await?;
        if let Some(found) = found {
            self.bounds.turns.note(key);
            if self.authenticated.is_none()
                && let Err(wait) = self.bounds.limits.call(found.id)
            {
                return Err(Stop(Outcome::TooManyCalls(wait)));
            }
            self.authenticated = Some((found.id, key));
            self.claim(found.id).await?;
        }
        let account = found.map(|found| found.account);
        self.step(HostAnswer::Account(account)).await
    }

    /// Claims the idempotency key, once: after authentication and before the account's state is judged.
    async fn claim(&mut self, account: AccountId) -> Result<(), Stop> {
        let key = match &self.key {
            KeyHeader::Absent => return Ok(()),
            KeyHeader::Malformed => return Err(Stop(Outcome::KeyMalformed)),
            KeyHeader::Given(_) if self.hold.is_some() => return Ok(()),
            KeyHeader::Given(key) => key.clone(),
        };
        match self.store.claim(account, key).await? {
            Claim::Held(hold) => self.hold = Some(hold),
            Claim::Busy => return Err(Stop(Outcome::KeyHeld)),
            Claim::Kept(kept) => return Err(Stop(self.replay(kept))),
        }
        Ok(())
    }

    fn replay(&self, kept: Kept) -> Outcome {
        if self.digest == Some(kept.digest) {
            Outcome::Replayed(kept)
        } else {
            Outcome::OtherCall
        }
    }

    async fn commit(&mut self) -> Result<(), Stop> {
        let Some((account, key)) = self.authenticated else {
            return Err(Stop(fault("a plan was made without an account")));
        };
        // A recipient can get one email for each request, so there can be more emails than recipients.
        let emails = self.call()?.plan().map_or(0, |plan| plan.email_count());
        if usize::try_from(emails).map_or(true, |emails| emails > self.bounds.max_recipients) {
            return Err(Stop(Outcome::TooManyRecipients));
        }
        let id = CallId::random()?;
        let record = self.record(id)?;
        let revision = self.mailer_revision;
        let work = self.worker.work(move |call| {
            let begun = call.begin_commit().map(drop);
            begun.map(|()| Work::of(call, account, id, revision, record))
        });
        let work = work.await.ok_or_else(panicked)?;
        let work = work?.ok_or_else(|| Stop(fault("the plan cannot be carried out")))?;
        let is_large = work.is_large();
        let started = Instant::now();
        let committed = self.store.commit(work).await;
        telemetry::carried_out(started.elapsed());
        let commit = match committed {
            Ok(Committed::Done) => Commit::Done {
                transaction_id: id.number(),
            },
            Ok(Committed::Replayed(kept)) => return Err(Stop(self.replay(kept))),
            Err(StoreError::Conflict(conflict)) => Commit::Conflict(conflict),
            Err(error) => return Err(Stop(of_commit(error))),
        };
        let is_done = matches!(commit, Commit::Done { .. });
        let answered = self.step(HostAnswer::Commit(commit)).await;
        if is_done {
            return answered.map_err(|Stop(outcome)| Stop(panics::after_commit(outcome)));
        }
        answered?;
        // The call asks for its account again only after a conflict.
        if !matches!(self.call()?.step(), Step::Account(_)) {
            return Ok(());
        }
        self.in_turn(account, key, is_large).await
    }

    /// Judges a call again after a conflict, while no other call of its account can come between.
    async fn in_turn(
        &mut self,
        account: AccountId,
        key: KeyHash,
        is_large: bool,
    ) -> Result<(), Stop> {
        let id = CallId::random()?;
        let again = Again {
            record: self.record(id)?,
            call: self.worker.take().ok_or_else(panicked)?,
            key,
            account,
            is_large,
            id,
            domains: std::mem::take(&mut self.domains),
            journal: std::mem::take(&mut self.journal),
        };
        let turn = self.store.in_turn(again).await;
        let turned = turn.map_err(|error| Stop(of_commit(error)))?;
        let Turned {
            call,
            replayed,
            journal,
        } = turned;
        self.worker.put(call);
        self.journal = journal;
        match replayed {
            Some(kept) => Err(Stop(self.replay(kept))),
            None => Ok(()),
        }
    }

    /// Returns the record to keep under the call's idempotency key if the call is accepted with this id.
    fn record(&self, id: CallId) -> Result<Option<Record>, Stop> {
        let call = self.call()?;
        let (Some(hold), Some(digest)) = (&self.hold, self.digest) else {
            return Ok(None);
        };
        let accepted = http::Outcome::Accepted {
            transaction_id: id.number(),
        };
        let answer = http::answer(call.policy(), call.operation(), accepted).body;
        Ok(Some(Record {
            hold: Arc::clone(hold),
            digest,
            answer,
        }))
    }

    /// Gives the call an answer. For a large call, this is done on a thread for large bodies.
    async fn step(&mut self, answer: HostAnswer) -> Result<(), Stop> {
        let mut journal = std::mem::take(&mut self.journal);
        let answered = self.worker.work(move |call| {
            let answered = journal.answer(call, answer);
            (journal, answered)
        });
        let (journal, answered) = answered.await.ok_or_else(panicked)?;
        self.journal = journal;
        Ok(answered?)
    }
}

fn asks_for_tracking(plan: Plan<'_>) -> bool {
    let mut messages = plan.messages();
    messages.any(|message| message.track_opens() || message.track_clicks())
}

fn fault(what: &'static str) -> Outcome {
    Outcome::Undone(Trouble::Fault(what))
}

fn panicked() -> Stop {
    Stop(fault("the library stopped"))
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("operation", &self.operation)
            .field("body", &self.body.len())
            .finish_non_exhaustive()
    }
}
