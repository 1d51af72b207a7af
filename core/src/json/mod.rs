//! The JSON forms of questions, answers, plans and decisions. They are the same in every language.
//!
//! Questions, plans and decisions are written, and answers are read. A language that has no types for this library needs
//! only [`Call::answer_json`] and [`Step::to_json`].

/// Writes a type as an object with these members.
macro_rules! object {
    ($this:ident: $type:ty { $($name:literal: $value:expr,)* }) => {
        impl Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let $this = self;
                let mut map = serializer.serialize_map(Some([$($name),*].len()))?;
                $(map.serialize_entry($name, &$value)?;)*
                map.end()
            }
        }
    };
}

mod answers;
mod plan;

use alloc::borrow::Cow;
use alloc::string::String;
use core::cell::RefCell;
use core::ops::Range;

use serde::Serialize;
use serde::ser::SerializeMap;

pub use answers::{HostAnswer, JsonAnswerError};

use crate::call::{Call, Step};
use crate::code::Code;
use crate::decision::{Decision, Explained};
use crate::misuse::Misuse;
use crate::operation::{Deprecation, Operation};
use crate::plan::Plan;
use crate::preflight::Preflight;
use crate::questions::Questions;
use crate::roles::DomainRoles;
use crate::rule::Rule;
use crate::serialize::to_json;
use crate::violation::Violation;
use crate::warning::Warning;

impl Serialize for Step<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Account(question) => {
                Keyed("ask", Keyed("account", question.key())).serialize(serializer)
            }
            Self::Facts(questions) => Keyed("ask", Keyed("facts", questions)).serialize(serializer),
            Self::Commit(plan) => Keyed("ask", Keyed("commit", plan)).serialize(serializer),
            Self::Done(decision) => Keyed("decision", decision).serialize(serializer),
        }
    }
}

/// An object with one member.
struct Keyed<T>(&'static str, T);

impl<T: Serialize> Serialize for Keyed<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(self.0, &self.1)?;
        map.end()
    }
}

/// The method that writes a type as JSON.
macro_rules! written {
    ($($(#[$doc:meta])* $type:ident)*) => {$(
        impl $type<'_> {
            $(#[$doc])*
            #[must_use]
            pub fn to_json(&self) -> String {
                to_json(self)
            }
        }
    )*};
}

written! {
    /// The JSON form: `{"ask": {"account": ...}}`, `{"ask": {"facts": ...}}`, `{"ask": {"commit": ...}}` or
    /// `{"decision": ...}`.
    Step
    /// The JSON form.
    Questions
    /// The JSON form.
    Plan
    /// The JSON form.
    Decision
    /// The JSON form: `operation`, `is_clean`, `code` and its meaning (`message`), `violations` and `warnings`. If
    /// [`Preflight::listed`] leaves violations out, their number is in `more`, between the two.
    ///
    /// All warnings are listed. Their text can be longer than the body, but grows in proportion to it. A program that wants only
    /// the first ones takes them from [`Preflight::warnings`].
    Preflight
}

impl Call<'_> {
    /// Answers what [`Call::step`] asks with the JSON form of an answer: `{"account": ...}`, `{"facts": ...}` or
    /// `{"commit": ...}`.
    ///
    /// While a commit is awaited, a text that cannot be read and has no member `account` or `facts` counts as
    /// `{"commit": {"unknown": true}}`: the host may have carried the plan out, so the call ends.
    ///
    /// # Errors
    /// [`JsonAnswerError::Form`] when the text does not have one of these forms; [`JsonAnswerError::Misuse`] where the typed
    /// answers return a [`Misuse`]. The call does not change.
    pub fn answer_json(&mut self, text: &str) -> Result<(), JsonAnswerError> {
        let answer = self.read_answer(text)?;
        Ok(self.answer(answer)?)
    }

    /// Reads the JSON form of an answer as [`Call::answer_json`] does, but does not answer the call.
    pub(crate) fn read_answer(&self, text: &str) -> Result<HostAnswer, JsonAnswerError> {
        if self.awaits_commit() {
            HostAnswer::from_json_to_commit(text)
        } else {
            HostAnswer::from_json(text)
        }
    }

    /// Answers with an answer of any kind.
    ///
    /// # Errors
    /// [`Misuse`], in the cases of the three typed answers.
    pub fn answer(&mut self, answer: HostAnswer) -> Result<(), Misuse> {
        match answer {
            HostAnswer::Account(account) => self.answer_account(account),
            HostAnswer::Facts(facts) => self.answer_facts(facts),
            HostAnswer::Commit(commit) => self.answer_commit(commit),
        }
    }
}

impl Serialize for Preflight<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let listed = RefCell::new(self.listed());
        let operation = self.operation();
        let first = self.violations().next();
        let code = first.map_or(Code::SUCCESS, |violation| violation.code());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("operation", operation.name())?;
        map.serialize_entry("is_clean", &(code == Code::SUCCESS))?;
        map.serialize_entry("code", &code.number())?;
        map.serialize_entry("message", &code.meaning(operation))?;
        // The violations are found while they are written.
        let violations = || core::iter::from_fn(|| listed.borrow_mut().next());
        map.serialize_entry("violations", &Sequence(violations))?;
        let more = listed.into_inner().more();
        if more > 0 {
            map.serialize_entry("more", &more)?;
        }
        map.serialize_entry("warnings", &Sequence(|| self.warnings()))?;
        map.end()
    }
}

object! { violation: Violation<'_> {
    "rule": violation.rule().identifier(),
    "code": violation.code().number(),
    "request": violation.request(),
    "pointer": violation.pointer(),
    "span": span(violation.span()),
    "meaning": violation.rule().meaning(),
    "remedy": violation.remedy(),
}}

object! { warning: Warning {
    "warning": warning.kind().identifier(),
    "pointer": warning.pointer(),
    "span": span(warning.span()),
    "detail": warning.detail(),
    "meaning": warning.kind().meaning(),
    "message": warning.message(),
}}

object! { rule: Rule {
    "rule": rule.identifier(),
    "phase": rule.phase().number(),
    "sendMailer": rule.code(Operation::SendMailer).map(Code::number),
    "httpSendMail": rule.code(Operation::HttpSendMail).map(Code::number),
    "meaning": rule.meaning(),
    "remedy": rule.remedy(),
}}

object! { questions: Questions<'_> {
    "mailers": Sequence(|| questions.mailers()),
    "senders": Sequence(|| questions.senders()),
    "subscriber_ids": Sequence(|| questions.subscriber_ids()),
    "subscribers": Sequence(|| questions.subscribers()),
    "lists": Sequence(|| questions.lists()),
    "domains": Sequence(|| questions.domains().map(|(domain, roles)| Domain { domain, roles })),
}}

#[derive(Serialize)]
struct Domain<'c> {
    domain: Cow<'c, str>,
    roles: DomainRoles,
}

impl Serialize for DomainRoles {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}

impl Serialize for Decision<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DecisionForm(*self, true).serialize(serializer)
    }
}

/// A decision, and whether it is explained. In a transcript it is not: it is what a replay has to reproduce.
pub(crate) struct DecisionForm<'c>(pub(crate) Decision<'c>, pub(crate) bool);

impl Serialize for DecisionForm<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(decision, is_explained) = self;
        let violation = decision.violation();
        let violation = violation.as_ref();
        let rule = violation.map(Violation::rule);
        let code = decision.code();
        let mut map = serializer.serialize_map(None)?;
        if *is_explained {
            map.serialize_entry("operation", decision.operation().name())?;
            map.serialize_entry("is_accepted", &decision.is_accepted())?;
        }
        map.serialize_entry("code", &code.map(Code::number))?;
        if *is_explained {
            let message = code.and_then(|code| code.meaning(decision.operation()));
            map.serialize_entry("message", &message)?;
        }
        map.serialize_entry("rule", &rule.map(Rule::identifier))?;
        if *is_explained {
            map.serialize_entry("meaning", &rule.map(Rule::meaning))?;
            map.serialize_entry("remedy", &violation.map(Violation::remedy))?;
        }
        map.serialize_entry("pointer", &violation.and_then(Violation::pointer))?;
        map.serialize_entry("span", &span(violation.and_then(Violation::span)))?;
        map.serialize_entry("request", &violation.and_then(Violation::request))?;
        map.serialize_entry("response", &decision.response())?;
        if *is_explained {
            map.serialize_entry("transaction_id", &decision.transaction_id())?;
        }
        map.serialize_entry("plan", &decision.plan())?;
        let refused = || decision.refused();
        match decision.failure() {
            None if *is_explained => map.serialize_entry("refused", &Sequence(refused))?,
            None => {
                let refused = Sequence(|| refused().map(TranscriptRefusal));
                map.serialize_entry("refused", &refused)?;
            }
            Some(error) => {
                map.serialize_entry("refused", &())?;
                map.serialize_entry("error", error.name())?;
            }
        }
        map.serialize_entry("deprecation", &decision.deprecation())?;
        if *is_explained {
            map.serialize_entry("asked", &decision.asked())?;
        }
        map.end()
    }
}

/// A request or recipient that a partial batch leaves out, as a transcript shows it.
struct TranscriptRefusal<'c>(Violation<'c>);

object! { refused: TranscriptRefusal<'_> {
    "request": refused.0.request(),
    "pointer": refused.0.pointer(),
    "span": span(refused.0.span()),
    "rule": refused.0.rule().identifier(),
    "code": refused.0.code().number(),
}}

object! { deprecation: Deprecation {
    "last_day": deprecation.last_day,
    "successor": deprecation.successor,
}}

object! { explained: Explained {
    "rule": explained.rule.identifier(),
    "code": explained.code.number(),
    "result": explained.judgement.name(),
}}

/// The array `[start, end]`, where `end` is exclusive, or null.
fn span(range: Option<Range<usize>>) -> Option<[usize; 2]> {
    range.map(|range| [range.start, range.end])
}

/// An array that is written item by item, so that it is never in memory as a whole.
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

/// An object that is written member by member.
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
