//! What there may be a million of: made row by row as Python asks for it.

use std::sync::{Arc, Mutex, OnceLock};

use franking::{Collapsed, NewSubscriber, Recipient, Update, Violation, Warning};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyInt, PyIterator, PyList, PySlice, PyString, PyType};
use self_cell::self_cell;

use crate::call::Machine;
use crate::classes::{
    self, COLLAPSED, NEW_SUBSCRIBER, RECIPIENT, RECIPIENT_ROLE, UPDATE, VIOLATION, WARNING,
    WARNING_KIND,
};
use crate::guard::{guard, run};
use crate::plan::Message;
use crate::preflight::Checked;
use crate::text::{optional_int, optional_str, str_of};

/// A `collections.abc.Sequence` of rows that are made as they are asked for, each time anew.
///
/// There may be a million. An index goes through the rows before it: to read all of them, iterate. A slice is a tuple.
#[pyclass(frozen, module = "franking")]
pub(crate) struct Rows {
    source: Source,
    kind: Kind,
    length: OnceLock<usize>,
}

/// What the rows are read from.
#[derive(Clone)]
pub(crate) enum Source {
    Machine(Arc<Machine>),
    Checked(Arc<Checked>),
}

/// Which rows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Violations,
    Warnings,
    Create,
    Update,
    Enlist,
    Messages,
    Recipients(Option<u32>),
    Collapsed,
}

/// A row before Python sees it.
enum Row<'a> {
    Violation(Violation<'a>),
    Warning(Warning),
    Create(NewSubscriber<'a>),
    Update(Update<'a>),
    Enlist(u64),
    Message(Option<u32>),
    Recipient(Recipient<'a>),
    Collapsed(Collapsed<'a>),
}

type Live<'a> = Box<dyn Iterator<Item = Row<'a>> + Send + 'a>;

self_cell!(
    /// An iterator and what it borrows from.
    struct Running {
        owner: Source,
        #[not_covariant]
        dependent: Live,
    }
);

impl Source {
    fn len(&self) -> usize {
        match self {
            Self::Machine(machine) => machine.len(),
            Self::Checked(checked) => checked.body().len(),
        }
    }

    fn rows(&self, kind: Kind) -> Live<'_> {
        match (self, kind) {
            (Self::Checked(checked), Kind::Warnings) => {
                Box::new(checked.warnings().map(Row::Warning))
            }
            (Self::Checked(checked), _) => Box::new(checked.violations().map(Row::Violation)),
            (Self::Machine(machine), Kind::Violations | Kind::Warnings) => {
                let decision = machine.decision().into_iter();
                Box::new(
                    decision
                        .flat_map(|decision| decision.refused())
                        .map(Row::Violation),
                )
            }
            (Self::Machine(machine), _) => Self::rows_of_plan(machine, kind),
        }
    }

    fn rows_of_plan(machine: &Machine, kind: Kind) -> Live<'_> {
        let plan = machine.plan().into_iter();
        match kind {
            Kind::Violations | Kind::Warnings => Box::new(std::iter::empty()),
            Kind::Create => Box::new(plan.flat_map(|plan| plan.create()).map(Row::Create)),
            Kind::Update => Box::new(plan.flat_map(|plan| plan.update()).map(Row::Update)),
            Kind::Enlist => Box::new(plan.flat_map(|plan| plan.enlist()).map(Row::Enlist)),
            Kind::Messages => {
                let messages = plan.flat_map(|plan| plan.messages());
                Box::new(messages.map(|message| Row::Message(message.request())))
            }
            Kind::Recipients(request) => {
                let message = plan.filter_map(move |plan| plan.message(request));
                Box::new(
                    message
                        .flat_map(|message| message.recipients())
                        .map(Row::Recipient),
                )
            }
            Kind::Collapsed => Box::new(plan.flat_map(|plan| plan.collapsed()).map(Row::Collapsed)),
        }
    }
}

impl Rows {
    pub(crate) fn new(source: Source, kind: Kind) -> Self {
        Self {
            source,
            kind,
            length: OnceLock::new(),
        }
    }

    fn nth(&self, py: Python<'_>, index: usize) -> PyResult<Option<Py<PyAny>>> {
        let row = guard(py, || self.source.rows(self.kind).nth(index))?;
        row.map(|row| to_py(py, &self.source, row).map(Bound::unbind))
            .transpose()
    }

    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        for row in self.__iter__(py)? {
            all.append(row?)?;
        }
        Ok(all)
    }

    /// The rows as dicts, where they are violations or warnings.
    pub(crate) fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        let mut running = guard(py, || {
            Running::new(self.source.clone(), |source| source.rows(self.kind))
        })?;
        running.with_dependent_mut(|_, rows| {
            while let Some(row) = guard(py, || rows.next())? {
                match row {
                    Row::Violation(violation) => all.append(violation_to_dict(py, &violation)?)?,
                    Row::Warning(warning) => all.append(warning_to_dict(py, &warning)?)?,
                    _ => return Err(classes::internal_error(py)),
                }
            }
            Ok(all)
        })
    }

    fn length(&self, py: Python<'_>) -> PyResult<usize> {
        if let Some(length) = self.length.get() {
            return Ok(*length);
        }
        let length = run(py, self.source.len(), || {
            self.source.rows(self.kind).count()
        })?;
        Ok(*self.length.get_or_init(|| length))
    }
}

#[pymethods]
impl Rows {
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let running = guard(py, || {
            Running::new(self.source.clone(), |source| source.rows(self.kind))
        })?;
        let running = Mutex::new(Some(running));
        Bound::new(py, RowsIterator { running })?.try_iter()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.length(py)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        run(py, self.source.len(), || {
            self.source.rows(self.kind).next().is_some()
        })
    }

    fn __reversed__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all(py)?;
        all.reverse()?;
        all.call_method0("__iter__")
    }

    /// The position of a row.
    ///
    /// Args:
    ///     row: A row that is equal.
    ///     start: Where to begin, as in a slice.
    ///     stop: Where to end, as in a slice.
    ///
    /// Returns:
    ///     The position of the first row that is equal.
    ///
    /// Raises:
    ///     ValueError: There is none.
    #[pyo3(signature = (row, start = 0, stop = isize::MAX, /))]
    fn index<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.all(py)?.call_method1("index", (row, start, stop))
    }

    /// How often a row is there.
    ///
    /// Args:
    ///     row: A row that is equal.
    ///
    /// Returns:
    ///     The number of rows that are equal.
    #[pyo3(signature = (row, /))]
    fn count(&self, py: Python<'_>, row: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mut count = 0;
        for own in self.__iter__(py)? {
            count += usize::from(own?.eq(row)?);
        }
        Ok(count)
    }

    fn __contains__(&self, py: Python<'_>, row: &Bound<'_, PyAny>) -> PyResult<bool> {
        for own in self.__iter__(py)? {
            if own?.eq(row)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return self.all(py)?.to_tuple().into_any().get_item(index);
        }
        let Ok(index) = index.cast::<PyInt>() else {
            return Err(PyTypeError::new_err("rows are taken by an int or a slice"));
        };
        let index = match index.extract::<isize>() {
            Ok(index) if index < 0 => self.length(py)?.checked_add_signed(index),
            Ok(index) => usize::try_from(index).ok(),
            Err(_) => None,
        };
        let row = index
            .map(|index| self.nth(py, index))
            .transpose()?
            .flatten();
        row.map(|row| row.into_bound(py))
            .ok_or_else(|| PyIndexError::new_err("there are not as many rows"))
    }

    /// The first row; `None` when there is none.
    #[getter]
    fn first(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.nth(py, 0)
    }

    /// For annotations: `Rows[Violation]`.
    #[classmethod]
    #[pyo3(signature = (_of, /))]
    fn __class_getitem__(class: &Bound<'_, PyType>, _of: &Bound<'_, PyAny>) -> Py<PyType> {
        class.clone().unbind()
    }

    fn __repr__(&self) -> &'static str {
        match (self.kind, &self.source) {
            (Kind::Violations, Source::Checked(_)) => "<Rows of violations>",
            (Kind::Violations, Source::Machine(_)) => "<Rows of refused requests and recipients>",
            (Kind::Warnings, _) => "<Rows of warnings>",
            (Kind::Create, _) => "<Rows of subscribers to create>",
            (Kind::Update, _) => "<Rows of subscribers to update>",
            (Kind::Enlist, _) => "<Rows of subscribers to enlist>",
            (Kind::Messages, _) => "<Rows of messages>",
            (Kind::Recipients(_), _) => "<Rows of recipients>",
            (Kind::Collapsed, _) => "<Rows of collapsed recipients>",
        }
    }
}

/// An iterator over [`Rows`].
#[pyclass(frozen, module = "franking")]
pub(crate) struct RowsIterator {
    /// None when it has ended.
    running: Mutex<Option<Running>>,
}

#[pymethods]
impl RowsIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut slot = self
            .running
            .lock_py_attached(py)
            .map_err(|_| classes::internal_error(py))?;
        let Some(mut running) = slot.take() else {
            return Ok(None);
        };
        // After a panic the slot stays empty: a broken iterator is not asked again.
        let row = running.with_dependent_mut(|source, rows| {
            let row = guard(py, || rows.next())?;
            row.map(|row| to_py(py, source, row)).transpose()
        })?;
        if row.is_some() {
            *slot = Some(running);
        }
        Ok(row)
    }
}

fn to_py<'py>(py: Python<'py>, source: &Source, row: Row<'_>) -> PyResult<Bound<'py, PyAny>> {
    match row {
        Row::Violation(violation) => violation_to_py(py, &violation),
        Row::Warning(warning) => warning_to_py(py, &warning),
        Row::Create(subscriber) => {
            let fields = fields(py, subscriber.fields())?;
            let texts = [
                subscriber.email(),
                subscriber.match_key(),
                subscriber.list(),
            ];
            let [email, match_key, list] = texts.map(|text| str_of(py, &text));
            NEW_SUBSCRIBER.new_object(py, [email, match_key, list, fields])
        }
        Row::Update(update) => {
            let id = PyInt::new(py, update.id()).into_any();
            UPDATE.new_object(py, [id, fields(py, update.fields())?])
        }
        Row::Enlist(id) => Ok(PyInt::new(py, id).into_any()),
        Row::Message(request) => match source {
            Source::Machine(machine) => {
                Message::new(Arc::clone(machine), request).into_bound_py_any(py)
            }
            Source::Checked(_) => Err(classes::internal_error(py)),
        },
        Row::Recipient(recipient) => {
            let role = recipient.role().map(franking::RecipientRole::name);
            let items = [
                str_of(py, &recipient.to()),
                RECIPIENT_ROLE.optional(py, role)?,
                optional_int(py, recipient.subscriber()),
            ];
            RECIPIENT.new_object(py, items)
        }
        Row::Collapsed(collapsed) => {
            let span = collapsed.span();
            let items = [
                PyInt::new(py, collapsed.request()).into_any(),
                str_of(py, &collapsed.pointer()),
                (span.start, span.end).into_bound_py_any(py)?,
                str_of(py, &collapsed.to()),
            ];
            COLLAPSED.new_object(py, items)
        }
    }
}

fn fields<'py, 'c>(
    py: Python<'py>,
    fields: impl Iterator<Item = (&'static str, std::borrow::Cow<'c, str>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = PyDict::new(py);
    for (name, value) in fields {
        dict.set_item(PyString::intern(py, name), &*value)?;
    }
    Ok(dict.into_any())
}

/// The row of a violation.
pub(crate) fn violation_to_py<'py>(
    py: Python<'py>,
    violation: &Violation<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    let (pointer, span, remedy) = guard(py, || {
        (violation.pointer(), violation.span(), violation.remedy())
    })?;
    let items = [
        classes::rule(py, violation.rule())?,
        classes::code(py, violation.code())?,
        optional_int(py, violation.request().map(u64::from)),
        optional_str(py, pointer.as_deref()),
        span.map(|span| (span.start, span.end))
            .into_bound_py_any(py)?,
        str_of(py, &remedy),
    ];
    VIOLATION.new_object(py, items)
}

fn warning_to_py<'py>(py: Python<'py>, warning: &Warning) -> PyResult<Bound<'py, PyAny>> {
    let span = warning.span().map(|span| (span.start, span.end));
    let items = [
        WARNING_KIND.member(py, warning.kind().identifier())?,
        optional_str(py, warning.pointer()),
        span.into_bound_py_any(py)?,
        optional_str(py, warning.detail()),
        str_of(py, &warning.message()),
    ];
    WARNING.new_object(py, items)
}

fn violation_to_dict<'py>(
    py: Python<'py>,
    violation: &Violation<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let (pointer, span, remedy) = guard(py, || {
        (violation.pointer(), violation.span(), violation.remedy())
    })?;
    let dict = PyDict::new(py);
    dict.set_item("rule", violation.rule().identifier())?;
    dict.set_item("code", violation.code().number())?;
    dict.set_item("request", violation.request())?;
    dict.set_item("pointer", optional_str(py, pointer.as_deref()))?;
    dict.set_item("span", span.map(|span| [span.start, span.end]))?;
    dict.set_item("meaning", violation.rule().meaning())?;
    dict.set_item("remedy", &*remedy)?;
    Ok(dict)
}

fn warning_to_dict<'py>(py: Python<'py>, warning: &Warning) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("warning", warning.kind().identifier())?;
    dict.set_item("pointer", warning.pointer())?;
    dict.set_item("span", warning.span().map(|span| [span.start, span.end]))?;
    dict.set_item("detail", warning.detail())?;
    dict.set_item("message", warning.message())?;
    Ok(dict)
}
