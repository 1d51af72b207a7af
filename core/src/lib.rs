//! Decides what happens to a call of a transactional email API: refused, with which code, or accepted, with exactly
//! which subscribers change and which emails go out. It does no I/O.
//!
//! A program (the *host*) hands a [`Call`] the bytes of a call, answers its questions from its own database, carries
//! out its [`Plan`], and passes the mail to its own transport. [`Preflight`] makes the same checks without a host, for
//! clients. [`Rule`] lists what can be wrong, with codes and order.
//!
//! Three failures are kept apart by whose fault they are: a [`Violation`] is the caller's call, a [`Misuse`] the host's
//! program. There is no third: nothing that a caller or a host passes in ends in a panic.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::panic,
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "a test that meets the unexpected should stop"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

/// The examples of the pages, compiled and run with the crate's own.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../README.md")]
    mod readme {}
    #[doc = include_str!("../../docs/rust.md")]
    mod rust {}
    #[doc = include_str!("../../docs/hosting.md")]
    mod hosting {}
}

mod bits;
mod blacklists;
mod call;
mod check;
mod code;
mod column;
mod commit;
mod compose;
mod content;
mod decision;
mod domains;
mod equal;
mod facts;
mod host;
mod json;
mod misuse;
mod operation;
pub mod outcome;
mod personalization;
mod plan;
mod policy;
mod preflight;
mod questions;
mod reading;
mod recipients;
mod rule;
mod selection;
pub mod text;
mod transcript;
mod violation;
mod warning;
mod wire;

pub use blacklists::Blacklists;
pub use call::{AccountQuestion, Call, Step};
pub use code::{Code, Retry};
pub use column::{Column, OutOfMemory};
pub use commit::{Commit, Conflict};
pub use compose::{
    ComposeError, ComposedCall, HttpSendMailRequest, HttpSendMailRequests, SendMailerRequest,
    compose, compose_json,
};
pub use decision::{Asked, BlacklistedLink, Decision, Explained, HostError, Judgement};
pub use facts::{Account, Facts, Mailer, Mailers, Roles, Subscriber, Subscribers};
pub use host::{DecideError, Host, decide};
pub use json::{HostAnswer, JsonAnswerError};
pub use misuse::Misuse;
pub use operation::{Deprecation, Operation, Route, route};
pub use outcome::{Event, Outcome, Summary, Tracking, UnknownEvent};
pub use plan::{
    API_LIST, Collapsed, DEFAULT_LIST, Debit, Encoding, Message, NewSubscriber, Plan, Recipient,
    Role, SinglePlan, Update,
};
pub use policy::{AnswerStatus, AnswerValues, Batch, Policy, PolicyBuilder, PolicyError};
pub use preflight::Preflight;
pub use questions::{Questions, SingleQuestions};
pub use rule::{Phase, Rule};
pub use text::date::Day;
pub use text::domain_set::DomainSet;
pub use text::form::HtmlEncoding;
pub use transcript::{Recorder, Replay, Transcript, TranscriptError};
pub use violation::Violation;
pub use warning::{Warning, WarningKind};
pub use wire::answer::{Answer, AnswerError};
