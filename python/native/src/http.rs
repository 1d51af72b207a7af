//! The host's HTTP answers.

use std::collections::HashSet;

use franking::http::{self, Answer, Outcome};
use pyo3::exceptions::{PyBaseException, PyBaseExceptionGroup, PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyInt, PyList, PyString};

use crate::body;
use crate::classes::{self, HTTP_ANSWER, type_name};
use crate::guard::guard;
use crate::policy::{self, Policy};
use crate::tables;

/// The HTTP answer for a call that has no decision. For a decided call use `Decision.http`, and for one that is decided by
/// hand `Call.http`.
///
/// Args:
///     operation: The operation that was called, or its name.
///     outcome: The outcome of the call: a member of `Undecided`; the exception that `decide` or `adecide` raised; or the
///         transaction id, 1 to 2**53 - 1, of an accepted call, for a host that stores the answer in the transaction that
///         carries out the plan.
///     policy: The settings; the defaults if left out.
///
/// Returns:
///     The answer. After a `CommitUnknownError` it has no `Retry-After`, so that the call is not sent again. That also holds
///     for an exception that was raised because of one, that groups one, or that was raised because `adecide` was cancelled
///     while the host carried out the plan. After a `MisuseError` or an `InternalError` its status is 500. After any other
///     exception, which a look-up raised, it has a `Retry-After`.
///
/// Raises:
///     InvalidError: The operation or the outcome is unknown.
///     TypeError: An argument is of the wrong type.
///
/// >>> franking.http_answer("sendMailer", ConnectionError()).headers
/// {'Retry-After': '5'}
/// >>> franking.http_answer("sendMailer", franking.CommitUnknownError())
/// HttpAnswer(status=503, headers={})
#[pyfunction]
#[pyo3(signature = (operation, outcome, policy = None))]
pub(crate) fn http_answer<'py>(
    py: Python<'py>,
    operation: &Bound<'py, PyString>,
    outcome: &Bound<'py, PyAny>,
    policy: Option<&Bound<'py, Policy>>,
) -> PyResult<Bound<'py, PyAny>> {
    let operation = body::operation(operation)?;
    let outcome = outcome_of(outcome)?;
    let policy = policy::settings(policy);
    let answer = guard(py, || http::answer(&policy, operation, outcome))?;
    answer_to_py(py, &answer)
}

pub(crate) fn answer_to_py<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyAny>> {
    let headers = PyDict::new(py);
    for (name, value) in answer.headers {
        headers.set_item(name, value)?;
    }
    let items = [
        PyInt::new(py, answer.status).into_any(),
        headers.into_any(),
        PyBytes::new(py, answer.body.as_bytes()).into_any(),
    ];
    HTTP_ANSWER.new_object(py, items)
}

/// The outcome of a call that an exception has left undecided.
pub(crate) fn became(error: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let py = error.py();
    if !error.is_instance_of::<PyException>() {
        let given = type_name(error);
        let message = format!("error has to be an Exception, not {given}");
        return Err(PyTypeError::new_err(message));
    }
    let says_unknown = says_unknown(error)?;
    let error = PyErr::from_value(error.clone());
    Ok(if says_unknown {
        Outcome::Unknown
    } else if classes::is_fault(py, &error) {
        Outcome::Fault
    } else {
        Outcome::Undone
    })
}

/// Whether an exception says that the result of a commit is unknown: a `CommitUnknownError`, or one with the note that
/// `adecide` adds when it is cancelled. `asyncio.timeout` and task groups raise another exception instead, so those that it
/// was raised from, that were handled when it was raised, and that it groups are looked at as well.
fn says_unknown(error: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = error.py();
    let note = tables::commit_unknown();
    let (mut seen, mut left) = (HashSet::new(), vec![error.clone()]);
    while let Some(error) = left.pop() {
        if !error.is_instance_of::<PyBaseException>() || !seen.insert(error.as_ptr().addr()) {
            continue;
        }
        if classes::is_commit_unknown(py, &PyErr::from_value(error.clone())) {
            return Ok(true);
        }
        let notes = error.getattr_opt("__notes__")?;
        if let Some(notes) = notes.filter(|notes| notes.is_instance_of::<PyList>())
            && notes.contains(&note)?
        {
            return Ok(true);
        }
        left.push(error.getattr("__cause__")?);
        left.push(error.getattr("__context__")?);
        if error.is_instance_of::<PyBaseExceptionGroup>() {
            for grouped in error.getattr("exceptions")?.try_iter()? {
                left.push(grouped?);
            }
        }
    }
    Ok(false)
}

fn outcome_of(outcome: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let py = outcome.py();
    if outcome.is_instance_of::<PyInt>() && !outcome.is_instance_of::<PyBool>() {
        // A number that is not an id becomes 0, which is answered as an unknown result.
        let transaction_id = outcome.extract().unwrap_or_default();
        return Ok(Outcome::Accepted { transaction_id });
    }
    if outcome.is_instance_of::<PyException>() {
        return became(outcome);
    }
    let word = outcome.cast::<PyString>().ok();
    // Hyphens and underscores count as the same, as in every other word.
    let word = word.map(|word| word.to_string_lossy().replace('_', "-"));
    match word.as_deref() {
        Some("too-large") => Ok(Outcome::TooLarge),
        Some("undone") => Ok(Outcome::Undone),
        Some("fault") => Ok(Outcome::Fault),
        Some("unknown") => Ok(Outcome::Unknown),
        Some(_) => {
            let message = "there is no such outcome: give a member of Undecided";
            Err(classes::invalid_error(py, message))
        }
        None => {
            let given = type_name(outcome);
            Err(PyTypeError::new_err(format!(
                "outcome has to be an Undecided, an exception, or a transaction id, not {given}"
            )))
        }
    }
}
