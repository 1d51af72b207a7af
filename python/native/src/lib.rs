//! The Python layer: passes Python's bytes to the `franking` crate, and returns its answers. It has no rules of its own.
//!
//! - [`classes`]: the classes and enumerations that are written in Python; [`guard`]: panics become `InternalError`, and
//!   long work releases the interpreter; [`body`]: the body of a call, in Python's memory
//! - [`text`], [`tables`], [`policy`], [`domain_set`], [`outcome`], [`compose`], [`transcript`], [`http`], [`webhook`]: the
//!   parts that do not need a call
//! - [`rows`]: sequences of up to millions of rows; [`violations`]: the rows of both reports and decisions
//! - [`machine`]: the state of a call; [`questions`], [`plan`], [`message`], [`decision`]: views of it; [`names`]: the names
//!   of fields
//! - [`records`], [`facts`], [`commit`], [`blacklists`]: the host's answers; [`answers`]: the checks of their classes
//! - [`call`], [`drive`]: the state machine and the loop over it; [`preflight`]: checks without a host, of one or many
//!   bodies; [`columns`]: checks of columns of bodies
//! - [`command`]: the command `franking`; [`home`]: checks where the package is loaded
//!
//! `ffi/tests/layers.rs` checks that modules do not import each other in a cycle.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "franking for Python supports systems with pointers of 64 bits only: build it for one of these"
);

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
#[cfg(feature = "test-panic")]
mod test_panic;
mod text;
mod transcript;
mod violations;
mod webhook;

use pyo3::pymodule;

/// The native part of the package `franking`. Private: import from `franking`.
#[pymodule(gil_used = false)]
mod _franking {
    use pyo3::prelude::*;

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
    /// `adecide` works on longer bodies in a thread.
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

    /// Adds the switch for faults to the development build. It is not exported, because the type stubs are those of the
    /// package that is shipped. The function is in both builds, because the macro of the module calls it whatever its `cfg`
    /// says.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        #[cfg(feature = "test-panic")]
        module.setattr(
            "_panic_next",
            wrap_pyfunction!(super::test_panic::panic_next, module)?,
        )?;
        let _: &Bound<'_, PyModule> = module;
        Ok(())
    }
}
