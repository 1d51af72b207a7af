//! The one batch of questions, in columns.

use std::borrow::Cow;
use std::sync::Arc;

use franking::{DomainRoles, Facts as Columns, Questions as Asked, Subscribers};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};

use crate::blacklists::Blacklists;
use crate::call::Machine;
use crate::classes;
use crate::facts::{Facts, domain_role, push_mailer, push_subscriber};
use crate::guard::{guard, run};

/// What only the host knows of a call, asked in one batch: columns of sets, each member once, in order of first use.
///
/// `Facts` answer with the same columns. Columns are made when they are first read. As a step of a `Call`, questions are
/// answered by `Call.answer_facts`.
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

    /// Adds to what a host has found what blacklists say.
    pub(crate) fn complete(
        &self,
        py: Python<'_>,
        blacklists: &Blacklists,
        facts: &mut Columns,
    ) -> PyResult<()> {
        run(py, self.machine.len(), || {
            let asked = self.machine.questions()?;
            blacklists.fill(&asked, facts);
            Some(())
        })?
        .ok_or_else(|| classes::internal_error(py))
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
    /// blacklist, compared by plain equality? `Blacklists.answer` answers it.
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

    /// Looks everything up for a host whose tables are in memory. A table that is left out is empty.
    ///
    /// Args:
    ///     blacklists: Where domains are looked up; they also say what a `Mailer` or a `Subscriber` leaves open.
    ///     mailers: A mapping from ids to `Mailer`s.
    ///     senders: A container of the match keys of active senders.
    ///     subscriber_ids: A mapping from ids to `Subscriber`s.
    ///     subscribers: A mapping from match keys to `Subscriber`s.
    ///     lists: A container of the names of lists.
    ///
    /// Returns:
    ///     What is known of each member of each column.
    ///
    /// Raises:
    ///     TypeError: A table holds what is of another type.
    ///     AttributeError: A table of ids or of match keys has no `get`.
    #[pyo3(signature = (
        *, blacklists, mailers = None, senders = None, subscriber_ids = None, subscribers = None, lists = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "one for each column")]
    fn look_up<'py>(
        &self,
        py: Python<'py>,
        blacklists: &Bound<'py, Blacklists>,
        mailers: Option<&Bound<'py, PyAny>>,
        senders: Option<&Bound<'py, PyAny>>,
        subscriber_ids: Option<&Bound<'py, PyAny>>,
        subscribers: Option<&Bound<'py, PyAny>>,
        lists: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Facts> {
        let number = |number: u64| PyInt::new(py, number).into_any();
        let text = |text: Cow<'_, str>| PyString::new(py, &text).into_any();
        // They are large, and stay where they are made.
        let mut made = Arc::<Columns>::default();
        let facts = Arc::make_mut(&mut made);
        self.ask(py, |asked| {
            for id in asked.mailers() {
                match found_in(mailers, &number(id))? {
                    Some(found) => push_mailer(&mut facts.mailers, &found)?,
                    None => facts.mailers.push(None),
                }
            }
            for key in asked.senders() {
                facts.senders.push(is_known(senders, text(key))?);
            }
            for id in asked.subscriber_ids() {
                find_subscriber(&mut facts.subscriber_ids, subscriber_ids, &number(id))?;
            }
            facts.subscribers.reserve(asked.subscriber_count());
            for key in asked.subscribers() {
                find_subscriber(&mut facts.subscribers, subscribers, &text(key))?;
            }
            for name in asked.lists() {
                facts.lists.push(is_known(lists, text(name))?);
            }
            Ok::<_, PyErr>(())
        })??;
        self.complete(py, blacklists.get(), facts)?;
        Ok(Facts::new(made))
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

/// What a mapping has for a key; `None` where it has nothing, or where there is no mapping.
fn found_in<'py>(
    table: Option<&Bound<'py, PyAny>>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(table) = table else {
        return Ok(None);
    };
    if let Ok(table) = table.cast_exact::<PyDict>() {
        return table.get_item(key);
    }
    let found = table.call_method1(intern!(table.py(), "get"), (key,))?;
    Ok(Some(found).filter(|found| !found.is_none()))
}

fn find_subscriber(
    column: &mut Subscribers,
    table: Option<&Bound<'_, PyAny>>,
    key: &Bound<'_, PyAny>,
) -> PyResult<()> {
    match found_in(table, key)? {
        Some(found) => push_subscriber(column, &found),
        None => {
            column.push(None);
            Ok(())
        }
    }
}

fn is_known(table: Option<&Bound<'_, PyAny>>, member: Bound<'_, PyAny>) -> PyResult<bool> {
    table.map_or(Ok(false), |table| table.contains(member))
}
