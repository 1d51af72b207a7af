//! A host as a trait, and the loop over [`Call`] that serves it.

use crate::call::{Call, Step};
use crate::commit::Commit;
use crate::decision::Decision;
use crate::facts::{Account, Facts};
use crate::misuse::Misuse;
use crate::plan::Plan;
use crate::questions::Questions;

/// A program that embeds the library: it owns the database, the clock and the transport.
pub trait Host {
    /// Why the host could not look or could not carry out.
    type Error;

    /// The account with this key, a secret; `None` when there is none.
    ///
    /// # Errors
    /// The host's own, when it could not look.
    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error>;

    /// What is known of every member of every column of the questions: written into `facts`, which are empty.
    ///
    /// # Errors
    /// The host's own, when it could not look.
    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Self::Error>;

    /// Carries the plan out in one transaction, or rolls back and says what stood in the way.
    ///
    /// # Errors
    /// The host's own, when it is not known whether the plan could be carried out.
    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, Self::Error>;
}

/// Why [`decide`] gave no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecideError<E> {
    /// The host could not look or could not carry out: the call is dropped, undecided.
    #[error("the host could not answer")]
    Host(E),
    /// The host's program is wrong.
    #[error(transparent)]
    Misuse(#[from] Misuse),
}

/// Decides a call with a host: a short loop over [`Call::step`].
///
/// # Errors
/// [`DecideError::Host`] with the host's own error; [`DecideError::Misuse`] when the host answers what was not asked.
/// A transaction id that cannot be is no error here: the call has ended, and its decision says so
/// ([`Decision::host_error`]).
pub fn decide<'c, B: AsRef<[u8]>, H: Host>(
    call: &'c mut Call<B>,
    host: &mut H,
) -> Result<Decision<'c>, DecideError<H::Error>> {
    loop {
        let answered = match call.step() {
            Step::Account(question) => {
                let account = host.account(&question.key()).map_err(DecideError::Host)?;
                call.answer_account(account)
            }
            // Facts are large: they are written where they stay.
            Step::Facts(_) => {
                call.fill_facts(|questions, facts| {
                    host.facts(questions, facts).map_err(DecideError::Host)
                })?;
                Ok(())
            }
            Step::Commit(plan) => {
                let commit = host.commit(&plan).map_err(DecideError::Host)?;
                call.answer_commit(commit)
            }
            Step::Done(_) => break,
        };
        match answered {
            // The call has ended: its decision says why.
            Ok(()) | Err(Misuse::TransactionId) => {}
            Err(misuse) => return Err(misuse.into()),
        }
    }
    // The loop ends with a decision only.
    call.decision()
        .ok_or(DecideError::Misuse(Misuse::WrongAnswer {
            awaited: "nothing",
            given: "nothing",
        }))
}
