//! Composing calls for clients.

use franking::{ComposeError, ComposedCall, HttpSendMailRequests, Operation, SendMailerRequest};
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMapping, PyString, PyTuple};

use crate::body;
use crate::classes::{self, COMPOSED_CALL};
use crate::guard::run;
use crate::policy::{self, Policy};
use crate::text::str_of;

/// Composes calls from a mapping of fields.
///
/// It checks only whether the fields can be written. `preflight` checks the resulting call.
///
/// Args:
///     operation: The operation to call, or its name.
///     fields: For sendMailer, the fields by their names (interface, section 4.1), which make one call. For httpSendMail,
///         `ApiKey` and `requests`, any number of mappings (interface, section 4.2) whose `body` is HTML that is not
///         encoded; they make as few calls as the policy's limits allow. Fields that are `None` are left out. Ids may be
///         ints or texts, and flags may be bools.
///     policy: The settings; the defaults if left out.
///
/// Returns:
///     The calls.
///
/// Raises:
///     ComposeError: A request or a field cannot be written. The error says which.
///     InvalidError: There is no such operation.
///     TypeError: An argument is of the wrong type.
///
/// >>> call, = franking.compose("sendMailer", {"apiKey": "k", "mailerID": 1, "email": "a@example.com", "trackOpens": True})
/// >>> call.body
/// '{"apiKey":"k","mailerID":1,"email":"a@example.com","trackOpens":1}'
#[pyfunction]
#[pyo3(signature = (operation, fields, policy = None))]
pub(crate) fn compose<'py>(
    py: Python<'py>,
    operation: &Bound<'py, PyString>,
    fields: &Bound<'py, PyMapping>,
    policy: Option<&Bound<'py, Policy>>,
) -> PyResult<Bound<'py, PyAny>> {
    let operation = body::operation(operation)?;
    let policy = policy::settings(policy);
    let text = to_json(py, fields)?;
    let composed = run(py, text.len(), || match operation {
        Operation::SendMailer => {
            let request = SendMailerRequest::from_json(&text)?;
            Ok(vec![(request.compose(), None)])
        }
        Operation::HttpSendMail => HttpSendMailRequests::from_json(&text)?
            .compose(&policy)
            .map(|call| call.map(with_requests))
            .collect::<Result<Vec<_>, ComposeError>>(),
    })?;
    let calls = match composed {
        Ok(calls) => calls,
        Err(error) => {
            let message = error.to_string();
            return Err(classes::compose_error(
                py,
                &message,
                error.request(),
                error.field(),
            ));
        }
    };
    let row = |(body, requests): (String, Option<(usize, usize)>)| {
        let requests = match requests {
            Some((start, end)) => range(py)?.call1((start, end))?,
            None => py.None().into_bound(py),
        };
        COMPOSED_CALL.new_object(py, [str_of(py, &body), requests])
    };
    let rows = calls.into_iter().map(row).collect::<PyResult<Vec<_>>>()?;
    Ok(PyTuple::new(py, rows)?.into_any())
}

fn with_requests(call: ComposedCall) -> (String, Option<(usize, usize)>) {
    let requests = call.requests();
    (call.into_body(), Some((requests.start, requests.end)))
}

fn range(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static RANGE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    RANGE.import(py, "builtins", "range")
}

/// The mapping as JSON. Mappings of other classes become dicts. A value that JSON cannot hold raises `ComposeError`.
fn to_json(py: Python<'_>, fields: &Bound<'_, PyMapping>) -> PyResult<String> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let options = PyDict::new(py);
    options.set_item("default", py.import("franking._rows")?.getattr("_to_json")?)?;
    // Half of a surrogate pair stays an escape, which the library refuses.
    options.set_item("ensure_ascii", true)?;
    options.set_item("allow_nan", false)?;
    let dict = PyDict::new(py);
    dict.update(fields)?;
    let text = DUMPS
        .import(py, "json", "dumps")?
        .call((dict,), Some(&options));
    let error = match text {
        Ok(text) => return text.extract(),
        Err(error) => error,
    };
    let is_of_json = error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyRecursionError>(py);
    if !is_of_json {
        // A mapping of the caller raised it.
        return Err(error);
    }
    // The original error may show a value, so it becomes the cause, and not a part of the message.
    let message = "the fields cannot be written as JSON: give texts, numbers, bools, mappings with texts as their keys, and \
                   sequences of them";
    let refused = classes::compose_error(py, message, None, None);
    refused.set_cause(py, Some(error));
    Err(refused)
}
