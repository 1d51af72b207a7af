//! What came of a call.

use std::time::Duration;

use franking::http::Answer;
use franking::{Decision, Failure, Misuse};

use crate::store::{AccountId, CallId, Kept, KeyHash, StoreError};
use crate::transcripts::Heard;

/// What came of a call.
#[derive(Debug)]
pub enum Outcome {
    /// It is decided.
    Decided(Box<Decided>),
    /// A call with its idempotency key was accepted before.
    Replayed(Kept),
    /// Its idempotency key is that of another call that was accepted.
    OtherCall,
    /// A call with its idempotency key is being decided.
    KeyHeld,
    /// Its `Idempotency-Key` cannot be one.
    KeyMalformed,
    /// Its account has had its calls or emails of this time: nothing was done, and after that time it may come again.
    TooManyCalls(Duration),
    /// It is to more recipients than a call may have.
    TooManyRecipients,
    /// It could not be decided: nothing was done.
    Undone(Trouble),
    /// It is not known whether it was carried out.
    Unknown(Trouble),
}

/// A decision, as far as it is answered and counted.
#[derive(Debug)]
pub struct Decided {
    /// What is answered.
    pub answer: Answer,
    /// Its code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The emails of an accepted call.
    pub emails: u64,
    /// Whose call it was, if its key is an account's.
    pub account: Option<AccountId>,
    /// That key.
    pub key: Option<KeyHash>,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// What is kept of it, if anything.
    pub heard: Option<Box<Heard>>,
}

/// Why a call was not decided.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The library was given an answer that does not fit its question: a fault of the service's.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// The library gave up: after the last conflict, or by a fault of its own.
    #[error("the call ended as {}", .0.name())]
    Ended(Failure),
    /// Other large calls have held the memory for a long time.
    #[error("there was no memory for a large call")]
    NoMemory,
    /// A fault of the service's or of the library's.
    #[error("a fault inside: {0}")]
    Fault(&'static str),
}

impl Trouble {
    /// Whether a program is wrong: to send the call again does not help.
    #[must_use]
    pub const fn is_fault(&self) -> bool {
        match self {
            Self::Misuse(_) | Self::Fault(_) | Self::Ended(Failure::Internal) => true,
            Self::Store(_) | Self::Ended(_) | Self::NoMemory => false,
        }
    }
}

/// What came of a call that has ended.
#[must_use]
pub fn of_decision(decision: &Decision<'_>) -> Outcome {
    match decision.code() {
        Some(code) => Outcome::Decided(Box::new(Decided {
            answer: decision.http(),
            code: code.number(),
            rule: decision
                .violation()
                .map(|violation| violation.rule().identifier()),
            emails: decision.plan().map_or(0, |plan| plan.email_count()),
            account: None,
            key: None,
            call: decision.transaction_id().and_then(CallId::from_number),
            heard: None,
        })),
        None => match decision.failure() {
            Some(failure @ (Failure::Host | Failure::Internal)) => {
                Outcome::Undone(Trouble::Ended(failure))
            }
            Some(failure) => Outcome::Unknown(Trouble::Ended(failure)),
            None => Outcome::Unknown(Trouble::Fault("a decision without an answer")),
        },
    }
}

/// What came of a call whose plan could not be carried out.
pub(super) fn of_commit(error: StoreError) -> Outcome {
    if error.is_undone() {
        Outcome::Undone(error.into())
    } else {
        Outcome::Unknown(error.into())
    }
}
