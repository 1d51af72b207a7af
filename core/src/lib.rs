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

// The modules from the ground up: each imports only what stands above it in this list, which `tests/floors.rs` holds.

// Bytes, numbers and small columns of them, of whatever meaning.
mod bytes;
// A column of answers that needs no allocation while it is short.
mod column;
// How much memory reading takes at most.
mod memory;

// Addresses, domains, dates, form encoding, the links of HTML. Knows nothing of email APIs.
pub mod text;

// The numbers of the interface, and what each means on which operation.
mod code;
// What a host's program can do wrong.
mod misuse;
// The two operations, their paths and their end.
mod operation;
// What became of an email after it was sent.
pub mod outcome;
// What a host may choose, and every default.
mod policy;
// The roles in which a domain appears in a call.
mod roles;

// THE table of rules.
mod rule;
// From the bytes of a body to values with their places, and the answer back to bytes.
mod wire;

// What came of a plan, as the host answers it.
mod commit;
// What the host knows, in columns.
mod facts;
// The recipients of a batch: which are equal, and which stand for which request.
mod recipients;
// A rule that is broken, and where.
mod violation;

// The domains that a call uses, with their parents and roles.
mod domains;

// One function for each rule that the content breaks, and the order of rules.
mod check;
// What is known of a call from its body.
mod content;
// The personalization that was sent.
mod personalization;

// What is known of a call, from its body and from its host.
mod known;

// One function for each rule that the host's facts break, and the credit.
mod judge;

// What remains of a batch that is accepted in part.
mod partial;

// What the host is to do.
mod plan;

// What was decided, and why.
mod decision;
// What the host is asked, in one batch.
mod questions;
// The transport: method, size, JSON, and the empty key.
mod reading;
// What is no violation, and was probably not meant.
mod warning;

// A host's blacklists in memory, and all that they answer.
mod blacklists;
// The state machine: the only file that changes a call's state.
mod call;
// The same checks without a host.
mod preflight;

// What a client sends: calls made from fields, no larger than allowed.
mod compose;
// A host as a trait, and the loop that serves it.
mod host;
// The JSON form of all that crosses the boundary.
mod json;

// A call with its questions and answers as one document, recorded and replayed.
mod transcript;

pub use blacklists::Blacklists;
pub use call::{AccountQuestion, Call, Step};
pub use code::{Code, Retry};
pub use column::{Column, OutOfMemory};
pub use commit::{Commit, Conflict};
pub use compose::{
    ComposeError, ComposedCall, HttpSendMailRequest, HttpSendMailRequests, SendMailerRequest,
    compose, compose_json,
};
pub use decision::{Asked, Decision, Explained, HostError, Judgement};
pub use facts::{Account, Debit, Facts, Mailer, Mailers, Subscriber, Subscribers};
pub use host::{DecideError, Host, decide};
pub use json::{HostAnswer, JsonAnswerError};
pub use memory::{links_memory_bound, memory_bound};
pub use misuse::Misuse;
pub use operation::{API_LIST, DEFAULT_LIST, Deprecation, Operation, Route, route};
pub use outcome::{Event, Outcome, Summary, Tracking, UnknownEvent};
pub use plan::{
    Collapsed, Encoding, Message, NewSubscriber, Plan, Recipient, Role, SinglePlan, Update,
};
pub use policy::{AnswerStatus, AnswerValues, Batch, Policy, PolicyBuilder, PolicyError};
pub use preflight::Preflight;
pub use questions::{Questions, SingleQuestions};
pub use roles::Roles;
pub use rule::{Phase, Rule, Scope};
pub use text::date::Day;
pub use text::domain_set::DomainSet;
pub use text::form::HtmlEncoding;
pub use transcript::{Recorder, Replay, ReplayMisuse, Transcript, TranscriptError};
pub use violation::{BlacklistedLink, Violation};
pub use warning::{Warning, WarningKind};
pub use wire::answer::{Answer, AnswerError};
