//! The class `Commit`: the result of a plan, as the host reports it.

use franking::{Commit as Outcome, Conflict};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::classes;
use crate::records::{is_number, wrong_type};

/// The result of carrying out a plan. Make it with `done`, `conflict` or `unknown`.
///
/// >>> franking.Commit.done(1001), franking.Commit.conflict(franking.Conflict.EMAIL_CREDIT)
/// (Commit.done(1001), Commit.conflict('email_credit'))
#[pyclass(frozen, module = "franking", eq)]
#[derive(PartialEq)]
pub(crate) struct Commit(pub(crate) Outcome);

#[pymethods]
impl Commit {
    /// All of the plan was carried out.
    ///
    /// Args:
    ///     transaction_id: The number that the host has generated to identify the call, 1 to 2**53 - 1 (interface, section
    ///         2.6). Another number ends the call with `Failure.MISUSE`; what the host did remains done.
    ///
    /// Returns:
    ///     The answer to the plan.
    ///
    /// Raises:
    ///     TypeError: The id is not an int.
    #[staticmethod]
    #[pyo3(signature = (transaction_id, /))]
    fn done(transaction_id: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !is_number(transaction_id) {
            return Err(wrong_type(transaction_id, "an int"));
        }
        // A number that is not an id becomes 0, which the call refuses when it is answered.
        let transaction_id = transaction_id.extract().unwrap_or_default();
        Ok(Self(Outcome::Done { transaction_id }))
    }

    /// Nothing of the plan was carried out, because something has changed since the facts were given.
    ///
    /// Args:
    ///     kind: What prevented the commit: a `Conflict`, or its word.
    ///
    /// Returns:
    ///     The answer to the plan: the call is judged again, or gets the conflict's code.
    ///
    /// Raises:
    ///     InvalidError: There is no such conflict.
    #[staticmethod]
    #[pyo3(signature = (kind, /))]
    fn conflict(kind: &Bound<'_, PyString>) -> PyResult<Self> {
        let word = kind.to_string_lossy();
        match Conflict::from_name(&word) {
            Some(conflict) => Ok(Self(Outcome::Conflict(conflict))),
            None => {
                let message = "there is no such conflict: give a member of Conflict";
                Err(classes::invalid_error(kind.py(), message))
            }
        }
    }

    /// It is not known whether the plan was carried out. The call ends with `Failure.UNKNOWN`.
    ///
    /// Returns:
    ///     The answer to the plan.
    #[staticmethod]
    fn unknown() -> Self {
        Self(Outcome::Unknown)
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Outcome::Done { transaction_id } => format!("Commit.done({transaction_id})"),
            Outcome::Conflict(conflict) => format!("Commit.conflict('{}')", conflict.name()),
            Outcome::Unknown => "Commit.unknown()".to_owned(),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let class = py.get_type::<Self>();
        let (name, arguments) = match self.0 {
            Outcome::Done { transaction_id } => ("done", (transaction_id,).into_pyobject(py)?),
            Outcome::Conflict(conflict) => ("conflict", (conflict.name(),).into_pyobject(py)?),
            Outcome::Unknown => ("unknown", PyTuple::empty(py)),
        };
        PyTuple::new(py, [class.getattr(name)?, arguments.into_any()])
    }
}
