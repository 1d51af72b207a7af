//! Transcripts: a call with its questions, answers and decision as one JSON document, to be written, replayed or masked.

mod mask;
mod recorder;
mod replay;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::call::{Call, Step};
use crate::code::Code;
use crate::debug::debug_shows;
use crate::json::DecisionForm;
use crate::operation::Operation;
use crate::policy::{Policy, PolicyError};
use crate::serialize::value_of;
use mask::Masked;
pub use recorder::Recorder;
pub use replay::{Replay, ReplayMisuse};

/// A call with its questions, answers and decision. Debug shows only the operation and the number of steps.
#[derive(Clone, PartialEq)]
pub struct Transcript {
    operation: Operation,
    method: String,
    body: Vec<u8>,
    policy: Policy,
    steps: Vec<Value>,
    decision: Value,
}

/// Why a document is not a transcript, or cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// It is not JSON, or not of the form of a transcript.
    #[error("this is not a transcript: {0}")]
    Form(String),
    /// It is masked, so it cannot be replayed.
    #[error("the transcript is masked, for reading only: replay the one that was written unmasked")]
    Masked,
    /// Its policy is invalid.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// The answer of a step is missing or invalid.
    #[error("step {step} of the transcript has no answer that can be read: {reason}")]
    Answer {
        /// The position of the step, from 0.
        step: usize,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The question of a step is not the one that the call asks.
    #[error(
        "step {step} of the transcript notes another question than the call asks: it is of another call or version"
    )]
    Question {
        /// The position of the step, from 0.
        step: usize,
    },
}

impl Transcript {
    /// Reads the JSON form. `policy` and `method` may be left out; `decision` is kept as it is.
    ///
    /// # Errors
    /// - [`TranscriptError::Form`] when the text is not JSON, or not of the form of a transcript;
    /// - [`TranscriptError::Masked`] when the transcript is masked;
    /// - [`TranscriptError::Policy`] when its policy is invalid.
    pub fn from_json(text: &str) -> Result<Self, TranscriptError> {
        let form = |reason: &str| TranscriptError::Form(reason.to_string());
        let value = serde_json::from_str(text).map_err(|error| form(&error.to_string()))?;
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
            // A call that was not decided has no decision, which is written as null.
            decision: members.remove("decision").unwrap_or(Value::Null),
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

    /// The JSON form with the texts of the call masked: keys, addresses, names, subjects, bodies and others. In these
    /// texts each letter is `x` and each digit is `0`, so that lengths and places do not change. This form is for
    /// people to read: it has `"masked": true` and cannot be replayed.
    #[must_use]
    pub fn to_masked_json(&self) -> String {
        let mut value = self.to_value();
        for place in TEXTS_OF_THE_CALL {
            value.pointer_mut(place).into_iter().for_each(mask::form);
        }
        let refused = value.pointer_mut("/decision/refused");
        let refused = refused.and_then(Value::as_array_mut).into_iter().flatten();
        refused.for_each(mask_pointer);
        value
            .pointer_mut("/decision")
            .into_iter()
            .for_each(mask_pointer);
        let mut body = self.body.clone();
        mask::body(&mut body, Masked::All);
        if let Value::Object(members) = &mut value {
            members.remove("body_base64");
            let body = String::from_utf8_lossy(&body).into_owned();
            members.insert("body".to_string(), Value::String(body));
            members.insert("masked".to_string(), Value::Bool(true));
        }
        value.to_string()
    }

    /// The place of the violation that gives the code, as a JSON Pointer (RFC 6901). Names that the interface does not
    /// have are masked. `None` when the call was not refused, or the violation has no place in the body.
    #[must_use]
    pub fn masked_pointer(&self) -> Option<String> {
        let pointer = self.decision.get("pointer")?.as_str()?;
        Some(mask::pointer(pointer))
    }

    /// The transcript with only the key masked. Its replay gives the same decision, because the call is judged by the
    /// recorded answer to the question about its key.
    #[must_use]
    pub fn with_masked_key(mut self) -> Self {
        mask::body(&mut self.body, Masked::Key);
        let call = Call::new(&self.policy, self.operation, &self.method, &*self.body);
        if let Step::Account(question) = call.step() {
            let key = question.key();
            let asked = self.steps.iter_mut();
            for asked in asked.filter_map(|step| step.pointer_mut("/ask/account")) {
                *asked = Value::String(key.to_string());
            }
        }
        drop(call);
        self
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

    /// The code of the recorded decision. `None` if no decision was recorded, or one without a code.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        let number = self.decision.get("code").and_then(Value::as_u64);
        number.and_then(|number| Code::new(number.try_into().ok()?))
    }
}

/// The JSON form of the decision without `asked`, as a transcript has it; null when there is none.
fn decision_of(call: &Call<'_>) -> Value {
    let decision = call.decision();
    decision.map_or(Value::Null, |decision| {
        value_of(&DecisionForm(decision, false))
    })
}

/// The places that have texts of the call, as JSON Pointers. The body and the pointers of a decision have texts of
/// the call as well, and are masked separately.
const TEXTS_OF_THE_CALL: [&str; 3] = ["/steps", "/decision/plan", "/decision/response"];

fn mask_pointer(row: &mut Value) {
    if let Some(Value::String(pointer)) = row.get_mut("pointer") {
        *pointer = mask::pointer(pointer);
    }
}

debug_shows!(this: Transcript { "operation": this.operation, "steps": this.steps.len() });
