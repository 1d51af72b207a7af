//! The classes and enumerations that are written in Python, and how to make their objects.

use franking::{Failure, Rule, WarningKind};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// A class of the package, looked up once.
pub(crate) struct Class {
    module: &'static str,
    name: &'static str,
    cell: PyOnceLock<Py<PyType>>,
}

impl Class {
    const fn new(module: &'static str, name: &'static str) -> Self {
        Self {
            module,
            name,
            cell: PyOnceLock::new(),
        }
    }

    pub(crate) fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        self.cell.import(py, self.module, self.name)
    }

    /// A row of a class that is a `NamedTuple`, made as `tuple.__new__(class, items)`.
    pub(crate) fn row<'py, const N: usize>(
        &self,
        py: Python<'py>,
        items: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        static NEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let new = NEW.get_or_try_init(py, || {
            py.get_type::<PyTuple>()
                .getattr("__new__")
                .map(Bound::unbind)
        })?;
        new.bind(py)
            .call1((self.get(py)?, PyTuple::new(py, items)?))
    }
}

const ROWS: &str = "franking._rows";
const ENUMS: &str = "franking._enums";
const ERRORS: &str = "franking._errors";

pub(crate) static VIOLATION: Class = Class::new(ROWS, "Violation");
pub(crate) static WARNING: Class = Class::new(ROWS, "PreflightWarning");
pub(crate) static NEW_SUBSCRIBER: Class = Class::new(ROWS, "NewSubscriber");
pub(crate) static UPDATE: Class = Class::new(ROWS, "Update");
pub(crate) static RECIPIENT: Class = Class::new(ROWS, "Recipient");
pub(crate) static COLLAPSED: Class = Class::new(ROWS, "Collapsed");
pub(crate) static DEBIT: Class = Class::new(ROWS, "Debit");
pub(crate) static ASKED: Class = Class::new(ROWS, "Asked");
pub(crate) static DEPRECATION: Class = Class::new(ROWS, "Deprecation");
pub(crate) static EXPLAINED: Class = Class::new(ROWS, "Explained");
pub(crate) static ADDRESS: Class = Class::new(ROWS, "Address");
pub(crate) static INVALID_ADDRESS: Class = Class::new(ROWS, "InvalidAddress");
pub(crate) static ENTRY: Class = Class::new(ROWS, "Entry");
pub(crate) static ANSWER: Class = Class::new(ROWS, "Answer");
pub(crate) static UNREADABLE_ANSWER: Class = Class::new(ROWS, "UnreadableAnswer");
pub(crate) static DECODED: Class = Class::new(ROWS, "Decoded");
pub(crate) static ROUTE: Class = Class::new(ROWS, "Route");
pub(crate) static LINK: Class = Class::new(ROWS, "Link");
pub(crate) static LISTED_LINK: Class = Class::new(ROWS, "ListedLink");
pub(crate) static COMPOSED_CALL: Class = Class::new(ROWS, "ComposedCall");
pub(crate) static UNCOMPOSABLE: Class = Class::new(ROWS, "Uncomposable");
pub(crate) static REPLAY: Class = Class::new(ROWS, "Replay");

static OPERATION: Class = Class::new(ENUMS, "Operation");
static RULE: Class = Class::new(ENUMS, "Rule");
static WARNING_KIND: Class = Class::new(ENUMS, "WarningKind");

static POLICY_ERROR: Class = Class::new(ERRORS, "PolicyError");
static COMMIT_UNKNOWN_ERROR: Class = Class::new(ERRORS, "CommitUnknownError");
static MISUSE_ERROR: Class = Class::new(ERRORS, "MisuseError");
static INTERNAL_ERROR: Class = Class::new(ERRORS, "InternalError");

/// The member of Python's `Rule`.
pub(crate) fn rule<'py>(py: Python<'py>, rule: Rule) -> PyResult<Bound<'py, PyAny>> {
    static MEMBERS: PyOnceLock<Vec<(Rule, Py<PyAny>)>> = PyOnceLock::new();
    let members = MEMBERS.get_or_try_init(py, || {
        let member = |rule: &Rule| Ok((*rule, RULE.get(py)?.call1((rule.identifier(),))?.unbind()));
        Rule::ALL.iter().map(member).collect::<PyResult<_>>()
    })?;
    let member = members.iter().find(|(own, _)| *own == rule);
    member
        .map(|(_, member)| member.bind(py).clone())
        .ok_or_else(|| internal_error(py))
}

/// The member of Python's `WarningKind`.
pub(crate) fn warning_kind<'py>(py: Python<'py>, kind: WarningKind) -> PyResult<Bound<'py, PyAny>> {
    WARNING_KIND.get(py)?.call1((kind.identifier(),))
}

/// The member of Python's `Operation`.
pub(crate) fn operation<'py>(
    py: Python<'py>,
    operation: franking::Operation,
) -> PyResult<Bound<'py, PyAny>> {
    OPERATION.get(py)?.call1((operation.name(),))
}

pub(crate) fn policy_error(py: Python<'_>, key: &str, message: &str) -> PyErr {
    raised(py, &POLICY_ERROR, (message.to_owned(), key.to_owned()))
}

pub(crate) fn misuse_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &MISUSE_ERROR, (message.to_owned(),))
}

pub(crate) fn commit_unknown_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &COMMIT_UNKNOWN_ERROR, (message.to_owned(),))
}

/// What is raised when a commit was begun and fails: that it is not known what came of the plan, because of `error`. What
/// is no `Exception` (`KeyboardInterrupt`, `SystemExit`, a task's cancellation) goes on as it is.
pub(crate) fn unknown_because(py: Python<'_>, error: PyErr) -> PyErr {
    let is_said = match COMMIT_UNKNOWN_ERROR.get(py) {
        Ok(class) => error.is_instance(py, class),
        Err(other) => return other,
    };
    if is_said || !error.is_instance_of::<PyException>(py) {
        return error;
    }
    let unknown = commit_unknown_error(py, &Failure::Unknown.to_string());
    unknown.set_cause(py, Some(error));
    unknown
}

pub(crate) fn internal_error(py: Python<'_>) -> PyErr {
    let message = "a fault of this library, not of the call: please report it with a transcript";
    raised(py, &INTERNAL_ERROR, (message,))
}

fn raised<A>(py: Python<'_>, class: &Class, arguments: A) -> PyErr
where
    A: pyo3::PyErrArguments + Send + Sync + 'static,
{
    match class.get(py) {
        Ok(class) => PyErr::from_type(class.clone(), arguments),
        Err(error) => error,
    }
}
