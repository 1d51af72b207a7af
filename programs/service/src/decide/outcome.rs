//! The outcome of a call.

use std::time::Duration;

use franking::http::Answer;
use franking::{Decision, Failure, Misuse};

use crate::store::{AccountId, CallId, Kept, KeyHash, StoreError};
use crate::transcripts::Heard;

/// The outcome of a call.
#[derive(Debug)]
pub enum Outcome {
    /// The call was decided.
    Decided(Box<Decided>),
    /// A call with the same idempotency key was accepted before.
    Replayed(Kept),
    /// Another call was accepted under the same idempotency key.
    OtherCall,
    /// A call with the same idempotency key is being decided.
    KeyHeld,
    /// Its `Idempotency-Key` header is not a valid key.
    KeyMalformed,
    /// The account has used up its rate of calls or emails. Nothing was done, and the account may call again after this
    /// time.
    TooManyCalls(Duration),
    /// The call has more recipients or emails than the service allows.
    TooManyRecipients,
    /// The call could not be decided, and nothing was done.
    Undone(Trouble),
    /// It is not known whether the call was carried out.
    Unknown(Trouble),
}

/// The parts of a decision that are needed to answer and count the call.
#[derive(Debug)]
pub struct Decided {
    /// The answer.
    pub answer: Answer,
    /// Its code.
    pub code: u16,
    /// The rule that was broken, if one was.
    pub rule: Option<&'static str>,
    /// The emails of an accepted call.
    pub emails: u64,
    /// The account of the call, if its key belongs to one.
    pub account: Option<AccountId>,
    /// The hash of that key.
    pub key: Option<KeyHash>,
    /// Its transactionId, if it was accepted.
    pub call: Option<CallId>,
    /// The transcript to keep, if any.
    pub heard: Option<Box<Heard>>,
}

/// Why a call was not decided.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The service gave the library an answer that does not fit its question. This is a fault of the service.
    #[error(transparent)]
    Misuse(#[from] Misuse),
    /// The library gave up: after the last conflict, or because of a fault of its own.
    #[error("the call ended without a code: {}", .0.name())]
    Ended(Failure),
    /// Other large calls have held the memory for a long time.
    #[error("there was no memory for a large call")]
    NoMemory,
    /// A fault of the service or of the library.
    #[error("a fault of the service: {0}")]
    Fault(&'static str),
}

impl Trouble {
    /// Whether the service or the library has a fault. Sending the call again does not help then.
    #[must_use]
    pub const fn is_fault(&self) -> bool {
        match self {
            Self::Misuse(_) | Self::Fault(_) | Self::Ended(Failure::Internal) => true,
            Self::Store(_) | Self::Ended(_) | Self::NoMemory => false,
        }
    }
}

/// Returns the outcome of a call that has ended.
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

/// Returns the outcome of a call whose plan could not be carried out.
pub(super) fn of_commit(error: StoreError) -> Outcome {
    if error.is_undone() {
        Outcome::Undone(error.into())
    } else {
        Outcome::Unknown(error.into())
    }
}
