//! The tables of the library: rules, warnings, codes, operations.

use franking::{
    Code, Conflict, DomainRoles, Event, Failure, Operation, Phase, Route, Rule, WarningKind,
};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use crate::body;
use crate::classes::{self, DEPRECATION, RETRY, ROUTE};
use crate::commit::word_of;

type RuleRow = (
    &'static str,
    u16,
    u8,
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

/// The code of a rule on an operation; `None` where it does not apply.
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

/// The codes that the interface lists, and what each means on the operations.
#[pyfunction]
pub(crate) fn code_table() -> Vec<(u16, Vec<Option<&'static str>>)> {
    let mut codes: Vec<Code> = Operation::ALL.iter().copied().flat_map(Code::all).collect();
    codes.sort_unstable();
    codes.dedup();
    let meanings = |code: &Code| {
        let meanings = Operation::ALL
            .iter()
            .map(|operation| code.meaning(*operation));
        (code.number(), meanings.collect())
    };
    codes.iter().map(meanings).collect()
}

/// The words of each enumeration that has a word for every member, as the library names them: (enumeration, words).
#[pyfunction]
pub(crate) fn word_table() -> Vec<(&'static str, Vec<String>)> {
    fn words<T>(all: impl IntoIterator<Item = T>, name: fn(T) -> &'static str) -> Vec<String> {
        all.into_iter()
            .map(|member| name(member).to_owned())
            .collect()
    }
    use franking::{Encoding, Judgement, RecipientRole, Retry};
    let judgements = [
        Judgement::Kept,
        Judgement::Broken,
        Judgement::BrokenInPart,
        Judgement::NotReached,
    ];
    let retries = [
        Retry::Accepted,
        Retry::ChangeTheCall,
        Retry::ChangeTheAccount,
        Retry::MayHelp,
    ];
    let failures = [
        Failure::Misuse,
        Failure::Host,
        Failure::Unknown,
        Failure::Internal,
    ];
    vec![
        (
            "Operation",
            words(Operation::ALL.iter().copied(), Operation::name),
        ),
        ("Rule", words(Rule::ALL.iter().copied(), Rule::identifier)),
        (
            "WarningKind",
            words(WarningKind::ALL.iter().copied(), WarningKind::identifier),
        ),
        (
            "Conflict",
            Conflict::ALL.iter().copied().map(word_of).collect(),
        ),
        ("Judgement", words(judgements, Judgement::name)),
        ("Retry", words(retries, Retry::name)),
        ("Failure", words(failures, Failure::name)),
        (
            "Encoding",
            words([Encoding::Form, Encoding::Plain], Encoding::name),
        ),
        (
            "RecipientRole",
            words(
                [RecipientRole::To, RecipientRole::Cc, RecipientRole::Bcc],
                RecipientRole::name,
            ),
        ),
    ]
}

/// The numbers of each enumeration of numbers: (enumeration, name in lower case, number).
#[pyfunction]
pub(crate) fn number_table() -> Vec<(&'static str, String, u16)> {
    let phases = Phase::ALL
        .iter()
        .map(|phase| ("Phase", phase.name().to_owned(), phase.number().into()));
    let events = Event::ALL
        .iter()
        .map(|event| ("Event", format!("{event:?}").to_lowercase(), event.code()));
    let roles = DomainRoles::ALL.iter().flat_map(|role| {
        role.names()
            .map(|name| ("DomainRole", name.to_owned(), role.bits().into()))
    });
    phases.chain(events).chain(roles).collect()
}

/// What a code means on an operation, in the interface's words (section 7).
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

/// What an HTTP request is (interface, section 4).
///
/// Args:
///     method: The HTTP method as it came.
///     path: The path, with or without a query. Any base path may stand before it, and httpSendMail may lack its `.php`.
///
/// Returns:
///     Whether it is a call or has the wrong method, and the operation; `None` when the path is no operation's. A call of
///     the wrong method is decided as any other one, by code 401, if `decide` is given the method.
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
    // A lone surrogate is in no path of the interface and in no method of HTTP.
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
