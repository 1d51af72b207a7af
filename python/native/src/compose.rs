//! What a client sends.

use franking::{ComposeError, ComposedCall, HttpSendMailRequests, Operation, SendMailerRequest};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMapping, PyTuple};

use crate::body;
use crate::classes::{self, COMPOSED_CALL, UNCOMPOSABLE};
use crate::guard::run;
use crate::policy::{self, Policy};
use crate::text::str_of;

/// Composes the calls that carry what a mapping says.
///
/// For sendMailer it has the fields by their names: one call. For httpSendMail it has `ApiKey` and `requests`, any
/// number of mappings, whose `body` is HTML that is not encoded: as few calls as the policy's limits allow. What is
/// `None` is left out; ids may be ints or texts, flags bools. Nothing else is judged: `check` does that.
///
/// Returns the calls, or an `Uncomposable` that says which request or field cannot be written.
///
/// >>> call, = franking.compose("sendMailer", {"apiKey": "k", "mailerID": 1, "email": "a@example.com", "trackOpens": True})
/// >>> call.body
/// '{"apiKey":"k","mailerID":1,"email":"a@example.com","trackOpens":1}'
#[pyfunction]
#[pyo3(signature = (operation, fields, policy = None))]
pub(crate) fn compose<'py>(
    py: Python<'py>,
    operation: &str,
    fields: &Bound<'py, PyMapping>,
    policy: Option<&Bound<'py, Policy>>,
) -> PyResult<Bound<'py, PyAny>> {
    let operation = body::operation(py, operation)?;
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
        Err(error) => return uncomposable(py, &error),
    };
    let row = |(body, requests): (String, Option<(usize, usize)>)| {
        let requests = match requests {
            Some((start, end)) => range(py)?.call1((start, end))?,
            None => py.None().into_bound(py),
        };
        COMPOSED_CALL.row(py, [str_of(py, &body), requests])
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

fn uncomposable<'py>(py: Python<'py>, error: &ComposeError) -> PyResult<Bound<'py, PyAny>> {
    let request = error.request();
    let arguments = (request, error.field(), error.to_string());
    UNCOMPOSABLE.get(py)?.call1(arguments)
}

/// The mapping as JSON. Mappings that are no dicts are made so; what JSON cannot hold is a `MisuseError`.
fn to_json(py: Python<'_>, fields: &Bound<'_, PyMapping>) -> PyResult<String> {
    static DUMPS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let options = PyDict::new(py);
    options.set_item("default", py.import("franking._rows")?.getattr("_to_json")?)?;
    // Half of a surrogate pair stays an escape, which the library refuses by itself.
    options.set_item("ensure_ascii", true)?;
    options.set_item("allow_nan", false)?;
    let dict = PyDict::new(py);
    dict.update(fields)?;
    let text = DUMPS
        .import(py, "json", "dumps")?
        .call((dict,), Some(&options));
    match text {
        Ok(text) => text.extract(),
        Err(error) => {
            let reason = error.value(py).str()?;
            let message = format!(
                "the fields cannot be written as JSON: {}",
                reason.to_string_lossy()
            );
            Err(classes::misuse_error(py, &message))
        }
    }
}
