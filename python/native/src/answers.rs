//! Checks that the host's answers are objects of the right classes. Anything else is a mistake in the host's program.

use franking::Failure;
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;

use crate::classes::{self, type_name};
use crate::commit::Commit;
use crate::decision::Decision;
use crate::facts::Facts;
use crate::machine::Given;
use crate::records::Account;

/// Reads the answer to an `AccountQuestion`.
pub(crate) fn account(answer: &Bound<'_, PyAny>) -> PyResult<Given> {
    if answer.is_none() {
        return Ok(Given::Account(None));
    }
    match answer.cast::<Account>() {
        Ok(account) => Ok(Given::Account(Some(account.get().to_core()))),
        Err(_) => Err(misuse(answer, "the account", "an Account or None")),
    }
}

/// Reads the answer to `Questions`. Takes the object by value, so that its columns are not shared unless the host has kept
/// it.
pub(crate) fn facts(answer: Bound<'_, PyAny>) -> PyResult<Given> {
    match answer.cast::<Facts>() {
        Ok(facts) => Ok(Given::Facts(facts.get().columns())),
        Err(_) => Err(misuse(&answer, "the questions", "Facts")),
    }
}

/// Reads the answer to a `Plan`. If it is not a `Commit`, the host may still have carried out the plan, so the result is
/// unknown.
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

/// Raises if an object is not a host, before the call is begun. Also used by `adecide`.
///
/// Raises:
///     TypeError: A method is missing, or cannot be called.
#[pyfunction]
#[pyo3(signature = (host, /))]
pub(crate) fn require_host(host: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = host.py();
    let class = host.get_type();
    for name in [
        intern!(py, "account"),
        intern!(py, "facts"),
        intern!(py, "commit"),
    ] {
        // Looks in the class first: looking in the host would make a bound method.
        let can_be_called =
            |found: Option<Bound<'_, PyAny>>| found.is_some_and(|found| found.is_callable());
        let is_there =
            can_be_called(class.getattr_opt(name)?) || can_be_called(host.getattr_opt(name)?);
        if !is_there {
            let (given, name) = (type_name(host), name.to_string_lossy());
            let message = format!(
                "a host has the methods account, facts and commit, but {given} has no {name}: nothing was begun"
            );
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(())
}

/// The exception to raise when a commit fails after it was begun: a `CommitUnknownError` with `error` as its cause. An error
/// that is not an `Exception` (`KeyboardInterrupt`, `SystemExit`, a task's cancellation) is raised as it is, with a note.
///
/// Without a decision, a fault has left the state of the call unknown.
pub(crate) fn unknown_because(py: Python<'_>, error: PyErr, decision: Option<Decision>) -> PyErr {
    let message = Failure::Unknown.to_string();
    if !error.is_instance_of::<PyException>(py) {
        // A class of the host's may refuse notes. Its exception is raised all the same.
        let _ = error
            .value(py)
            .call_method1(intern!(py, "add_note"), (message,));
        return error;
    }
    let decision = decision.and_then(|decision| Bound::new(py, decision).ok());
    let set_decision = |unknown: &PyErr| {
        let name = intern!(py, "decision");
        unknown.value(py).setattr(name, &decision)
    };
    if classes::is_commit_unknown(py, &error) && set_decision(&error).is_ok() {
        return error;
    }
    // The host's exception, if it is a `CommitUnknownError`, is of a class of the host's that takes no decision.
    let unknown = classes::commit_unknown_error(py, &message);
    unknown.set_cause(py, Some(error));
    // Only memory can be missing here. What is raised still says that nobody may try again.
    let _ = set_decision(&unknown);
    unknown
}
