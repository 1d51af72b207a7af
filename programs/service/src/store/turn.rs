//! A call that has met a conflict, while the store decides it again.

use franking::{Call, DomainRoles, HostAnswer, Misuse};

use super::error::{Cause, StoreError};
use super::idempotency::{Kept, Record};
use super::identity::{AccountId, CallId, KeyHash};

/// A call that waits for its account to be looked up once more.
#[derive(Debug)]
pub struct Again {
    /// The call, after a conflict.
    pub call: Call<'static>,
    /// The hash of its key.
    pub key: KeyHash,
    /// Its account when it was first judged.
    pub account: AccountId,
    /// Whether its plan was large.
    pub is_large: bool,
    /// The call's own id in this attempt.
    pub id: CallId,
    /// The record to keep under its idempotency key.
    pub record: Option<Record>,
    /// The answers about the domains beyond those that are looked up at once. These domains are not looked up again: that
    /// would keep the other calls of the account waiting, and the answers do not depend on them.
    pub domains: Vec<DomainRoles>,
    /// The answers that it was given.
    pub journal: Journal,
}

/// The answers that a call was given. Whether they are noted is decided at the start. Debug shows none of them.
#[derive(Default)]
pub struct Journal(Option<Vec<HostAnswer>>);

impl Journal {
    /// An empty journal. Without `notes` it stays empty.
    #[must_use]
    pub fn new(notes: bool) -> Self {
        Self(notes.then(Vec::new))
    }

    /// Gives a call an answer, and notes it.
    ///
    /// # Errors
    /// The answer does not fit.
    pub fn answer(&mut self, call: &mut Call<'_>, answer: HostAnswer) -> Result<(), Misuse> {
        if let Some(answers) = &mut self.0 {
            answers.push(answer.clone());
        }
        call.answer(answer)
    }

    /// Returns the answers, if they were noted.
    #[must_use]
    pub fn into_answers(self) -> Option<Vec<HostAnswer>> {
        self.0
    }
}

impl std::fmt::Debug for Journal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Journal")
    }
}

/// A call that was decided in its turn.
#[derive(Debug)]
pub struct Turned {
    /// The call with its decision. After a replay it has ended as unknown, and `replayed` is the answer.
    pub call: Call<'static>,
    /// The call that was accepted under the same idempotency key in the meantime. Nothing was done then.
    pub replayed: Option<Kept>,
    /// The answers that it was given, before its turn and in it.
    pub journal: Journal,
}

/// The error for a call that waits for another answer than it is given, which is a fault of the service.
pub(super) fn fault() -> StoreError {
    StoreError::Failed(Cause::new("driving a call: it waited for another answer"))
}
