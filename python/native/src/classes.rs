//! Access to the classes and enumerations that are written in Python, and to their objects.

use std::collections::HashMap;
use std::ptr;

use franking::{Code, Rule};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

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
}

/// A frozen dataclass with slots.
pub(crate) struct Row {
    class: Class,
    slots: PyOnceLock<Vec<Py<PyString>>>,
}

impl Row {
    const fn new(name: &'static str) -> Self {
        Self::of(ROWS, name)
    }

    const fn of(module: &'static str, name: &'static str) -> Self {
        Self {
            class: Class::new(module, name),
            slots: PyOnceLock::new(),
        }
    }

    /// Makes an object with these members, in the order of the class. It sets them with `object.__setattr__`, as the class's
    /// own `__init__` does, but saves the call of that function for each row.
    pub(crate) fn new_object<'py, const N: usize>(
        &self,
        py: Python<'py>,
        members: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.class.get(py)?;
        let slots = self.slots.get_or_try_init(py, || {
            let slots: Vec<Py<PyString>> = class.getattr("__slots__")?.extract()?;
            if slots.len() == N {
                Ok(slots)
            } else {
                Err(internal_error(py))
            }
        })?;
        // SAFETY: `py` shows that the thread is attached. The class is not abstract, and its objects have no state except
        // their slots. The result is a new reference, or null with an exception set.
        let object = unsafe {
            let class = class.as_type_ptr();
            let new = ffi::PyType_GenericNew(class, ptr::null_mut(), ptr::null_mut());
            Bound::from_owned_ptr_or_err(py, new)?
        };
        for (name, member) in slots.iter().zip(members) {
            // SAFETY: all three are objects that live until the call returns. The call does not take over a reference.
            let status = unsafe {
                ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), member.as_ptr())
            };
            if status != 0 {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(object)
    }
}

/// An enumeration whose members are words. Members are looked up by their words.
pub(crate) struct Words {
    class: Class,
    members: PyOnceLock<HashMap<String, Py<PyAny>>>,
}

impl Words {
    const fn new(name: &'static str) -> Self {
        Self {
            class: Class::new(ENUMS, name),
            members: PyOnceLock::new(),
        }
    }

    pub(crate) fn member<'py>(&self, py: Python<'py>, word: &str) -> PyResult<Bound<'py, PyAny>> {
        let members = self
            .members
            .get_or_try_init(py, || members_of(py, &self.class))?;
        let member = members.get(word).map(|member| member.bind(py).clone());
        member.ok_or_else(|| internal_error(py))
    }

    pub(crate) fn optional<'py>(
        &self,
        py: Python<'py>,
        word: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match word {
            Some(word) => self.member(py, word),
            None => Ok(py.None().into_bound(py)),
        }
    }
}

/// An enumeration whose members are numbers. Members are looked up by their numbers.
pub(crate) struct Numbers {
    class: Class,
    /// In ascending order. They are few, so a search is faster than a hash.
    members: PyOnceLock<Vec<(u16, Py<PyAny>)>>,
}

impl Numbers {
    const fn new(name: &'static str) -> Self {
        Self {
            class: Class::new(ENUMS, name),
            members: PyOnceLock::new(),
        }
    }

    pub(crate) fn member<'py>(&self, py: Python<'py>, number: u16) -> PyResult<Bound<'py, PyAny>> {
        let members = self.members.get_or_try_init(py, || {
            let mut members: Vec<_> = members_of(py, &self.class)?;
            members.sort_unstable_by_key(|(number, _)| *number);
            Ok::<_, PyErr>(members)
        })?;
        let found = members.binary_search_by_key(&number, |(number, _)| *number);
        let member = found.ok().and_then(|index| members.get(index));
        match member {
            Some((_, member)) => Ok(member.bind(py).clone()),
            None => Err(internal_error(py)),
        }
    }
}

/// The members of an enumeration by their values.
fn members_of<V, C>(py: Python<'_>, class: &Class) -> PyResult<C>
where
    V: for<'a> FromPyObjectOwned<'a>,
    C: FromIterator<(V, Py<PyAny>)>,
{
    let members = class.get(py)?.try_iter()?.map(|member| {
        let member = member?;
        let value = member.getattr("value")?;
        let value = value.extract::<V>().map_err(Into::into)?;
        Ok((value, member.unbind()))
    });
    members.collect()
}

const ROWS: &str = "franking._rows";
const ENUMS: &str = "franking._enums";
const ERRORS: &str = "franking._errors";

pub(crate) static DEBIT: Row = Row::new("Debit");
pub(crate) static ASKED: Row = Row::new("Asked");
pub(crate) static DEPRECATION: Row = Row::of(ENUMS, "Deprecation");
pub(crate) static EXPLAINED: Row = Row::new("Explained");
pub(crate) static ADDRESS: Row = Row::new("Address");
pub(crate) static ENTRY: Row = Row::new("Entry");
pub(crate) static RESPONSE: Row = Row::new("Response");
pub(crate) static NOTICE: Row = Row::new("Notice");
pub(crate) static DECODED: Row = Row::new("Decoded");
pub(crate) static LINK: Row = Row::new("Link");
pub(crate) static BLACKLISTED_LINK: Row = Row::new("BlacklistedLink");
pub(crate) static COMPOSED_CALL: Row = Row::new("ComposedCall");
pub(crate) static REPLAY: Row = Row::new("Replay");
pub(crate) static HTTP_ANSWER: Row = Row::new("HttpAnswer");

pub(crate) static CODE: Numbers = Numbers::new("Code");
pub(crate) static ENCODING: Words = Words::new("Encoding");
pub(crate) static EVENT: Numbers = Numbers::new("Event");
pub(crate) static EVENT_TYPE: Words = Words::new("EventType");
pub(crate) static FAILURE: Words = Words::new("Failure");
pub(crate) static JUDGEMENT: Words = Words::new("Judgement");
pub(crate) static OPERATION: Words = Words::new("Operation");
pub(crate) static RECIPIENT_ROLE: Words = Words::new("RecipientRole");
pub(crate) static RETRY: Words = Words::new("Retry");
pub(crate) static ROUTE: Words = Words::new("Route");
pub(crate) static RULE: Words = Words::new("Rule");
pub(crate) static WARNING_KIND: Words = Words::new("WarningKind");
pub(crate) static DOMAIN_ROLE: Class = Class::new(ENUMS, "DomainRole");

static INVALID_ERROR: Class = Class::new(ERRORS, "InvalidError");
static POLICY_ERROR: Class = Class::new(ERRORS, "PolicyError");
static COMPOSE_ERROR: Class = Class::new(ERRORS, "ComposeError");
static TRANSCRIPT_ERROR: Class = Class::new(ERRORS, "TranscriptError");
static COMMIT_UNKNOWN_ERROR: Class = Class::new(ERRORS, "CommitUnknownError");
static WEBHOOK_ERROR: Class = Class::new(ERRORS, "WebhookError");
static MISUSE_ERROR: Class = Class::new(ERRORS, "MisuseError");
static INTERNAL_ERROR: Class = Class::new(ERRORS, "InternalError");

pub(crate) fn rule<'py>(py: Python<'py>, rule: Rule) -> PyResult<Bound<'py, PyAny>> {
    RULE.member(py, rule.identifier())
}

pub(crate) fn code<'py>(py: Python<'py>, code: Code) -> PyResult<Bound<'py, PyAny>> {
    CODE.member(py, code.number())
}

pub(crate) fn operation<'py>(
    py: Python<'py>,
    operation: franking::Operation,
) -> PyResult<Bound<'py, PyAny>> {
    OPERATION.member(py, operation.name())
}

pub(crate) fn invalid_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &INVALID_ERROR, (message.to_owned(),))
}

pub(crate) fn policy_error(py: Python<'_>, key: &str, message: &str) -> PyErr {
    raised(py, &POLICY_ERROR, (message.to_owned(), key.to_owned()))
}

pub(crate) fn compose_error(
    py: Python<'_>,
    message: &str,
    request: Option<usize>,
    field: Option<&str>,
) -> PyErr {
    let arguments = (message.to_owned(), request, field.map(str::to_owned));
    raised(py, &COMPOSE_ERROR, arguments)
}

pub(crate) fn transcript_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &TRANSCRIPT_ERROR, (message.to_owned(),))
}

pub(crate) fn webhook_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &WEBHOOK_ERROR, (message.to_owned(),))
}

pub(crate) fn misuse_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &MISUSE_ERROR, (message.to_owned(),))
}

pub(crate) fn commit_unknown_error(py: Python<'_>, message: &str) -> PyErr {
    raised(py, &COMMIT_UNKNOWN_ERROR, (message.to_owned(),))
}

pub(crate) fn is_commit_unknown(py: Python<'_>, error: &PyErr) -> bool {
    let class = COMMIT_UNKNOWN_ERROR.get(py);
    class.is_ok_and(|class| error.is_instance(py, class))
}

/// Returns whether an error is a fault of a program, the host's or the library.
pub(crate) fn is_fault(py: Python<'_>, error: &PyErr) -> bool {
    [&MISUSE_ERROR, &INTERNAL_ERROR].iter().any(|class| {
        let class = class.get(py);
        class.is_ok_and(|class| error.is_instance(py, class))
    })
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

/// The name of an object's class, for messages: the object itself may be a secret.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().qualname();
    name.map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
