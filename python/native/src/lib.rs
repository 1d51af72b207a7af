//! The Python layer: hands Python's bytes to the `franking` crate and its answers back. It owns no rule.
//!
//! - [`body`]: the bytes of a call where Python keeps them
//! - [`guard`]: panics become `InternalError`, long work lets go of the interpreter
//! - [`classes`]: the classes and enumerations that are written in Python
//! - [`call`], [`drive`]: the state machine and the loop over it; [`answers`]: what a host says
//! - [`questions`], [`plan`], [`decision`], [`rows`]: what a host reads, lazily; [`blacklists`]: where it looks domains up
//! - [`preflight`]: checks without a host, one or many
//! - [`compose`]: what a client sends
//! - [`policy`], [`domain_set`], [`outcome`], [`transcript`], [`text`], [`tables`]: the rest of the library

mod answers;
mod blacklists;
mod body;
mod call;
mod classes;
mod compose;
mod decision;
mod domain_set;
mod drive;
mod guard;
mod outcome;
mod plan;
mod policy;
mod preflight;
mod questions;
mod rows;
mod tables;
mod text;
mod transcript;

use pyo3::pymodule;

/// The native part of the package `franking`. Private: import from `franking`.
#[pymodule(gil_used = false)]
mod _franking {
    #[pymodule_export]
    use super::blacklists::Blacklists;
    #[pymodule_export]
    use super::call::{Account, Call, Commit, Done, Facts};
    #[pymodule_export]
    use super::compose::compose;
    #[pymodule_export]
    use super::decision::Decision;
    #[pymodule_export]
    use super::domain_set::DomainSet;
    #[pymodule_export]
    use super::drive::decide;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::plan::{Message, Plan};
    #[pymodule_export]
    use super::policy::Policy;
    #[pymodule_export]
    use super::preflight::{Preflight, check, check_batch};
    #[pymodule_export]
    use super::questions::{LookedUp, Questions};
    #[pymodule_export]
    use super::rows::Rows;
    #[pymodule_export]
    use super::tables::{
        code_meaning, code_retry, codes, commit_unknown, deprecation, operation_path, route,
        rule_code, rule_table, version, warning_table,
    };
    #[pymodule_export]
    use super::text::{
        decode_html, encode_html, hosts, is_day, links_of, normalize_host, parse_address,
        read_answer, split_addresses, walk,
    };
    #[pymodule_export]
    use super::transcript::Transcript;
}
