//! Answering a call once more as a transcript notes.

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
use crate::written::value_of;

/// What came of replaying a transcript.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Replay {
    /// For each step whether its answer was taken, and was one that can be.
    pub steps: Vec<Result<(), ReplayMisuse>>,
    /// The JSON form of the decision, without `asked`; `None` when the steps do not reach the end.
    pub decision: Option<String>,
}

/// What was wrong with the answer of a replayed step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayMisuse {
    /// It was not taken, and nothing changed.
    #[error(transparent)]
    NotTaken(#[from] Misuse),
    /// It was a transaction id that cannot be, and has ended the call.
    #[error(transparent)]
    Ended(Failure),
}

debug_shows!(Replay { steps });

impl Transcript {
    /// The answers of the host, step by step.
    ///
    /// # Errors
    /// [`TranscriptError::Answer`] in the place of an answer that cannot be read.
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

    /// Answers the call as the transcript notes, and compares the questions that it notes with those asked.
    ///
    /// # Errors
    /// [`TranscriptError::Answer`] and [`TranscriptError::Question`] name the step.
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

/// Answers a step. An answer that is taken and misuses the host's last word is a misuse, too.
fn replayed<B: AsRef<[u8]>>(call: &mut Call<B>, answer: HostAnswer) -> Result<(), ReplayMisuse> {
    call.answer(answer)?;
    match call.decision().and_then(|decision| decision.failure()) {
        Some(Failure::Misuse) => Err(ReplayMisuse::Ended(Failure::Misuse)),
        _ => Ok(()),
    }
}
