//! Records a call while it is decided.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::{Transcript, decision_of};
use crate::call::{Call, Step};
use crate::commit::Commit;
use crate::debug::debug_shows;
use crate::json::{HostAnswer, JsonAnswerError};
use crate::misuse::Misuse;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::serialize::value_of;

/// A call that records its questions and the answers to them. Debug shows only the number of steps.
pub struct Recorder<'b> {
    call: Call<'b>,
    method: String,
    steps: Vec<Value>,
    /// The index of the step whose commit was begun and has no answer yet.
    begun: Option<usize>,
}

impl<'b> Recorder<'b> {
    /// Takes a call as [`Call::new`] does.
    #[must_use]
    pub fn new(
        policy: &Policy,
        operation: Operation,
        method: &str,
        body: impl Into<Cow<'b, [u8]>>,
    ) -> Self {
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

    /// The call, read-only.
    #[must_use]
    pub fn call(&self) -> &Call<'b> {
        &self.call
    }

    /// Answers what [`Recorder::step`] asks, and records the question and the answer, even an answer that was not taken.
    ///
    /// # Errors
    /// [`Misuse`], in the cases of [`Call::answer`].
    pub fn answer(&mut self, answer: HostAnswer) -> Result<(), Misuse> {
        let answer = match answer {
            // An impossible conflict is treated as an unknown result. Only that can be read back from a transcript.
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

    /// Like [`Recorder::answer`], with the JSON form of an answer, which is read as [`Call::answer_json`] does.
    ///
    /// # Errors
    /// [`JsonAnswerError`], in the cases of [`Call::answer_json`]. A text that does not have the form is not recorded.
    pub fn answer_json(&mut self, text: &str) -> Result<(), JsonAnswerError> {
        let answer = self.call.read_answer(text)?;
        Ok(self.answer(answer)?)
    }

    /// Hands out the plan like [`Call::begin_commit`], and records that its result is not known. [`Recorder::answer`]
    /// replaces that record with the result.
    ///
    /// # Errors
    /// [`Misuse`], in the cases of [`Call::begin_commit`].
    pub fn begin_commit(&mut self) -> Result<Plan<'_>, Misuse> {
        self.call.takes("begin_commit")?;
        if matches!(self.call.step(), Step::Commit(_)) {
            self.begun = Some(self.steps.len());
            self.note(value_of(&HostAnswer::Commit(Commit::Unknown)));
        }
        self.call.begin_commit()
    }

    /// Like [`Call::successor`].
    #[doc(hidden)]
    #[must_use]
    pub fn successor<'n>(&self, body: &'n [u8]) -> Recorder<'n> {
        Recorder {
            call: self.call.successor(body),
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

    /// The transcript so far. Its decision is null until the call has ended.
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

debug_shows!(this: Recorder<'_> { "steps": this.steps.len() });
