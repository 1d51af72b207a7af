//! The class `Facts`: the host's answers to all questions, in columns.

use std::sync::Arc;

use franking::{DomainRoles, Facts as Columns, Mailers, Subscribers};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::classes::{self, DOMAIN_ROLE};
use crate::records::{Mailer, Subscriber, flag, wrong_type};

/// The host's answers to `Questions`. Each column has one answer for each member of the column of that name, in the same
/// order. An answer is `None`, or `False`, if there is no such thing. A column that is left out is empty.
///
/// A host whose look-up fails raises an exception instead of answering.
///
/// Args:
///     mailers: The stored emails with these ids.
///     senders: Whether each address is that of an active sender of the account.
///     subscriber_ids: The subscribers with these ids.
///     subscribers: The subscribers with these addresses.
///     lists: Whether each list exists.
///     domains: The roles for which each domain is on a blacklist; `Blacklists.answer` fills this column.
///
/// Raises:
///     TypeError: A column, or a member of one, is of another type.
///
/// >>> franking.Facts(senders=[True], lists=[False, True])
/// <Facts of 0 mailers, 1 senders, 0 subscriber_ids, 0 subscribers, 2 lists, 0 domains>
#[pyclass(frozen, module = "franking", eq)]
pub(crate) struct Facts {
    columns: Arc<Columns>,
}

impl PartialEq for Facts {
    /// Compares row by row, because the representation of equal rows can differ.
    fn eq(&self, other: &Self) -> bool {
        let (own, other) = (&self.columns, &other.columns);
        own.mailers.iter().eq(other.mailers.iter())
            && own.senders == other.senders
            && own.subscriber_ids.iter().eq(other.subscriber_ids.iter())
            && own.subscribers.iter().eq(other.subscribers.iter())
            && own.lists == other.lists
            && own.domains == other.domains
    }
}

impl Facts {
    pub(crate) fn new(columns: Arc<Columns>) -> Self {
        Self { columns }
    }

    /// The columns, shared: they are too large to copy.
    pub(crate) fn columns(&self) -> Arc<Columns> {
        Arc::clone(&self.columns)
    }
}

#[pymethods]
impl Facts {
    #[new]
    #[pyo3(
        signature = (
            *, mailers = None, senders = None, subscriber_ids = None, subscribers = None, lists = None, domains = None
        ),
        text_signature = "(*, mailers=(), senders=(), subscriber_ids=(), subscribers=(), lists=(), domains=())"
    )]
    fn from_columns(
        mailers: Option<&Bound<'_, PyAny>>,
        senders: Option<&Bound<'_, PyAny>>,
        subscriber_ids: Option<&Bound<'_, PyAny>>,
        subscribers: Option<&Bound<'_, PyAny>>,
        lists: Option<&Bound<'_, PyAny>>,
        domains: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        // Facts are large, so they are built in place.
        let mut made = Arc::<Columns>::default();
        let facts = Arc::make_mut(&mut made);
        column(mailers, |item| push_mailer(&mut facts.mailers, &item))?;
        column(senders, |item| {
            facts.senders.push(flag(&item)?);
            Ok(())
        })?;
        column(subscriber_ids, |item| {
            push_subscriber(&mut facts.subscriber_ids, &item)
        })?;
        column(subscribers, |item| {
            push_subscriber(&mut facts.subscribers, &item)
        })?;
        column(lists, |item| {
            facts.lists.push(flag(&item)?);
            Ok(())
        })?;
        column(domains, |item| {
            facts.domains.push(roles(&item)?);
            Ok(())
        })?;
        Ok(Self::new(made))
    }

    /// The stored emails.
    #[getter]
    fn mailers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let mailers = self.columns.mailers.iter().map(|mailer| {
            mailer.map(|mailer| Mailer {
                from_address: mailer.from.to_owned(),
                from_name: mailer.from_name.map(str::to_owned),
                blacklisted: mailer.blacklisted,
            })
        });
        PyTuple::new(py, mailers)
    }

    /// Whether each address is that of an active sender of the account.
    #[getter]
    fn senders<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.columns.senders.iter())
    }

    /// The subscribers with these ids.
    #[getter]
    fn subscriber_ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        subscribers_of(py, &self.columns.subscriber_ids)
    }

    /// The subscribers with these addresses.
    #[getter]
    fn subscribers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        subscribers_of(py, &self.columns.subscribers)
    }

    /// Whether each list exists.
    #[getter]
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.columns.lists.iter())
    }

    /// The roles for which each domain is on a blacklist.
    #[getter]
    fn domains<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let domains = self
            .columns
            .domains
            .iter()
            .map(|roles| domain_role(py, *roles));
        PyTuple::new(py, domains.collect::<PyResult<Vec<_>>>()?)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let columns = PyDict::new(py);
        columns.set_item("mailers", self.mailers(py)?)?;
        columns.set_item("senders", self.senders(py)?)?;
        columns.set_item("subscriber_ids", self.subscriber_ids(py)?)?;
        columns.set_item("subscribers", self.subscribers(py)?)?;
        columns.set_item("lists", self.lists(py)?)?;
        columns.set_item("domains", self.domains(py)?)?;
        PyTuple::new(py, [PyTuple::empty(py).into_any(), columns.into_any()])
    }

    fn __repr__(&self) -> String {
        let columns = &self.columns;
        format!(
            "<Facts of {} mailers, {} senders, {} subscriber_ids, {} subscribers, {} lists, {} domains>",
            columns.mailers.len(),
            columns.senders.len(),
            columns.subscriber_ids.len(),
            columns.subscribers.len(),
            columns.lists.len(),
            columns.domains.len()
        )
    }
}

/// Calls `each` for each member of a column of an answer.
fn column<'py>(
    column: Option<&Bound<'py, PyAny>>,
    each: impl FnMut(Bound<'py, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    let Some(column) = column else {
        return Ok(());
    };
    if let Ok(list) = column.cast::<PyList>() {
        return list.iter().try_for_each(each);
    }
    if let Ok(tuple) = column.cast::<PyTuple>() {
        return tuple.iter().try_for_each(each);
    }
    if column.is_instance_of::<PyString>() {
        return Err(wrong_type(column, "a sequence"));
    }
    let Ok(mut items) = column.try_iter() else {
        return Err(wrong_type(column, "a sequence"));
    };
    let mut each = each;
    items.try_for_each(|item| each(item?))
}

pub(crate) fn push_mailer(column: &mut Mailers, item: &Bound<'_, PyAny>) -> PyResult<()> {
    if item.is_none() {
        column.push(None);
        return Ok(());
    }
    let mailer = item
        .cast::<Mailer>()
        .map_err(|_| wrong_type(item, "a Mailer or None"))?
        .get();
    column.push(Some(franking::Mailer {
        from: &mailer.from_address,
        from_name: mailer.from_name.as_deref(),
        blacklisted: mailer.blacklisted,
    }));
    Ok(())
}

pub(crate) fn push_subscriber(column: &mut Subscribers, item: &Bound<'_, PyAny>) -> PyResult<()> {
    if item.is_none() {
        column.push(None);
        return Ok(());
    }
    let subscriber = item
        .cast::<Subscriber>()
        .map_err(|_| wrong_type(item, "a Subscriber or None"))?
        .get();
    column.push(Some(franking::Subscriber {
        id: subscriber.id,
        email: &subscriber.email,
        inactive: subscriber.inactive,
        blacklisted: subscriber.blacklisted,
    }));
    Ok(())
}

fn subscribers_of<'py>(py: Python<'py>, column: &Subscribers) -> PyResult<Bound<'py, PyTuple>> {
    let subscribers = column.iter().map(|subscriber| {
        subscriber.map(|subscriber| Subscriber {
            id: subscriber.id,
            email: subscriber.email.to_owned(),
            inactive: subscriber.inactive,
            blacklisted: subscriber.blacklisted,
        })
    });
    PyTuple::new(py, subscribers)
}

/// The member of Python's `DomainRole` for a set of roles.
pub(crate) fn domain_role(py: Python<'_>, roles: DomainRoles) -> PyResult<&Bound<'_, PyAny>> {
    let member = domain_roles(py)?.get(usize::from(roles.bits()));
    member
        .map(|member| member.bind(py))
        .ok_or_else(|| classes::internal_error(py))
}

/// The sixteen sets of roles.
fn domain_roles(py: Python<'_>) -> PyResult<&Vec<Py<PyAny>>> {
    static MEMBERS: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    MEMBERS.get_or_try_init(py, || {
        let class = DOMAIN_ROLE.get(py)?;
        (0..16_u8)
            .map(|bits| class.call1((bits,)).map(Bound::unbind))
            .collect()
    })
}

/// The roles of a `DomainRole`.
fn roles(item: &Bound<'_, PyAny>) -> PyResult<DomainRoles> {
    let members = domain_roles(item.py())?;
    // Python keeps one object for each set.
    match members.iter().position(|member| member.is(item)) {
        Some(bits) => Ok(DomainRoles::from_bits(
            u8::try_from(bits).unwrap_or_default(),
        )),
        None => Err(wrong_type(item, "a DomainRole")),
    }
}
