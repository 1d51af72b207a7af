//! Decides what happens to a call of a transactional email API: refused, with which code, or accepted, with exactly
//! which subscribers change and which emails go out. It does no I/O.
//!
//! A program (the *host*) hands a [`Call`] the bytes of a call, answers its questions from its own database, carries
//! out its [`Plan`], and passes the mail to its own transport. [`Preflight`] makes the same checks without a host, for
//! clients. [`Rule`] lists what can be wrong, with codes and order.
//!
//! The contract as a loop:
//!
//! ```
//! use franking::{Account, Call, Commit, Facts, Mailer, Operation, Policy, Step, Subscriber};
//!
//! let body = br#"{"apiKey":"k","mailerID":42,"subID":7}"#;
//! let mut call = Call::new(&Policy::default(), Operation::SendMailer, "POST", body);
//! let answer = loop {
//!     match call.step() {
//!         // 1. Look the account up by its key.
//!         Step::Account(question) => {
//!             let account = (question.key() == "k").then(Account::default);
//!             call.answer_account(account)?;
//!         }
//!         // 2. Answer every member of every column; what does not exist is None or false.
//!         Step::Facts(questions) => {
//!             let mut facts = Facts::default();
//!             for _id in questions.mailers() {
//!                 let (from, from_name) = ("sender@example.com", None);
//!                 facts.mailers.push(Some(Mailer { from, from_name, blacklisted: Some(false) }));
//!             }
//!             for id in questions.subscriber_ids() {
//!                 let email = "recipient@example.com";
//!                 facts.subscriber_ids.push(Some(Subscriber { id, email, inactive: false, blacklisted: Some(false) }));
//!             }
//!             call.answer_facts(facts)?;
//!         }
//!         // 3. Take the plan, which is handed out once. Carry it out in one transaction, or say what prevents it.
//!         Step::Commit(_) => {
//!             let _plan = call.begin_commit()?;
//!             call.answer_commit(Commit::Done { transaction_id: 1 })?;
//!         }
//!         // 4. Send the answer back.
//!         Step::Done(decision) => break decision.response(),
//!     }
//! };
//! assert_eq!(answer.as_deref(), Some(r#"{"code":"200","status":"Success","transactionId":"1"}"#));
//! # Ok::<(), franking::Misuse>(())
//! ```
//!
//! [`decide`] is this loop over a [`Host`], a trait with a method for each question.
//!
//! There are three kinds of failure. A [`Violation`] is the caller's fault, a [`Misuse`] is a bug in the host's
//! program, and [`Failure::Internal`] is a bug in the library. No input of a caller or a host causes a panic.
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

// The modules in order of dependency: each imports only modules above it in this list. `tests/layers.rs` checks that.

// A value of one of two types, depending on the operation.
mod by_operation;
// Helpers for bytes and numbers. Knows nothing of what they mean.
mod bytes;
// Debug without personal data.
mod debug;
// The error for a contradiction within the library.
mod fault;
// Upper bounds of the memory that a call takes.
mod memory;
// Records, the same in every language.
mod record;
// Writes the library's own JSON forms.
mod serialize;
// Enumerations, the same in every language.
mod word;

// Addresses, domains, dates, form encoding, the links of HTML. Knows nothing of email APIs.
mod text;

// Signs webhooks, and verifies them. Knows nothing of what they carry.
mod signed;

// The codes of the interface, and what each means on each operation.
mod code;
// Mistakes of a host's program.
mod misuse;
// The two operations, their paths and the day on which they end.
mod operation;
// The outcome of an accepted email.
mod outcome;
// The settings of a host, with every default.
mod policy;
// The roles in which a domain appears in a call.
mod roles;

// The table of rules.
mod rule;
// Reads the bytes of a body into values with their places, and writes the answer.
mod wire;

// The result of carrying out a plan, as the host reports it.
mod commit;
// The host's answers, in columns.
mod facts;
// A rule that is broken, and where.
mod violation;

// The order in which rules are judged.
mod check;
// The domains that a call uses, with their parents and roles, and which of them are blacklisted.
mod domains;
// The endings of a call.
mod ending;

// Phases 2, 3 and 6: the key, the account and its credits. Their rules are the same on both operations.
mod account;
// Judges calls of httpSendMail, from the body to the plan.
mod http_send_mail;
// Judges calls of sendMailer, from the body to the plan.
mod send_mailer;

// Events about accepted calls.
mod notice;

// A call of either operation, with what is known of it at each stage.
mod content;

// The plan of an accepted call: what the host has to do.
mod plan;
// The questions to the host, in one batch.
mod questions;
// Phase 1: method, size and JSON.
mod transport;
// Mistakes that no rule forbids.
mod warning;

// A host's blacklists in memory, and the columns of facts that they answer.
mod blacklists;
// The decision on a call, and its reasons.
mod decision;
// The checks that need no host.
mod preflight;

// The HTTP response of a host.
pub mod http;

// The state machine: the only file that changes a call's stage.
mod call;

// All enumerations, for programs that generate them in another language.
mod enumerations;
// Composes a client's calls from fields, no larger than allowed.
mod compose;
// A host as a trait, and the loop that serves it.
mod host;
// The JSON forms of questions, answers, plans and decisions.
mod json;

// A call with its questions and answers as one document, recorded and replayed.
mod transcript;

/// Webhooks, signed as [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0 specifies.
pub mod webhook {
    pub use crate::signed::{
        Headers, ID, SIGNATURE, Secret, SecretError, SignError, TIMESTAMP, VerifyError, sign,
        verify,
    };
}

/// Email addresses: mailboxes of RFC 5321 and RFC 6531 that the mail system can deliver to.
pub mod address {
    pub use crate::text::address::{
        Address, AddressError, MAX_ADDRESS_LEN, MAX_LOCAL_PART_LEN, MAX_MATCH_KEY_LEN, entries,
        parse,
    };
}

/// Domains, and the hosts of URLs: which are valid, their ASCII form, and the walk up to their parents.
pub mod domain {
    pub use crate::text::domain::{
        DomainError, MAX_DOMAIN_LEN, MAX_LABEL_LEN, Walk, host_to_ascii as to_ascii, parse, walk,
    };
    pub use crate::text::domain_set::{EntriesError, EntryError};
}

/// Dates of the interface: days without a time.
pub mod date {
    pub use crate::text::date::{DateError, is_day, parse_day as parse};
}

/// The HTML of an email: how it is encoded in a body field, its links, and the hosts that are judged.
pub mod html {
    pub use crate::text::form::{Decoded, NotUtf8, decode, detect, encode, try_encode};
    pub use crate::text::links::{
        Clause, HiddenHost, Link, LinkPlace, Links, SortedHosts, hidden_host, hosts, links,
    };
}

/// The marks of personalization placeholders.
pub mod placeholder {
    pub use crate::text::placeholder::{DEFAULT_PAIRS, MAX_IDENTIFIER_LEN, Pairs, PairsError};
}

/// For the tests and the bindings of this repository only. It may change in any version.
#[cfg(feature = "unstable")]
#[doc(hidden)]
pub mod unstable {
    pub use crate::wire::rows;

    pub mod text {
        pub use crate::text::{
            address, date, domain, domain_set, form, links, placeholder, unicode,
        };
    }
}

pub use blacklists::Blacklists;
pub use call::{AccountQuestion, Call, Step};
pub use check::order::rules_in_order;
pub use code::{Code, Retry};
pub use commit::{Commit, Conflict};
pub use compose::{
    ComposeError, ComposedCall, HttpSendMailRequest, HttpSendMailRequests, SendMailerRequest,
    compose, compose_json,
};
pub use decision::{Asked, Decision, Explained, Judgement};
pub use ending::Failure;
pub use enumerations::ENUMERATIONS;
pub use facts::{Account, Debit, Facts, Mailer, Mailers, OutOfMemory, Subscriber, Subscribers};
pub use host::{DecideError, Host, decide};
pub use json::{HostAnswer, JsonAnswerError};
pub use memory::{links_memory_bound, memory_bound};
pub use misuse::Misuse;
pub use notice::{EventType, Notice, NoticeError};
pub use operation::{API_LIST, DEFAULT_LIST, Deprecation, Operation, Route, route};
pub use outcome::{Event, Outcome, Summary, Tracking, UnknownEvent};
pub use plan::{
    Collapsed, Encoding, Message, NewSubscriber, Plan, Recipient, RecipientRole, SinglePlan, Update,
};
pub use policy::{
    AnswerStatus, AnswerValues, Batch, HiddenHosts, Policy, PolicyBuilder, PolicyError,
};
pub use preflight::{Listed, Preflight};
pub use questions::{Questions, SingleQuestions};
pub use record::{Field, Kind, RECORDS, Record};
pub use roles::DomainRoles;
pub use rule::{Phase, RULES_VERSION, Rule, Scope};
pub use send_mailer::personalization_fields;
pub use text::date::Day;
pub use text::domain_set::DomainSet;
pub use text::form::HtmlEncoding;
pub use transcript::{Recorder, Replay, ReplayMisuse, Transcript, TranscriptError};
pub use violation::{BlacklistedLink, Violation};
pub use warning::{Warning, WarningKind};
pub use wire::answer::MAX_TRANSACTION_ID;
pub use wire::response::{Response, ResponseError};
pub use word::{Enumeration, Word};
