//! A host as a trait, and the loop that decides a [`Call`] with it.

use crate::call::{Awaited, Call};
use crate::commit::Commit;
use crate::decision::Decision;
use crate::ending::Failure;
use crate::facts::{Account, Facts};
use crate::http::Outcome;
use crate::misuse::Misuse;
use crate::plan::Plan;
use crate::questions::Questions;

/// A program that embeds the library: it owns the database, the clock and the transport.
pub trait Host {
    /// Why the host could not look something up or could not carry out a plan.
    type Error;

    /// The account with this key; `None` when there is none. The key is a secret.
    ///
    /// # Errors
    /// The host's own error, when it could not look the account up.
    fn account(&mut self, key: &str) -> Result<Option<Account>, Self::Error>;

    /// Writes into `facts`, which is empty, what the host knows of every member of every column of the questions.
    ///
    /// # Errors
    /// The host's own error, when it could not look something up.
    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> Result<(), Self::Error>;

    /// Carries the plan out in one transaction, or rolls back and says what prevented it.
    ///
    /// # Errors
    /// The host's own error. It ends the call, because then nobody knows whether the plan was carried out. If the host
    /// knows that nothing was carried out, it returns [`Conflict::Other`](crate::Conflict::Other) instead.
    fn commit(&mut self, plan: &Plan<'_>) -> Result<Commit, Self::Error>;
}

/// Why [`decide`] gave no decision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecideError<E> {
    /// The host could not look something up. Nothing was carried out: the call can be decided again.
    #[error(
        "the host could not look something up, and nothing was carried out: the call can be decided again"
    )]
    LookUp(#[source] E),
    /// The host's commit failed. The call has ended: deciding it again gives the decision that says so.
    #[error("{}", Failure::Unknown)]
    Unknown(#[source] E),
    /// The host's program is wrong. Nothing was carried out.
    #[error(transparent)]
    Misuse(#[from] Misuse),
}

impl<E> DecideError<E> {
    /// What the host answers over HTTP: see [`http::answer`](crate::http::answer).
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::LookUp(_) => Outcome::Undone,
            Self::Unknown(_) => Outcome::Unknown,
            Self::Misuse(_) => Outcome::Fault,
        }
    }
}

/// Decides a call with a host: asks the host what the call waits for, until the call has ended.
///
/// A commit that fails, panics or gives an invalid answer ends the call. Its plan is carried out at most once, however often
/// the same call is decided again.
///
/// # Errors
/// [`DecideError::LookUp`] and [`DecideError::Unknown`] hold the host's own error; [`DecideError::Misuse`] means that the
/// host's facts do not answer the questions. A commit that answers [`Commit::Unknown`], or gives an invalid answer, is not
/// an error here: the call has ended, and its decision says so ([`Decision::failure`]).
pub fn decide<'c, H: Host + ?Sized>(
    call: &'c mut Call<'_>,
    host: &mut H,
) -> Result<Decision<'c>, DecideError<H::Error>> {
    loop {
        match call.awaited() {
            Awaited::Account => {
                let Some(question) = call.account_question() else {
                    break;
                };
                let account = host.account(&question.key()).map_err(DecideError::LookUp)?;
                call.answer_account(account)?;
            }
            Awaited::Facts => {
                call.fill_facts(|questions, facts| {
                    host.facts(questions, facts).map_err(DecideError::LookUp)
                })?;
            }
            Awaited::Commit => {
                let Ok(plan) = call.begin_commit() else {
                    break;
                };
                let commit = host.commit(&plan).map_err(DecideError::Unknown)?;
                call.answer_commit(commit)?;
            }
            Awaited::Outcome | Awaited::Nothing => break,
        }
    }
    Ok(call.ended())
}
