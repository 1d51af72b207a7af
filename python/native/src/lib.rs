//! The Python layer: hands Python's bytes to the `franking` crate and its answers back. It owns no rule.
//!
//! - [`classes`]: the classes and enumerations that are written in Python; [`guard`]: panics become `InternalError`, long
//!   work lets go of the interpreter; [`body`]: the bytes of a call where Python keeps them
//! - [`text`], [`tables`], [`policy`], [`domain_set`], [`outcome`], [`compose`], [`transcript`], [`http`], [`webhook`]: the parts that need no call
//! - [`rows`]: what there may be a million of; [`violations`]: rows of reports and decisions alike
//! - [`machine`]: a call at one moment; [`questions`], [`plan`], [`message`], [`decision`]: what is read from it, and [`names`]
//! - [`records`], [`facts`], [`commit`], [`blacklists`]: what a host says; [`answers`], which takes it
//! - [`call`], [`drive`]: the state machine and the loop over it; [`preflight`]: checks without a host, one or many;
//!   [`columns`]: of columns
//! - [`command`]: the command `franking`; [`home`]: where the package can be loaded
//!
//! No module imports one that imports it: `python/tests/test_layers.py` holds it.

#[cfg(not(target_pointer_width = "64"))]
compile_error!("franking supports platforms of 64 bits alone");

mod answers;
mod blacklists;
mod body;
mod call;
mod classes;
mod columns;
mod command;
mod commit;
mod compose;
mod decision;
mod domain_set;
mod drive;
mod facts;
mod guard;
mod home;
mod http;
mod machine;
mod message;
mod names;
mod outcome;
mod plan;
mod policy;
mod preflight;
mod questions;
mod records;
mod rows;
mod tables;
mod text;
mod transcript;
mod violations;
mod webhook;

use pyo3::pymodule;

/// The native part of the package `franking`. Private: import from `franking`.
#[pymodule(gil_used = false)]
mod _franking {
    #[pymodule_export]
    use super::answers::require_host;
    #[pymodule_export]
    use super::blacklists::Blacklists;
    #[pymodule_export]
    use super::call::{AccountQuestion, Call};
    #[pymodule_export]
    use super::columns::{CheckedColumns, preflight_columns, redecide_columns};
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::commit::Commit;
    #[pymodule_export]
    use super::compose::compose;
    #[pymodule_export]
    use super::decision::Decision;
    #[pymodule_export]
    use super::domain_set::DomainSet;
    #[pymodule_export]
    use super::drive::decide;
    #[pymodule_export]
    use super::facts::Facts;
    /// Work on more bytes than this is done in a thread.
    #[pymodule_export]
    const LONG: usize = super::guard::LONG;
    #[pymodule_export]
    use super::home::require_home;
    #[pymodule_export]
    use super::http::http_answer;
    #[pymodule_export]
    use super::message::{Message, Recipient};
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::plan::{Collapsed, NewSubscriber, Plan, Update};
    #[pymodule_export]
    use super::policy::Policy;
    #[pymodule_export]
    use super::preflight::{Preflight, Reports, preflight, preflight_batch};
    #[pymodule_export]
    use super::questions::Questions;
    #[pymodule_export]
    use super::records::{Account, Mailer, Subscriber};
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::tables::{
        code_meaning, code_retry, commit_unknown, deprecation, operation_path, route, rule_code,
        rule_table, rules_version, version, warning_table,
    };
    #[pymodule_export]
    use super::text::{
        address_entries, domain_to_ascii, domain_walk, html_decode, html_encode, html_hosts,
        html_links, is_day, parse_address, read_notice, read_response,
    };
    #[pymodule_export]
    use super::transcript::Transcript;
    #[pymodule_export]
    use super::violations::{PreflightWarning, Violation};
    #[pymodule_export]
    use super::webhook::{webhook_sign, webhook_verify};
}
