//! Replays a transcript: answers its call again with the recorded answers.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::{Transcript, TranscriptError, decision_of};
use crate::call::Call;
use crate::commit::Commit;
use crate::debug::debug_shows;
use crate::ending::Failure;
use crate::json::{HostAnswer, JsonAnswerError};
use crate::misuse::Misuse;
use crate::serialize::value_of;

/// The result of replaying a transcript.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Replay {
    /// For each step, whether its answer was taken and valid.
    pub steps: Vec<Result<(), ReplayMisuse>>,
    /// The JSON form of the decision, without `asked`; `None` when the call has not ended after the last step.
    pub decision: Option<String>,
}

/// What was wrong with the answer of a replayed step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayMisuse {
    /// It was not taken, and the call has not changed.
    #[error(transparent)]
    NotTaken(#[from] Misuse),
    /// It had an invalid transaction id, which ended the call.
    #[error(transparent)]
    Ended(Failure),
}

debug_shows!(Replay { steps });

impl Transcript {
    /// The answers of the host, one for each step.
    ///
    /// # Errors
    /// [`TranscriptError::Answer`] in place of an answer that cannot be read.
    pub fn answers(&self) -> impl Iterator<Item = Result<HostAnswer, TranscriptError>> {
        self.steps
            .iter()
            .enumerate()
            .map(|(index, step)| self.answer_of(index, step))
    }

    fn answer_of(&self, index: usize, step: &Value) -> Result<HostAnswer, TranscriptError> {
        let unreadable = |reason: &dyn ToString| TranscriptError::Answer {
            step: index,
            reason: reason.to_string(),
        };
        let answer = step
            .get("answer")
            .ok_or_else(|| unreadable(&"there is none"))?;
        let answer =
            HostAnswer::from_value(answer).map_err(|error: JsonAnswerError| unreadable(&error))?;
        if let HostAnswer::Commit(Commit::Conflict(conflict)) = answer
            && !conflict.is_possible(self.operation)
        {
            return Err(unreadable(
                &"httpSendMail updates no subscriber that could be gone",
            ));
        }
        Ok(answer)
    }

    /// Answers the call with the recorded answers, and compares the recorded questions with those that the call asks.
    ///
    /// # Errors
    /// [`TranscriptError::Answer`] for an answer that cannot be read; [`TranscriptError::Question`] for a different
    /// question.
    pub fn replay(&self) -> Result<Replay, TranscriptError> {
        let mut call = Call::new(&self.policy, self.operation, &self.method, &*self.body);
        let mut steps = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            if let Some(ask) = step.get("ask")
                && value_of(&call.step()).get("ask") != Some(ask)
            {
                return Err(TranscriptError::Question { step: index });
            }
            let answer = self.answer_of(index, step)?;
            steps.push(replayed(&mut call, answer));
        }
        let decision = match decision_of(&call) {
            Value::Null => None,
            decision => Some(decision.to_string()),
        };
        Ok(Replay { steps, decision })
    }
}

/// Answers a step. An answer that is taken but ends the call with [`Failure::Misuse`] is a misuse, too.
fn replayed(call: &mut Call<'_>, answer: HostAnswer) -> Result<(), ReplayMisuse> {
    call.answer(answer)?;
    match call.decision().and_then(|decision| decision.failure()) {
        Some(Failure::Misuse) => Err(ReplayMisuse::Ended(Failure::Misuse)),
        _ => Ok(()),
    }
}
