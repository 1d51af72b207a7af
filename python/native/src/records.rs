//! The host's records of an account, a stored email and a subscriber. They are checked when they are made.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::classes::{self, type_name};
use crate::text::text_of;

/// What the host knows of an account (interface, section 2.1).
///
/// Args:
///     blocked: Sending is blocked: code 404.
///     expired: The account has expired: code 405.
///     deactivated: The account is deactivated: code 448.
///     subscriber_credit: The number of subscribers that may still be created (code 444); `None` for no limit.
///     email_credit: The number of emails that may still be sent (code 445); `None` for no limit.
///
/// Raises:
///     TypeError: A member is of another type.
///
/// >>> franking.Account(email_credit=100)
/// Account(blocked=False, expired=False, deactivated=False, subscriber_credit=None, email_credit=100)
#[pyclass(frozen, module = "franking", eq, hash, get_all)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Account {
    /// Sending is blocked.
    blocked: bool,
    /// The account has expired.
    expired: bool,
    /// The account is deactivated.
    deactivated: bool,
    /// The number of subscribers that may still be created; `None` for no limit.
    subscriber_credit: Option<i64>,
    /// The number of emails that may still be sent; `None` for no limit.
    email_credit: Option<i64>,
}

impl Account {
    pub(crate) fn to_core(&self) -> franking::Account {
        franking::Account {
            blocked: self.blocked,
            expired: self.expired,
            deactivated: self.deactivated,
            subscriber_credit: self.subscriber_credit,
            email_credit: self.email_credit,
        }
    }
}

#[pymethods]
impl Account {
    #[new]
    #[pyo3(signature = (
        blocked = false, expired = false, deactivated = false, subscriber_credit = None, email_credit = None
    ))]
    fn new(
        #[pyo3(from_py_with = flag)] blocked: bool,
        #[pyo3(from_py_with = flag)] expired: bool,
        #[pyo3(from_py_with = flag)] deactivated: bool,
        #[pyo3(from_py_with = credit)] subscriber_credit: Option<i64>,
        #[pyo3(from_py_with = credit)] email_credit: Option<i64>,
    ) -> Self {
        Self {
            blocked,
            expired,
            deactivated,
            subscriber_credit,
            email_credit,
        }
    }

    fn __getnewargs__(&self) -> (bool, bool, bool, Option<i64>, Option<i64>) {
        (
            self.blocked,
            self.expired,
            self.deactivated,
            self.subscriber_credit,
            self.email_credit,
        )
    }

    fn __repr__(&self) -> String {
        let flag = |is_on| if is_on { "True" } else { "False" };
        let credit =
            |credit: Option<i64>| credit.map_or("None".to_owned(), |left| left.to_string());
        format!(
            "Account(blocked={}, expired={}, deactivated={}, subscriber_credit={}, email_credit={})",
            flag(self.blocked),
            flag(self.expired),
            flag(self.deactivated),
            credit(self.subscriber_credit),
            credit(self.email_credit)
        )
    }
}

/// What the host knows of a stored email (interface, section 2.2).
///
/// Args:
///     from_address: The assigned sender address, which is used when the call has no `from`. If the call asks about a
///         sender, it is not used and may be empty.
///     from_name: The assigned sender name, which is used when the call has no `fromName`.
///     blacklisted: Whether the address's domain, or a parent of it, is on the blacklist for senders. `None` leaves that to
///         `Blacklists`. If it stays `None`, that is a misuse, unless the call has a `from`.
///
/// Raises:
///     TypeError: A member is of another type.
///     InvalidError: A text has half of a surrogate pair.
#[pyclass(frozen, module = "franking", eq, hash, get_all)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Mailer {
    /// The assigned sender address.
    pub(crate) from_address: String,
    /// The assigned sender name.
    pub(crate) from_name: Option<String>,
    /// Whether the address's domain is on the blacklist for senders; `None` leaves that to `Blacklists`.
    pub(crate) blacklisted: Option<bool>,
}

#[pymethods]
impl Mailer {
    #[new]
    #[pyo3(signature = (from_address, from_name, blacklisted))]
    fn new(
        #[pyo3(from_py_with = text)] from_address: String,
        #[pyo3(from_py_with = optional_text)] from_name: Option<String>,
        #[pyo3(from_py_with = optional_flag)] blacklisted: Option<bool>,
    ) -> Self {
        Self {
            from_address,
            from_name,
            blacklisted,
        }
    }

    fn __getnewargs__(&self) -> (&str, Option<&str>, Option<bool>) {
        (
            &self.from_address,
            self.from_name.as_deref(),
            self.blacklisted,
        )
    }

    #[expect(clippy::unused_self, reason = "addresses and names are not shown")]
    fn __repr__(&self) -> &'static str {
        "<Mailer>"
    }
}

/// What the host knows of a subscriber (interface, section 2.3).
///
/// Args:
///     id: The subscriber's number, 1 to 2**63 - 1.
///     email: The stored address, to which sendMailer sends. On httpSendMail it may be empty.
///     inactive: The subscriber is INACTIVE: code 443.
///     blacklisted: Whether the stored address's domain, or a parent of it, is on the blacklist for recipients. `None`
///         leaves that to `Blacklists`. If it stays `None`, that is a misuse on sendMailer. httpSendMail ignores it, because
///         it is judged by the addresses in the call.
///
/// Raises:
///     TypeError: A member is of another type.
///     InvalidError: The id is out of range, or the address has half of a surrogate pair.
///
/// >>> franking.Subscriber(7, "ada@customer.example", inactive=False, blacklisted=None)
/// <Subscriber 7>
#[pyclass(frozen, module = "franking", eq, hash, get_all)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Subscriber {
    /// The subscriber's number.
    pub(crate) id: u64,
    /// The stored address.
    pub(crate) email: String,
    /// Whether the subscriber is INACTIVE.
    pub(crate) inactive: bool,
    /// Whether the stored address's domain is on the blacklist for recipients; `None` leaves that to `Blacklists`.
    pub(crate) blacklisted: Option<bool>,
}

#[pymethods]
impl Subscriber {
    #[new]
    #[pyo3(signature = (id, email, inactive, blacklisted))]
    fn new(
        #[pyo3(from_py_with = subscriber_id)] id: u64,
        #[pyo3(from_py_with = text)] email: String,
        #[pyo3(from_py_with = flag)] inactive: bool,
        #[pyo3(from_py_with = optional_flag)] blacklisted: Option<bool>,
    ) -> Self {
        Self {
            id,
            email,
            inactive,
            blacklisted,
        }
    }

    fn __getnewargs__(&self) -> (u64, &str, bool, Option<bool>) {
        (self.id, &self.email, self.inactive, self.blacklisted)
    }

    fn __repr__(&self) -> String {
        format!("<Subscriber {}>", self.id)
    }
}

/// Reads a flag. 0 and 1 are taken, too, because databases return them.
pub(crate) fn flag(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(flag.is_true());
    }
    match value.cast::<PyInt>() {
        Ok(number) => number.is_truthy(),
        Err(_) => Err(wrong_type(value, "a bool")),
    }
}

fn optional_flag(value: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    if value.is_none() {
        return Ok(None);
    }
    flag(value).map(Some)
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.cast::<PyString>() {
        Ok(text) => text_of(text).map(str::to_owned),
        Err(_) => Err(wrong_type(value, "a str")),
    }
}

fn optional_text(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    text(value).map(Some)
}

fn subscriber_id(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    if !is_number(value) {
        return Err(wrong_type(value, "an int"));
    }
    match value.extract::<u64>() {
        Ok(id @ 1..=0x7FFF_FFFF_FFFF_FFFF) => Ok(id),
        _ => {
            let message = "a subscriber's id has to be 1 to 9223372036854775807";
            Err(classes::invalid_error(value.py(), message))
        }
    }
}

/// Reads a credit. `None` is no limit. A number outside the range of `i64` becomes the nearest one in it.
fn credit(value: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    if value.is_none() {
        return Ok(None);
    }
    if !is_number(value) {
        return Err(wrong_type(value, "an int or None"));
    }
    match value.extract::<i64>() {
        Ok(number) => Ok(Some(number)),
        Err(_) if value.lt(0)? => Ok(Some(i64::MIN)),
        Err(_) => Ok(Some(i64::MAX)),
    }
}

/// Returns whether a value is an int and not a bool, which is a kind of int in Python.
pub(crate) fn is_number(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>()
}

pub(crate) fn wrong_type(value: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    let given = type_name(value);
    PyTypeError::new_err(format!("{expected} has to be given, not {given}"))
}
