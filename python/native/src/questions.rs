//! The class `Questions`: the batch of questions, in columns.

use std::sync::Arc;

use franking::{DomainRoles, Questions as Asked};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};

use crate::classes;
use crate::facts::domain_role;
use crate::guard::guard;
use crate::machine::Machine;

/// The questions that only the host can answer, in one batch. Each column is a set: it has each member once, in order of
/// first use.
///
/// `Facts` answer with the same columns. A column is made when it is first read. If the questions are a step of a `Call`,
/// answer them with `Call.answer_facts`.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Questions {
    machine: Arc<Machine>,
    subscribers: PyOnceLock<Py<PyTuple>>,
    domains: PyOnceLock<Py<PyTuple>>,
}

impl Questions {
    pub(crate) fn machine(&self) -> &Machine {
        &self.machine
    }

    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        Self {
            machine,
            subscribers: PyOnceLock::new(),
            domains: PyOnceLock::new(),
        }
    }

    /// Reads the questions, guarded against panics.
    pub(crate) fn ask<'c, T>(
        &'c self,
        py: Python<'_>,
        look: impl FnOnce(Asked<'c>) -> T,
    ) -> PyResult<T> {
        guard(py, || self.machine.questions().map(look))?.ok_or_else(|| classes::internal_error(py))
    }
}

#[pymethods]
impl Questions {
    /// Ids of stored emails.
    #[getter]
    fn mailers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.ask(py, |questions| PyTuple::new(py, questions.mailers()))?
    }

    /// Match keys of addresses given as `from`: is each an active sender of the account?
    #[getter]
    fn senders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.ask(py, |questions| {
            PyTuple::new(py, questions.senders().map(|key| PyString::new(py, &key)))
        })?
    }

    /// Ids of subscribers: which subscriber has each?
    #[getter]
    fn subscriber_ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.ask(py, |questions| PyTuple::new(py, questions.subscriber_ids()))?
    }

    /// Match keys of recipients' addresses: which subscriber has each?
    #[getter]
    fn subscribers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let column = self.subscribers.get_or_try_init(py, || {
            let keys = |questions: Asked<'_>| {
                PyTuple::new(
                    py,
                    questions.subscribers().map(|key| PyString::new(py, &key)),
                )
            };
            Ok::<_, PyErr>(self.ask(py, keys)??.unbind())
        })?;
        Ok(column.bind(py).clone())
    }

    /// Names of lists, compared exactly: does each exist?
    #[getter]
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.ask(py, |questions| {
            PyTuple::new(py, questions.lists().map(|list| PyString::new(py, &list)))
        })?
    }

    /// Domains in lower-case ASCII form, each directly before its parents: for which of its `domain_roles` is each on a
    /// blacklist? Compare by plain equality. `Blacklists.answer` answers this question.
    #[getter]
    fn domains<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let column = self.domains.get_or_try_init(py, || {
            let names = |questions: Asked<'_>| {
                PyTuple::new(
                    py,
                    questions
                        .domains()
                        .map(|(name, _)| PyString::new(py, &name)),
                )
            };
            Ok::<_, PyErr>(self.ask(py, names)??.unbind())
        })?;
        Ok(column.bind(py).clone())
    }

    /// The roles in which each of `domains` appears, joined by `|`.
    #[getter]
    fn domain_roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let roles: Vec<DomainRoles> = self.ask(py, |questions| {
            questions.domains().map(|(_, roles)| roles).collect()
        })?;
        let members = roles.into_iter().map(|roles| domain_role(py, roles));
        PyTuple::new(py, members.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |questions| {
            format!(
                "<Questions of {} mailers, {} senders, {} subscriber_ids, {} subscribers, {} lists, {} domains>",
                questions.mailers().len(),
                questions.sender_count(),
                questions.subscriber_ids().len(),
                questions.subscriber_count(),
                questions.lists().len(),
                questions.domain_count()
            )
        })
    }
}
