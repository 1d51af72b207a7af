//! The one JSON form of everything that crosses the boundary, the same in every language.
//!
//! What a call asks and what it decides is written; what a host answers is read. [`Call::answer_json`] and
//! [`Step::to_json`] are all that a language needs which has no types for this library.

pub(crate) mod answers;
mod decision;
mod plan;
mod questions;

use alloc::string::String;

use serde::Serialize;
use serde::ser::SerializeMap;

pub use answers::{HostAnswer, JsonAnswerError};

use crate::call::{Call, Step};
use crate::decision::{Asked, Decision, Explained};
use crate::misuse::Misuse;
use crate::plan::Plan;
use crate::preflight::Preflight;
use crate::questions::Questions;
use crate::rule::Rule;
use crate::violation::Violation;
use crate::warning::Warning;
use crate::written::to_json;

impl Serialize for Step<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Account(question) => {
                map.serialize_entry("ask", &Keyed("account", question.key()))?
            }
            Self::Facts(questions) => map.serialize_entry("ask", &Keyed("facts", questions))?,
            Self::Commit(plan) => map.serialize_entry("ask", &Keyed("commit", plan))?,
            Self::Done(decision) => map.serialize_entry("decision", decision)?,
        }
        map.end()
    }
}

/// An object of one member.
struct Keyed<T>(&'static str, T);

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, &self.1)?;
        map.end()
    }
}

impl Step<'_> {
    /// The JSON form: `{"ask": {"account": ...}}`, `{"ask": {"facts": ...}}`, `{"ask": {"commit": ...}}` or
    /// `{"decision": ...}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl Questions<'_> {
    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl Plan<'_> {
    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl Decision<'_> {
    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl<B: AsRef<[u8]>> Call<B> {
    /// Answers what [`Call::step`] asks by the JSON form of an answer: `{"account": ...}`, `{"facts": ...}` or
    /// `{"commit": ...}`.
    ///
    /// While a commit is awaited, a text that is no answer of any kind is taken for `{"commit": {"unknown": true}}`: the host
    /// may have carried the plan out, and the call ends.
    ///
    /// # Errors
    /// [`JsonAnswerError::Form`] when the text is no such form, [`JsonAnswerError::Misuse`] as the typed answers;
    /// nothing changes.
    pub fn answer_json(&mut self, text: &str) -> Result<(), JsonAnswerError> {
        let answer = self.read_answer(text)?;
        Ok(self.answer(answer)?)
    }

    /// Reads the JSON form of an answer as [`Call::answer_json`] does, without giving it.
    pub(crate) fn read_answer(&self, text: &str) -> Result<HostAnswer, JsonAnswerError> {
        if self.awaits_commit() {
            HostAnswer::from_json_to_commit(text)
        } else {
            HostAnswer::from_json(text)
        }
    }

    /// Answers with whichever answer it is.
    ///
    /// # Errors
    /// [`Misuse`] as the three typed answers.
    pub fn answer(&mut self, answer: HostAnswer) -> Result<(), Misuse> {
        match answer {
            HostAnswer::Account(account) => self.answer_account(account),
            HostAnswer::Facts(facts) => self.answer_facts(facts),
            HostAnswer::Commit(commit) => self.answer_commit(commit),
        }
    }
}

impl<B: AsRef<[u8]>> Serialize for Preflight<B> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("violations", &Sequence(|| self.violations()))?;
        map.serialize_entry("warnings", &Sequence(|| self.warnings()))?;
        map.end()
    }
}

impl<B: AsRef<[u8]>> Preflight<B> {
    /// The JSON form: `{"violations": [...], "warnings": [...]}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl Serialize for Violation<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("rule", self.rule().identifier())?;
        map.serialize_entry("code", &self.code().number())?;
        map.serialize_entry("pointer", &self.pointer())?;
        map.serialize_entry("span", &Span(self.span()))?;
        map.end()
    }
}

impl Serialize for Warning {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("warning", self.kind().identifier())?;
        map.serialize_entry("pointer", &self.pointer())?;
        map.end()
    }
}

impl Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use crate::code::Code;
        use crate::operation::Operation;
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("rule", self.identifier())?;
        map.serialize_entry("phase", &self.phase().number())?;
        for operation in Operation::ALL.iter().copied() {
            map.serialize_entry(operation.name(), &self.code(operation).map(Code::number))?;
        }
        map.serialize_entry("meaning", self.meaning())?;
        map.serialize_entry("remedy", self.remedy())?;
        map.end()
    }
}

impl Serialize for Explained {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("rule", self.rule.identifier())?;
        map.serialize_entry("code", &self.code.number())?;
        map.serialize_entry("result", self.judgement.name())?;
        map.end()
    }
}

impl Serialize for Asked {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("account", &self.account)?;
        map.serialize_entry("facts", &self.facts)?;
        map.serialize_entry("commits", &self.commits)?;
        map.end()
    }
}

/// `[start, end)`, or null.
struct Span(Option<core::ops::Range<usize>>);

impl Serialize for Span {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0
            .as_ref()
            .map(|span| [span.start, span.end])
            .serialize(serializer)
    }
}

/// An array written item by item, never held as a whole.
struct Sequence<F>(F);

impl<F, I> Serialize for Sequence<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// An object written member by member.
struct Object<F>(F);

impl<F, I, K, V> Serialize for Object<F>
where
    F: Fn() -> I,
    I: Iterator<Item = (K, V)>,
    K: Serialize,
    V: Serialize,
{
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}
