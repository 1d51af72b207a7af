//! The loop that decides a call with a host.

use std::ptr;
use std::sync::Arc;

use franking::Step;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::answers::{self, require_host};
use crate::body::method_of;
use crate::decision::Decision;
use crate::guard::guard;
use crate::machine::{self, Given, Machine};
use crate::plan::Plan;
use crate::policy::Policy;
use crate::questions::Questions;

/// Decides a call with a host. It asks the host for the account, then for everything else in one batch, and then to carry
/// out the plan.
///
/// Args:
///     operation: The operation that is called, or its name.
///     body: The body as it came. `bytes` and `str` are not copied.
///     host: The host, which answers the questions and carries out the plan.
///     policy: The settings; the defaults if left out.
///     method: The HTTP method as it came.
///     record: Whether to record questions and answers, for `Decision.transcript`.
///
/// Returns:
///     The decision. If the call ended without a code, it has a `failure`.
///
/// Raises:
///     CommitUnknownError: The host's commit raised, or returned something that is not a `Commit`: the plan may have been carried out.
///     MisuseError: The host answered a look-up with an object that does not fit the question. Nothing was carried out.
///     InvalidError: There is no such operation.
///     TypeError: An argument is of the wrong type, or the host lacks a method. Nothing was begun.
///     Exception: The exception that the host raised during a look-up. Nothing was carried out, and the call can be decided
///         again.
///
/// >>> class Nobody:
/// ...     def account(self, key):
/// ...         return None
/// ...     def facts(self, questions):
/// ...         raise NotImplementedError
/// ...     commit = facts
/// >>> franking.decide("sendMailer", '{"apiKey": "k"}', Nobody())
/// <Decision on sendMailer: 403 key-unknown>
#[pyfunction]
#[pyo3(
    signature = (operation, body, host, policy = None, *, method = None, record = false),
    text_signature = "(operation, body, host, policy=None, *, method=\"POST\", record=False)"
)]
pub(crate) fn decide(
    py: Python<'_>,
    operation: &Bound<'_, PyString>,
    body: &Bound<'_, PyAny>,
    host: &Bound<'_, PyAny>,
    policy: Option<&Bound<'_, Policy>>,
    #[pyo3(from_py_with = method_of)] method: Option<String>,
    record: bool,
) -> PyResult<Decision> {
    enum Ask<'py> {
        Account(Bound<'py, PyString>),
        Facts,
        Commit,
        Nothing,
    }
    require_host(host)?;
    let mut machine = Machine::new(py, operation, body, policy, method.as_deref(), record)?;
    // Whether the last step was a commit. What became of it is known after the next step.
    let mut may_be_done = false;
    loop {
        let asked = guard(py, || match machine.call().step() {
            Step::Account(question) => Ask::Account(PyString::new(py, &question.key())),
            Step::Facts(_) => Ask::Facts,
            Step::Commit(_) => Ask::Commit,
            Step::Done(_) => Ask::Nothing,
        });
        let asked = asked.map_err(|fault| match may_be_done {
            true => answers::unknown_because(py, fault, None),
            false => fault,
        })?;
        may_be_done = false;
        match asked {
            Ask::Account(key) => {
                let account = answers::account(&tell(host, intern!(py, "account"), key)?)?;
                answer(py, &mut machine, account)?;
            }
            Ask::Facts => {
                let questions = Bound::new(py, Questions::new(Arc::clone(&machine)))?;
                let facts = answers::facts(tell(host, intern!(py, "facts"), questions)?)?;
                answer(py, &mut machine, facts)?;
            }
            Ask::Commit => {
                commit(py, &mut machine, host)?;
                may_be_done = true;
            }
            Ask::Nothing => return Ok(Decision::new(machine)),
        }
    }
}

fn answer(py: Python<'_>, machine: &mut Arc<Machine>, given: Given) -> PyResult<()> {
    machine::answer(py, machine, given)?.map_err(|misuse| machine::misused(py, &misuse))
}

/// Lets the host carry out the plan. This is the point of no return: once the host's commit is called, any failure means
/// that the result is unknown and the call has ended.
fn commit(py: Python<'_>, machine: &mut Arc<Machine>, host: &Bound<'_, PyAny>) -> PyResult<()> {
    machine::begin_commit(py, machine)?.map_err(|misuse| machine::misused(py, &misuse))?;
    let plan = Bound::new(py, Plan::new(Arc::clone(machine)))?;
    let told = tell(host, intern!(py, "commit"), plan);
    let error = match told.and_then(|outcome| answers::commit(&outcome)) {
        Ok(outcome) => match machine::answer(py, machine, outcome) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(misuse)) => machine::misused(py, &misuse),
            Err(fault) => {
                let is_ended = machine::end_as_unknown(py, machine);
                let decision = is_ended.then(|| Decision::new(Arc::clone(machine)));
                return Err(answers::unknown_because(py, fault, decision));
            }
        },
        Err(error) => error,
    };
    let decision = Decision::new(Arc::clone(machine));
    Err(answers::unknown_because(py, error, Some(decision)))
}

/// Calls a method of the host with one argument. With the stable ABI of Python 3.11, `call_method1` would make a bound
/// method and a tuple for each call. Together they would take a twentieth of the time of a short decision.
fn tell<'py, T>(
    host: &Bound<'py, PyAny>,
    method: &Bound<'py, PyString>,
    argument: Bound<'py, T>,
) -> PyResult<Bound<'py, PyAny>> {
    let end = ptr::null_mut::<ffi::PyObject>();
    // SAFETY: `host` shows that the thread is attached. All pointers are of objects that live until the call returns, and a
    // null pointer ends the list. The result is a new reference, or null with an exception set.
    unsafe {
        let returned =
            ffi::PyObject_CallMethodObjArgs(host.as_ptr(), method.as_ptr(), argument.as_ptr(), end);
        Bound::from_owned_ptr_or_err(host.py(), returned)
    }
}
