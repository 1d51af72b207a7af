//! The tables of the library: rules, warnings, codes, operations.

use franking::{Code, Failure, Operation, Route, Rule, WarningKind};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::body;
use crate::classes::{self, DEPRECATION, ROUTE};

type RuleRow = (
    &'static str,
    u16,
    u8,
    &'static str,
    Vec<&'static str>,
    &'static str,
    &'static str,
);

/// The rule table, in order.
#[pyfunction]
pub(crate) fn rule_table() -> Vec<RuleRow> {
    let row = |rule: &Rule| {
        (
            rule.identifier(),
            rule.number(),
            rule.phase().number(),
            rule.phase().name(),
            rule.fields().to_vec(),
            rule.meaning(),
            rule.remedy(),
        )
    };
    Rule::ALL.iter().map(row).collect()
}

/// The code of a rule on an operation; `None` where it does not apply.
#[pyfunction]
#[pyo3(signature = (rule, operation, /))]
pub(crate) fn rule_code(py: Python<'_>, rule: &str, operation: &str) -> PyResult<Option<u16>> {
    let operation = body::operation(py, operation)?;
    let rule = Rule::from_identifier(rule).ok_or_else(|| classes::internal_error(py))?;
    Ok(rule.code(operation).map(Code::number))
}

/// What is said when a commit did not say what came of its plan.
#[pyfunction]
pub(crate) fn commit_unknown() -> String {
    Failure::Unknown.to_string()
}

/// The kinds of warnings, in order.
#[pyfunction]
pub(crate) fn warning_table() -> Vec<(&'static str, u16, &'static str)> {
    let row = |kind: &WarningKind| (kind.identifier(), kind.number(), kind.meaning());
    WarningKind::ALL.iter().map(row).collect()
}

/// Every code that the interface lists for an operation, in ascending order.
///
/// >>> 602 in franking.codes("sendMailer"), 602 in franking.codes("httpSendMail")
/// (True, False)
#[pyfunction]
#[pyo3(signature = (operation, /))]
pub(crate) fn codes<'py>(py: Python<'py>, operation: &str) -> PyResult<Bound<'py, PyTuple>> {
    let codes: Vec<u16> = Code::all(body::operation(py, operation)?)
        .map(Code::number)
        .collect();
    PyTuple::new(py, codes)
}

/// What a code means on an operation, in the interface's words; `None` for a code that it does not list there.
///
/// >>> franking.code_meaning("sendMailer", 454)
/// 'Subscriber does not exist'
/// >>> franking.code_meaning("httpSendMail", 454)
/// 'API call exceeds the allowed size'
#[pyfunction]
#[pyo3(signature = (operation, code, /))]
pub(crate) fn code_meaning(
    py: Python<'_>,
    operation: &str,
    code: &Bound<'_, PyInt>,
) -> PyResult<Option<&'static str>> {
    let operation = body::operation(py, operation)?;
    Ok(code_of(code).and_then(|code| code.meaning(operation)))
}

/// Whether sending the same call again can help: `accepted`, `change-the-call`, `change-the-account` or `may-help`;
/// `None` for a code that the interface does not list for the operation.
///
/// >>> franking.code_retry("httpSendMail", 442)
/// 'may-help'
#[pyfunction]
#[pyo3(signature = (operation, code, /))]
pub(crate) fn code_retry(
    py: Python<'_>,
    operation: &str,
    code: &Bound<'_, PyInt>,
) -> PyResult<Option<&'static str>> {
    let operation = body::operation(py, operation)?;
    Ok(code_of(code)
        .and_then(|code| code.retry(operation))
        .map(franking::Retry::name))
}

fn code_of(code: &Bound<'_, PyInt>) -> Option<Code> {
    code.extract::<u16>().ok().and_then(Code::new)
}

/// When an operation ends and what replaces it; `None` for one that is not deprecated.
///
/// >>> franking.deprecation("httpSendMail").successor
/// 'sendEmail'
#[pyfunction]
#[pyo3(signature = (operation, /))]
pub(crate) fn deprecation<'py>(
    py: Python<'py>,
    operation: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    deprecation_of(py, body::operation(py, operation)?)
}

pub(crate) fn deprecation_of(
    py: Python<'_>,
    operation: Operation,
) -> PyResult<Option<Bound<'_, PyAny>>> {
    let Some(deprecation) = operation.deprecation() else {
        return Ok(None);
    };
    let texts = [
        deprecation.last_day,
        deprecation.successor,
        deprecation.sunset,
    ];
    let row = DEPRECATION.row(py, texts.map(|text| PyString::new(py, text).into_any()))?;
    Ok(Some(row))
}

/// The path below the base address to which a client posts a call.
///
/// >>> franking.operation_path("sendMailer")
/// '/v4/sendMailer'
#[pyfunction]
#[pyo3(signature = (operation, /))]
pub(crate) fn operation_path(py: Python<'_>, operation: &str) -> PyResult<&'static str> {
    Ok(body::operation(py, operation)?.path())
}

/// The operation that an HTTP method and path name; `None` when the path is no operation's. A `Route` whose method is
/// wrong is answered with code 401, as every call is whose `method` is not `POST`.
///
/// >>> franking.route("POST", "/mail/v4/sendMailer")
/// Route(operation=<Operation.SEND_MAILER: 'sendMailer'>, is_method_right=True)
#[pyfunction]
#[pyo3(signature = (method, path, /))]
pub(crate) fn route<'py>(
    py: Python<'py>,
    method: &str,
    path: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (operation, is_method_right) = match franking::route(method, path) {
        None => return Ok(None),
        Some(Route::Call(operation)) => (operation, true),
        Some(Route::WrongMethod(operation)) => (operation, false),
    };
    let is_method_right = is_method_right.into_pyobject(py)?.to_owned().into_any();
    let row = ROUTE.row(py, [classes::operation(py, operation)?, is_method_right])?;
    Ok(Some(row))
}

/// The version of the library.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
