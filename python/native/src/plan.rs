//! The class `Plan`: what the host has to do for an accepted call.

use std::borrow::Cow;
use std::sync::Arc;

use franking::{API_LIST, Plan as Whole};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};

use crate::classes::{self, DEBIT};
use crate::guard::{guard, run};
use crate::machine::Machine;
use crate::message::Messages;
use crate::names::text_of_name;
use crate::policy::loads;
use crate::rows::{Held, Kind, Lent, Owner as _, by_value, kind, rows};
use crate::text::str_of;

/// What the host has to do for an accepted call, all of it in one transaction (interface, sections 3 and 4).
///
/// As a step of a `Call` it waits to be carried out: `Call.begin_commit` hands it out, and `Call.answer_commit` answers it.
///
/// Members are read from the call on demand. Texts may contain any character, including NUL and line breaks: encode them for
/// the place where you put them.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Plan {
    machine: Arc<Machine>,
}

impl Plan {
    pub(crate) fn new(machine: Arc<Machine>) -> Self {
        Self { machine }
    }

    fn look<'c, T>(&'c self, py: Python<'_>, look: impl FnOnce(Whole<'c>) -> T) -> PyResult<T> {
        guard(py, || self.machine.plan().map(look))?.ok_or_else(|| classes::internal_error(py))
    }

    fn rows<'py, K: Kind<Owner = Machine>>(
        &self,
        py: Python<'py>,
        kind: K,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows(py, kind, &self.machine)
    }
}

#[pymethods]
impl Plan {
    /// The list to which `enlist` adds subscribers. It need not exist beforehand.
    #[classattr]
    #[pyo3(name = "API_LIST")]
    const API_LIST: &'static str = API_LIST;

    /// The subscribers to create, in order of first use.
    #[getter]
    fn create<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, Created)
    }

    /// The column `email` of the subscribers to create, for hosts that write in bulk.
    #[getter]
    fn create_emails<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let emails = self.look(py, |plan| {
            plan.create()
                .map(|subscriber| PyString::new(py, &subscriber.email()))
                .collect::<Vec<_>>()
        })?;
        PyTuple::new(py, emails)
    }

    /// The column `match_key` of the subscribers to create, for hosts that write in bulk.
    #[getter]
    fn create_match_keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let keys = self.look(py, |plan| {
            plan.create()
                .map(|subscriber| PyString::new(py, &subscriber.match_key()))
                .collect::<Vec<_>>()
        })?;
        PyTuple::new(py, keys)
    }

    /// The subscribers whose stored personalization is overwritten, field by field, with what was sent.
    #[getter]
    fn update<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, Updated)
    }

    /// The ids of existing subscribers to add to the list `API_LIST`, in order of first use.
    #[getter]
    fn enlist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, Enlisted)
    }

    /// The messages, one for each request. The requests that a partial batch leaves out have none. Each recipient of a message
    /// gets an email of its own.
    #[getter]
    fn messages<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, Messages)
    }

    /// The repeated addresses that are left out.
    #[getter]
    fn collapsed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, Repeated)
    }

    /// The credits that the plan costs.
    #[getter]
    fn debit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let debit = self.look(py, |plan| plan.debit())?;
        let counts = [debit.email, debit.subscriber];
        DEBIT.new_object(py, counts.map(|count| PyInt::new(py, count).into_any()))
    }

    /// The whole plan as JSON objects, with HTML and addresses.
    ///
    /// Returns:
    ///     A new dict with `create`, `update`, `enlist`, `messages`, `collapsed` and `debit`.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = run(py, self.machine.len(), || {
            self.machine.plan().map(|plan| plan.to_json())
        })?;
        loads(py, &json.ok_or_else(|| classes::internal_error(py))?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let debit = self.look(py, |plan| plan.debit())?;
        Ok(format!(
            "<Plan of {} emails and {} new subscribers>",
            debit.email, debit.subscriber
        ))
    }
}

/// A subscriber to create.
#[pyclass(frozen, eq, hash, module = "franking")]
pub(crate) struct NewSubscriber(Held<Self>);

impl Lent for NewSubscriber {
    type Row<'a> = franking::NewSubscriber<'a>;
}

by_value!(NewSubscriber, |row| (
    row.email().into_owned(),
    row.match_key().into_owned(),
    row.list().into_owned(),
    texts(row.fields())
));

#[pymethods]
impl NewSubscriber {
    /// The address, as sent, without white space around it.
    #[getter]
    fn email<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.guarded(py, |row| str_of(py, &row.email()))
    }

    /// The match key of the address, by which the subscriber was asked about. Store it beside the address, in a unique
    /// column.
    #[getter]
    fn match_key<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.guarded(py, |row| str_of(py, &row.match_key()))
    }

    /// The name of the list to put the subscriber into.
    #[getter]
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.guarded(py, |row| str_of(py, &row.list()))
    }

    /// The personalization that was sent, by the names of the interface. A new dict each time.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.guarded(py, |row| dict_of(py, row.fields()))?
    }

    #[expect(clippy::unused_self, reason = "addresses and names are not shown")]
    fn __repr__(&self) -> &'static str {
        "<NewSubscriber>"
    }
}

// The rows of [`NewSubscriber`].
kind!(
    Created,
    "subscribers to create",
    NewSubscriber,
    |machine: Machine| machine.plan().into_iter().flat_map(|plan| plan.create())
);

/// A subscriber whose stored personalization is overwritten, field by field.
#[pyclass(frozen, eq, hash, module = "franking")]
pub(crate) struct Update(Held<Self>);

impl Lent for Update {
    type Row<'a> = franking::Update<'a>;
}

by_value!(Update, |row| (row.id(), texts(row.fields())));

#[pymethods]
impl Update {
    /// The subscriber's id.
    #[getter]
    fn id(&self) -> u64 {
        self.0.read(|row| row.id())
    }

    /// The fields to overwrite, by the names of the interface; an empty text clears one. A new dict each time.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.0.guarded(py, |row| dict_of(py, row.fields()))?
    }

    fn __repr__(&self) -> String {
        format!("<Update of subscriber {}>", self.id())
    }
}

// The rows of [`Update`].
kind!(
    Updated,
    "subscribers to update",
    Update,
    |machine: Machine| machine.plan().into_iter().flat_map(|plan| plan.update())
);

/// The rows of ids of subscribers to add to [`API_LIST`]. They are Python's ints.
#[derive(Clone, Copy)]
struct Enlisted;

impl Lent for Enlisted {
    type Row<'a> = u64;
}

impl Kind for Enlisted {
    type Owner = Machine;
    type Lent = Self;
    const NAME: &'static str = "subscribers to enlist";

    fn rows<'a>(self, machine: &'a Machine) -> impl Iterator<Item = u64> + Send + use<'a> {
        machine.plan().into_iter().flat_map(|plan| plan.enlist())
    }

    fn to_py<'py>(
        py: Python<'py>,
        row: Held<Self>,
        _machine: &Arc<Machine>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyInt::new(py, row.read(|id| *id)).into_any())
    }
}

/// A repeated address that is left out.
#[pyclass(frozen, eq, hash, module = "franking")]
pub(crate) struct Collapsed(Held<Self>);

impl Lent for Collapsed {
    type Row<'a> = franking::Collapsed<'a>;
}

by_value!(Collapsed, |row| (
    row.request(),
    row.pointer(),
    row.span(),
    row.to().into_owned()
));

#[pymethods]
impl Collapsed {
    /// The position in `requests`, from 0.
    #[getter]
    fn request(&self) -> u32 {
        self.0.read(|row| row.request())
    }

    /// The address list in which the repetition is, as a JSON Pointer (RFC 6901).
    #[getter]
    fn pointer(&self, py: Python<'_>) -> PyResult<String> {
        self.0.guarded(py, |row| row.pointer())
    }

    /// The start and the end of its bytes in the body.
    #[getter]
    fn span(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        let span = self.0.guarded(py, |row| row.span())?;
        Ok((span.start, span.end))
    }

    /// The address as sent, without white space around it.
    #[getter]
    fn to<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.guarded(py, |row| str_of(py, &row.to()))
    }

    fn __repr__(&self) -> String {
        format!("<Collapsed of request {}>", self.request())
    }
}

// The rows of [`Collapsed`].
kind!(
    Repeated,
    "collapsed recipients",
    Collapsed,
    |machine: Machine| machine.plan().into_iter().flat_map(|plan| plan.collapsed())
);

/// A dict of fields by the names of the interface.
fn dict_of<'py, 'c>(
    py: Python<'py>,
    fields: impl Iterator<Item = (&'static str, Cow<'c, str>)>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in fields {
        dict.set_item(text_of_name(py, name)?, &*value)?;
    }
    Ok(dict)
}

/// A list of fields, for comparison.
fn texts<'c>(
    fields: impl Iterator<Item = (&'static str, Cow<'c, str>)>,
) -> Vec<(&'static str, String)> {
    fields
        .map(|(name, value)| (name, value.into_owned()))
        .collect()
}
