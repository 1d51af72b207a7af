//! What a host answers: objects of the right class, or it is a mistake of its program.

use std::sync::Arc;

use franking::{Commit as Outcome, Failure};
use pyo3::prelude::*;

use crate::classes;
use crate::commit::Commit;
use crate::facts::Facts;
use crate::records::{Account, type_name};

/// What a host answers to any of the questions.
pub(crate) enum Given {
    Account(Option<franking::Account>),
    /// Facts are large: they stay where they were made until the call takes them.
    Facts(Arc<franking::Facts>),
    Commit(Outcome),
}

/// The answer to the question for an account.
pub(crate) fn account(answer: &Bound<'_, PyAny>) -> PyResult<Given> {
    if answer.is_none() {
        return Ok(Given::Account(None));
    }
    match answer.cast::<Account>() {
        Ok(account) => Ok(Given::Account(Some(account.get().to_core()))),
        Err(_) => Err(misuse(answer, "the account", "an Account or None")),
    }
}

/// The answer to the batch of questions. The object is given away, so that its columns are shared by nobody if the host
/// has not kept it.
pub(crate) fn facts(answer: Bound<'_, PyAny>) -> PyResult<Given> {
    match answer.cast::<Facts>() {
        Ok(facts) => Ok(Given::Facts(facts.get().columns())),
        Err(_) => Err(misuse(&answer, "the questions", "Facts")),
    }
}

/// What came of a plan. Whatever else it is, the host may have carried the plan out.
pub(crate) fn commit(answer: &Bound<'_, PyAny>) -> PyResult<Given> {
    match answer.cast::<Commit>() {
        Ok(commit) => Ok(Given::Commit(commit.get().0)),
        Err(_) => {
            let wrong = wrong_text(answer, "the plan", "a Commit");
            let message = format!("{wrong}; {}", Failure::Unknown);
            Err(classes::commit_unknown_error(answer.py(), &message))
        }
    }
}

fn misuse(answer: &Bound<'_, PyAny>, question: &str, expected: &str) -> PyErr {
    classes::misuse_error(answer.py(), &wrong_text(answer, question, expected))
}

fn wrong_text(answer: &Bound<'_, PyAny>, question: &str, expected: &str) -> String {
    let given = type_name(answer);
    let hint = if given == "coroutine" {
        "; for a host with async methods use adecide"
    } else {
        ""
    };
    format!("{question} has to be answered by {expected}, not by {given}{hint}")
}
