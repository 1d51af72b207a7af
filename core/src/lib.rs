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
//! There are three kinds of mistakes. A [`Violation`] is the caller's, a [`Misuse`] is a bug in the host's program, and
//! [`Failure::Internal`] is a bug in the library. No input of a caller or a host causes a panic.
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

// The modules in layers: each imports only modules of the blocks above its own, except that `code` imports `operation`.
// `tests/layers.rs` checks that.

mod by_operation;
mod bytes;
mod debug;
mod fault;
mod memory;
mod record;
mod serialize;
mod word;

mod signed;
mod text;

mod code;
mod misuse;
mod operation;
mod outcome;
mod policy;
mod roles;

mod rule;
mod wire;

mod commit;
mod facts;
mod notice;
mod violation;

mod check;
mod domains;
mod ending;

mod account;
mod http_send_mail;
mod send_mailer;

mod content;

mod plan;
mod questions;
mod transport;
mod warning;

mod blacklists;
mod decision;
mod preflight;

pub mod http;

mod call;

mod compose;
mod enumerations;
mod host;
mod json;

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
