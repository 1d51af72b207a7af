//! The one batch of questions, in columns.

use std::borrow::Cow;
use std::sync::Arc;

use franking::{Questions as Asked, Roles};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};

use crate::answers::role_set;
use crate::call::Machine;
use crate::classes::{self, FINDINGS};
use crate::domain_set::DomainSet;
use crate::guard::{guard, run};
use crate::policy::loads;

/// What only the host knows of a call, asked in one batch: columns of sets, each member once, in order of first use.
///
/// `Findings` answers with the same columns. Columns are made when they are first read.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Questions {
    machine: Arc<Machine>,
    subscribers: PyOnceLock<Py<PyTuple>>,
    domains: PyOnceLock<Py<PyTuple>>,
}

impl Questions {
    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        Self {
            machine,
            subscribers: PyOnceLock::new(),
            domains: PyOnceLock::new(),
        }
    }

    /// Looks at the questions without trusting that nothing panics.
    fn ask<'c, T>(&'c self, py: Python<'_>, look: impl FnOnce(Asked<'c>) -> T) -> PyResult<T> {
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

    /// Ids of subscribers: what is known of each?
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

    /// Domains in lower-case ASCII form, each right before its parents: for which of its `domain_roles` is each on a
    /// blacklist, compared by plain equality? `listed` answers it.
    #[getter]
    fn domains<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let column = self.domains.get_or_try_init(py, || {
            let names = |questions: Asked<'_>| {
                PyTuple::new(
                    py,
                    questions.domains().map(|(name, _)| PyString::new(py, name)),
                )
            };
            Ok::<_, PyErr>(self.ask(py, names)??.unbind())
        })?;
        Ok(column.bind(py).clone())
    }

    /// The roles in which each of `domains` appears: sets of `sender`, `reply_to`, `recipient` and `content`.
    #[getter]
    fn domain_roles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let roles: Vec<Roles> = self.ask(py, |questions| {
            questions.domains().map(|(_, roles)| roles).collect()
        })?;
        let sets = roles.into_iter().map(|roles| role_set(py, roles));
        PyTuple::new(py, sets.collect::<PyResult<Vec<_>>>()?)
    }

    /// The column `domains` of the findings, from blacklists in memory: a `DomainSet`, a `set`, a `dict`, anything
    /// that knows `in`. The first is for all roles; the named ones take its place for theirs.
    #[pyo3(signature = (blacklist = None, /, *, sender = None, reply_to = None, recipient = None, content = None))]
    fn listed<'py>(
        &self,
        py: Python<'py>,
        blacklist: Option<&Bound<'py, PyAny>>,
        sender: Option<&Bound<'py, PyAny>>,
        reply_to: Option<&Bound<'py, PyAny>>,
        recipient: Option<&Bound<'py, PyAny>>,
        content: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let given = [sender, reply_to, recipient, content];
        let named = Roles::ALL.into_iter().zip(given);
        let mut lists: Vec<(Roles, &Bound<'py, PyAny>)> = Vec::with_capacity(4);
        for (role, list) in named {
            let Some(list) = list.or(blacklist) else {
                continue;
            };
            // One look-up serves all the roles of one list.
            match lists.iter_mut().find(|(_, other)| other.is(list)) {
                Some((roles, _)) => *roles |= role,
                None => lists.push((role, list)),
            }
        }
        let found = self.ask(py, |questions| {
            let found = |(name, asked): (&str, Roles)| {
                let mut found = Roles::NONE;
                for (roles, list) in &lists {
                    let roles = roles.intersection(asked);
                    if !roles.is_empty() && contains(list, name)? {
                        found |= roles;
                    }
                }
                role_set(py, found)
            };
            questions.domains().map(found).collect::<PyResult<Vec<_>>>()
        })??;
        PyTuple::new(py, found)
    }

    /// The findings of a host whose tables are in memory: mappings from ids and match keys to records, and containers
    /// of what exists; what is left out is empty. The blacklists are those of `listed`.
    #[pyo3(signature = (
        *, mailers = None, senders = None, subscriber_ids = None, subscribers = None, lists = None, blacklist = None,
        blacklists = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each column")]
    fn look_up<'py>(
        &self,
        py: Python<'py>,
        mailers: Option<&Bound<'py, PyAny>>,
        senders: Option<&Bound<'py, PyAny>>,
        subscriber_ids: Option<&Bound<'py, PyAny>>,
        subscribers: Option<&Bound<'py, PyAny>>,
        lists: Option<&Bound<'py, PyAny>>,
        blacklist: Option<&Bound<'py, PyAny>>,
        blacklists: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let number = |number: u64| PyInt::new(py, number).into_any();
        let text = |text: Cow<'_, str>| PyString::new(py, &text).into_any();
        let role = |name: &str| -> PyResult<Option<Bound<'py, PyAny>>> {
            blacklists.map_or(Ok(None), |all| {
                found_in(all, &PyString::intern(py, name).into_any())
            })
        };
        let by_role = [
            role("sender")?,
            role("reply_to")?,
            role("recipient")?,
            role("content")?,
        ];
        let [sender, reply_to, recipient, content] = by_role.each_ref().map(Option::as_ref);
        let columns = self.ask(py, |asked| {
            Ok::<_, PyErr>([
                records(py, mailers, asked.mailers().map(number))?,
                known(py, senders, asked.senders().map(text))?,
                records(py, subscriber_ids, asked.subscriber_ids().map(number))?,
                records(py, subscribers, asked.subscribers().map(text))?,
                known(py, lists, asked.lists().map(text))?,
                self.listed(py, blacklist, sender, reply_to, recipient, content)?
                    .into_any(),
            ])
        })??;
        FINDINGS.row(py, columns)
    }

    /// The JSON form.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        run(py, self.machine.len(), || {
            self.machine
                .questions()
                .map(|questions| questions.to_json())
        })?
        .ok_or_else(|| classes::internal_error(py))
    }

    /// The JSON form, as Python's objects.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.to_json(py)?)
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

/// The record of each member, `None` where there is none.
fn records<'py>(
    py: Python<'py>,
    table: Option<&Bound<'py, PyAny>>,
    members: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let record = |member: Bound<'py, PyAny>| {
        let found = table.map_or(Ok(None), |table| found_in(table, &member))?;
        Ok(found.unwrap_or_else(|| py.None().into_bound(py)))
    };
    let records = members.map(record).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, records)?.into_any())
}

/// What a mapping has for a key; `None` where it has nothing.
fn found_in<'py>(
    table: &Bound<'py, PyAny>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if let Ok(table) = table.cast_exact::<PyDict>() {
        return table.get_item(key);
    }
    let found = table.call_method1(intern!(table.py(), "get"), (key,))?;
    Ok(Some(found).filter(|found| !found.is_none()))
}

/// Whether each member exists.
fn known<'py>(
    py: Python<'py>,
    table: Option<&Bound<'py, PyAny>>,
    members: impl ExactSizeIterator<Item = Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let known = members
        .map(|member| table.map_or(Ok(false), |table| table.contains(member)))
        .collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, known)?.into_any())
}

fn contains(list: &Bound<'_, PyAny>, name: &str) -> PyResult<bool> {
    match list.cast::<DomainSet>() {
        Ok(list) => Ok(list.get().inner.contains(name)),
        Err(_) => list.contains(name),
    }
}
