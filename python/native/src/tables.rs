//! The tables of the library: rules, warnings, codes, operations.

use franking::{Code, Failure, Operation, Route, Rule, WarningKind};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::body;
use crate::classes::{self, DEPRECATION, RETRY, ROUTE};

type RuleRow = (
    &'static str,
    u16,
    u16,
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
            rule.fields().to_vec(),
            rule.meaning(),
            rule.remedy(),
        )
    };
    Rule::ALL.iter().map(row).collect()
}

/// The code of a rule on an operation; `None` if the rule does not apply to it.
#[pyfunction]
#[pyo3(signature = (rule, operation, /))]
pub(crate) fn rule_code(
    py: Python<'_>,
    rule: &str,
    operation: &Bound<'_, PyString>,
) -> PyResult<Option<u16>> {
    let operation = body::operation(operation)?;
    let rule = Rule::from_identifier(rule).ok_or_else(|| classes::internal_error(py))?;
    Ok(rule.code(operation).map(Code::number))
}

/// The message for a commit whose result is unknown.
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

/// The meaning of a code on an operation, in the interface's words (section 7).
///
/// Args:
///     code: A result code, listed or not.
///     operation: The operation that was called, or its name.
///
/// Returns:
///     The meaning; `None` for a code that the interface does not list for the operation.
///
/// Raises:
///     InvalidError: There is no such operation.
///
/// >>> franking.code_meaning(454, "sendMailer")
/// 'Subscriber does not exist'
/// >>> franking.code_meaning(454, "httpSendMail")
/// 'API call exceeds the allowed size'
#[pyfunction]
#[pyo3(signature = (code, operation, /))]
pub(crate) fn code_meaning(
    code: &Bound<'_, PyInt>,
    operation: &Bound<'_, PyString>,
) -> PyResult<Option<&'static str>> {
    let operation = body::operation(operation)?;
    Ok(code_of(code).and_then(|code| code.meaning(operation)))
}

/// Whether sending the same call again can help.
///
/// Args:
///     code: A result code, listed or not.
///     operation: The operation that was called, or its name.
///
/// Returns:
///     The advice; `None` for a code that the interface does not list for the operation.
///
/// Raises:
///     InvalidError: There is no such operation.
///
/// >>> franking.code_retry(442, "httpSendMail")
/// <Retry.MAY_HELP: 'may-help'>
#[pyfunction]
#[pyo3(signature = (code, operation, /))]
pub(crate) fn code_retry<'py>(
    py: Python<'py>,
    code: &Bound<'py, PyInt>,
    operation: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    let operation = body::operation(operation)?;
    let retry = code_of(code).and_then(|code| code.retry(operation));
    RETRY.optional(py, retry.map(franking::Retry::name))
}

fn code_of(code: &Bound<'_, PyInt>) -> Option<Code> {
    code.extract::<u16>().ok().and_then(Code::new)
}

/// The end of an operation. Used by `Operation.deprecation`.
#[pyfunction]
#[pyo3(signature = (operation, /))]
pub(crate) fn deprecation<'py>(
    py: Python<'py>,
    operation: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    deprecation_of(py, body::operation(operation)?)
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
        deprecation.deprecation,
    ];
    let texts = texts.map(|text| PyString::new(py, text).into_any());
    DEPRECATION.new_object(py, texts).map(Some)
}

/// The path of an operation. Used by `Operation.path`.
#[pyfunction]
#[pyo3(signature = (operation, /))]
pub(crate) fn operation_path(operation: &Bound<'_, PyString>) -> PyResult<&'static str> {
    Ok(body::operation(operation)?.path())
}

/// Finds the operation that an HTTP request names (interface, section 4).
///
/// Args:
///     method: The HTTP method as it came.
///     path: The path, with or without a query. Any base path may come before it, and httpSendMail may lack its `.php`.
///
/// Returns:
///     A pair: whether the request is a call or has the wrong method, and the operation. `None` if the path does not belong
///     to an operation. If you pass the wrong method to `decide`, it decides that call, too, with code 401.
///
/// >>> franking.route("POST", "/mail/v4/sendMailer")
/// (<Route.CALL: 'call'>, <Operation.SEND_MAILER: 'sendMailer'>)
#[pyfunction]
#[pyo3(signature = (method, path, /))]
pub(crate) fn route<'py>(
    py: Python<'py>,
    method: &Bound<'py, PyString>,
    path: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    // No path of the interface and no HTTP method has a lone surrogate.
    let (method, path) = (method.to_string_lossy(), path.to_string_lossy());
    let (word, operation) = match franking::route(&method, &path) {
        None => return Ok(None),
        Some(Route::Call(operation)) => ("call", operation),
        Some(Route::WrongMethod(operation)) => ("wrong-method", operation),
    };
    let pair = [ROUTE.member(py, word)?, classes::operation(py, operation)?];
    PyTuple::new(py, pair).map(Some)
}

/// The version of the rules.
#[pyfunction]
pub(crate) fn rules_version() -> u32 {
    franking::RULES_VERSION
}

/// The version of the library.
#[pyfunction]
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
