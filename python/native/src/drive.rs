//! The loop over the machine that serves a host.

use std::sync::Arc;

use franking::{Misuse, Step};
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
        Ask::Account(key) => answers::account(&host.call_method1(intern!(py, "account"), (key,))?)?,
        Ask::Facts => {
            let questions = Bound::new(py, Questions::new(Arc::clone(machine)))?;
            answers::facts(host.call_method1(intern!(py, "facts"), (questions,))?)?
        }
        Ask::Commit => {
            let plan = Bound::new(py, Plan::new(Arc::clone(machine)))?;
            answers::commit(&host.call_method1(intern!(py, "commit"), (plan,))?)?
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
