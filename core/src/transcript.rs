//! A call with its questions, answers and decision as one JSON document: written, replayed, masked.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use crate::call::{Call, Step};
use crate::commit::Commit;
use crate::ending::Failure;
use crate::json::{HostAnswer, JsonAnswerError, value_of};
use crate::misuse::Misuse;
use crate::operation::Operation;
use crate::plan::Plan;
use crate::policy::{Policy, PolicyError};

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
            // It says as little, and can be read back.
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

/// The decision as a transcript holds it: without how often the host was asked.
fn decision_of<B: AsRef<[u8]>>(call: &Call<B>) -> Value {
    let mut decision = call
        .decision()
        .map_or(Value::Null, |decision| value_of(&decision));
    if let Value::Object(members) = &mut decision {
        members.remove("asked");
    }
    decision
}

/// A call with its questions, answers and decision. Debug shows nothing of it.
#[derive(Clone, PartialEq)]
pub struct Transcript {
    operation: Operation,
    method: String,
    body: Vec<u8>,
    policy: Policy,
    steps: Vec<Value>,
    decision: Value,
}

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

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay")
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// A document that is no transcript, or not one of this call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// It is not JSON, or not of the form of a transcript.
    #[error("this is no transcript: {0}")]
    Form(String),
    /// It was masked: there is nothing to replay.
    #[error("the transcript is masked, for reading only: replay the one that was written unmasked")]
    Masked,
    /// A policy that cannot be.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// An answer of a step is of no known form.
    #[error("step {step} of the transcript has no answer that can be read: {reason}")]
    Answer {
        /// The position of the step, from 0.
        step: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A step notes a question that the call does not ask.
    #[error(
        "step {step} of the transcript notes another question than the call asks: it is of another call or version"
    )]
    Question {
        /// The position of the step, from 0.
        step: usize,
    },
}

impl Transcript {
    /// Reads the JSON form. `policy` and `method` may be left out; `decision` is not looked at.
    ///
    /// # Errors
    /// [`TranscriptError`] says what is wrong with the document.
    pub fn from_json(text: &str) -> Result<Self, TranscriptError> {
        let value =
            serde_json::from_str(text).map_err(|error| TranscriptError::Form(error.to_string()))?;
        Self::from_value(value)
    }

    fn from_value(value: Value) -> Result<Self, TranscriptError> {
        let form = |reason: &str| TranscriptError::Form(reason.to_string());
        let Value::Object(mut members) = value else {
            return Err(form("it is not a JSON object"));
        };
        if members.get("masked") == Some(&Value::Bool(true)) {
            return Err(TranscriptError::Masked);
        }
        let operation = members
            .get("operation")
            .and_then(Value::as_str)
            .and_then(Operation::from_name);
        let body = match (members.get("body"), members.get("body_base64")) {
            (Some(Value::String(body)), None) => body.clone().into_bytes(),
            (None, Some(Value::String(body))) => STANDARD
                .decode(body)
                .map_err(|_| form("body_base64 is not base64"))?,
            _ => return Err(form("it needs body or body_base64, as a text")),
        };
        let method = match members.get("method") {
            None => "POST".to_string(),
            Some(Value::String(method)) => method.clone(),
            Some(_) => return Err(form("method is not a text")),
        };
        let policy = match members.get("policy") {
            None | Some(Value::Null) => Policy::default(),
            Some(policy) => Policy::from_value(policy)?,
        };
        let steps = match members.remove("steps") {
            Some(Value::Array(steps)) => steps,
            _ => return Err(form("steps is not an array")),
        };
        Ok(Self {
            operation: operation
                .ok_or_else(|| form("operation is neither sendMailer nor httpSendMail"))?,
            method,
            body,
            policy,
            steps,
            decision: members.remove("decision").unwrap_or_default(),
        })
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }

    fn to_value(&self) -> Value {
        let (body_name, body) = match core::str::from_utf8(&self.body) {
            Ok(body) => ("body", body.to_string()),
            Err(_) => ("body_base64", STANDARD.encode(&self.body)),
        };
        json!({
            "operation": self.operation.name(),
            "method": self.method,
            body_name: body,
            "policy": value_of(&self.policy),
            "steps": self.steps,
            "decision": self.decision,
        })
    }

    /// The JSON form without keys, addresses, names, subjects, bodies and other texts of the call, for reading: it
    /// says `"masked": true` and cannot be replayed.
    #[must_use]
    pub fn to_masked_json(&self) -> String {
        let mut value = self.to_value();
        if let Value::Object(members) = &mut value {
            for (name, member) in members.iter_mut() {
                match name.as_str() {
                    "body" | "body_base64" | "steps" => mask(member),
                    "decision" => mask_decision(member),
                    _ => {}
                }
            }
            members.insert("masked".to_string(), Value::Bool(true));
        }
        value.to_string()
    }

    /// The operation that was called.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The HTTP method.
    #[must_use]
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The bytes of the body.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The policy by which the call was judged.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

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
            .cloned()
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

/// What a decision says by itself may be read: the rest is the call's.
fn mask_decision(decision: &mut Value) {
    let Value::Object(members) = decision else {
        return;
    };
    for (name, member) in members.iter_mut() {
        if matches!(name.as_str(), "plan" | "pointer" | "response") {
            mask(member);
        }
    }
}

/// Replaces every text by its length.
fn mask(value: &mut Value) {
    // The forms are a few levels deep: no input nests here.
    match value {
        Value::String(text) => {
            let length = text.chars().count();
            *text = alloc::format!("({length} characters)");
        }
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(members) => members.values_mut().for_each(mask),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transcript")
            .field("operation", &self.operation)
            .field("steps", &self.steps.len())
            .finish_non_exhaustive()
    }
}
