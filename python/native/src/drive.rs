//! The loop over the machine that serves a host.

use std::ptr;
use std::sync::Arc;

use franking::{Misuse, Step};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::answers::{self, Given};
use crate::call::{self, Machine};
use crate::classes;
use crate::decision::Decision;
use crate::guard::guard;
use crate::plan::Plan;
use crate::policy::Policy;
use crate::questions::Questions;

/// Decides a call with a host, which is asked for the account, for everything else in one batch, and to carry out the
/// plan.
///
/// What the host raises is passed on, and the call is dropped undecided. A transaction id that cannot be ends the
/// call without a code: see `Decision.host_error`.
#[pyfunction]
#[pyo3(signature = (operation, body, host, policy = None, *, method = "POST"))]
pub(crate) fn decide(
    py: Python<'_>,
    operation: &str,
    body: &Bound<'_, PyAny>,
    host: &Bound<'_, PyAny>,
    policy: Option<&Bound<'_, Policy>>,
    method: &str,
) -> PyResult<Decision> {
    let mut machine = Machine::new(py, operation, body, policy, method, false)?;
    while let Some(given) = ask(py, &machine, host)? {
        accept(py, call::answer(py, &mut machine, given)?)?;
    }
    Ok(Decision::new(machine))
}

/// What the host answers to what the machine asks; `None` when nothing more is asked.
pub(crate) fn ask(
    py: Python<'_>,
    machine: &Arc<Machine>,
    host: &Bound<'_, PyAny>,
) -> PyResult<Option<Given>> {
    enum Ask<'py> {
        Account(Bound<'py, PyString>),
        Facts,
        Commit,
        Nothing,
    }
    let asked = guard(py, || match machine.call().step() {
        Step::Account(question) => Ask::Account(PyString::new(py, &question.key())),
        Step::Facts(_) => Ask::Facts,
        Step::Commit(_) => Ask::Commit,
        Step::Done(_) => Ask::Nothing,
    })?;
    let given = match asked {
        Ask::Account(key) => answers::account(&tell(host, intern!(py, "account"), key)?)?,
        Ask::Facts => {
            let questions = Bound::new(py, Questions::new(Arc::clone(machine)))?;
            answers::facts(tell(host, intern!(py, "facts"), questions)?)?
        }
        Ask::Commit => {
            let plan = Bound::new(py, Plan::new(Arc::clone(machine)))?;
            answers::commit(&tell(host, intern!(py, "commit"), plan)?)?
        }
        Ask::Nothing => return Ok(None),
    };
    Ok(Some(given))
}

/// A host's mistake is raised; a transaction id that cannot be has ended the call, and its decision says so.
pub(crate) fn accept(py: Python<'_>, taken: Result<(), Misuse>) -> PyResult<()> {
    match taken {
        Ok(()) | Err(Misuse::TransactionId) => Ok(()),
        Err(misuse) => Err(classes::misuse_error(py, &misuse.to_string())),
    }
}

/// What a method of the host returns for one argument. `call_method1` makes a bound method and a tuple for each call where
/// the stable ABI is that of Python 3.11; together they are a twentieth of the time of a short decision.
fn tell<'py, T>(
    host: &Bound<'py, PyAny>,
    method: &Bound<'py, PyString>,
    argument: Bound<'py, T>,
) -> PyResult<Bound<'py, PyAny>> {
    let end = ptr::null_mut::<ffi::PyObject>();
    // SAFETY: `host` shows that the thread is attached. All pointers are of objects that live until the call returns, and
    // a null pointer ends them; what is returned is a new reference, or null with an exception set.
    unsafe {
        let returned =
            ffi::PyObject_CallMethodObjArgs(host.as_ptr(), method.as_ptr(), argument.as_ptr(), end);
        Bound::from_owned_ptr_or_err(host.py(), returned)
    }
}
