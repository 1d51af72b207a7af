//! A call that is recorded while it is decided.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde_json::{Map, Value};

use super::{Transcript, decision_of};
use crate::call::{Call, Step};
use crate::commit::Commit;
use crate::json::{HostAnswer, JsonAnswerError};
use crate::misuse::Misuse;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::written::value_of;

/// A call that notes what it asks and what it is answered. Debug shows nothing of it.
pub struct Recorder<B> {
    call: Call<B>,
    method: String,
    steps: Vec<Value>,
    /// The step of a commit that was begun and is not answered.
    begun: Option<usize>,
}

impl<B: AsRef<[u8]>> Recorder<B> {
    /// Takes a call as [`Call::new`] does.
    #[must_use]
    pub fn new(policy: &Policy, operation: Operation, method: &str, body: B) -> Self {
        Self {
            call: Call::new(policy, operation, method, body),
            method: method.to_string(),
            steps: Vec::new(),
            begun: None,
        }
    }

    /// What the call waits for.
    #[must_use]
    pub fn step(&self) -> Step<'_> {
        self.call.step()
    }

    /// The call, to be looked at.
    #[must_use]
    pub fn call(&self) -> &Call<B> {
        &self.call
    }

    /// Answers what [`Recorder::step`] asks, and notes question and answer; also an answer that was not taken.
    ///
    /// # Errors
    /// [`Misuse`] as [`Call::answer`].
    pub fn answer(&mut self, answer: HostAnswer) -> Result<(), Misuse> {
        let answer = match answer {
            // Both say that nothing is known, and this one can be read back.
            HostAnswer::Commit(Commit::Conflict(conflict))
                if !conflict.is_possible(self.call.operation()) =>
            {
                HostAnswer::Commit(Commit::Unknown)
            }
            answer => answer,
        };
        let noted = value_of(&answer);
        let begun = match answer {
            HostAnswer::Commit(_) => self.begun.take(),
            HostAnswer::Account(_) | HostAnswer::Facts(_) => None,
        };
        match begun.and_then(|step| self.steps.get_mut(step)) {
            Some(Value::Object(step)) => {
                step.insert("answer".to_string(), noted);
            }
            _ => self.note(noted),
        }
        self.call.answer(answer)
    }

    /// As [`Recorder::answer`], of the JSON form of an answer, which is read as [`Call::answer_json`] does.
    ///
    /// # Errors
    /// [`JsonAnswerError`] as [`Call::answer_json`]; a text that is no such form is not noted.
    pub fn answer_json(&mut self, text: &str) -> Result<(), JsonAnswerError> {
        let answer = self.call.read_answer(text)?;
        Ok(self.answer(answer)?)
    }

    /// Hands the plan out for good, as [`Call::begin_commit`], and notes that it is not known what came of it, until
    /// [`Recorder::answer`] says so.
    ///
    /// # Errors
    /// [`Misuse`] as [`Call::begin_commit`].
    pub fn begin_commit(&mut self) -> Result<Plan<'_>, Misuse> {
        self.call.takes("begin_commit")?;
        if matches!(self.call.step(), Step::Commit(_)) {
            self.begun = Some(self.steps.len());
            self.note(value_of(&HostAnswer::Commit(Commit::Unknown)));
        }
        self.call.begin_commit()
    }

    /// As [`Call::successor`].
    #[doc(hidden)]
    #[must_use]
    pub fn successor(&self) -> Self
    where
        B: Clone,
    {
        Self {
            call: self.call.successor(),
            method: self.method.clone(),
            steps: self.steps.clone(),
            begun: self.begun,
        }
    }

    fn note(&mut self, answer: Value) {
        let mut step = match value_of(&self.call.step()) {
            Value::Object(step) if step.contains_key("ask") => step,
            _ => Map::new(),
        };
        step.insert("answer".to_string(), answer);
        self.steps.push(Value::Object(step));
    }

    /// The transcript so far; its decision is null while there is none.
    #[must_use]
    pub fn transcript(&self) -> Transcript {
        Transcript {
            operation: self.call.operation(),
            method: self.method.clone(),
            body: self.call.body().to_vec(),
            policy: self.call.policy().clone(),
            steps: self.steps.clone(),
            decision: decision_of(&self.call),
        }
    }
}

impl<B> fmt::Debug for Recorder<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("steps", &self.steps.len())
            .finish_non_exhaustive()
    }
}
