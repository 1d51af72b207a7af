//! Webhooks: signing and verifying.

use franking::webhook::{self, Headers, Secret};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyMapping, PyString};

use crate::body::Body;
use crate::classes;
use crate::guard::{guard, run};
use crate::text::text_of;

/// The value of `webhook-signature` for a webhook, by Standard Webhooks 1.0.0.
///
/// Args:
///     secrets: The secrets of the endpoint, `whsec_...` or `whsk_...`. During a rotation, pass both secrets.
///     id: The id of the webhook: visible ASCII without full stops.
///     timestamp: The time of the attempt, in seconds since 1970.
///     body: The body as it will be sent.
///
/// Returns:
///     One signature for each secret, in the order of the secrets, separated by spaces.
///
/// Raises:
///     InvalidError: A secret or the id is invalid, or there is no secret.
///     OverflowError: The timestamp is negative.
///
/// >>> secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
/// >>> franking.webhook_sign([secret], "msg_1", 1614265330, b"{}")[:3]
/// 'v1,'
#[pyfunction]
pub(crate) fn webhook_sign(
    py: Python<'_>,
    secrets: Vec<PyBackedStr>,
    id: &Bound<'_, PyString>,
    timestamp: u64,
    body: &Bound<'_, PyAny>,
) -> PyResult<String> {
    let (secrets, id, body) = (read(py, &secrets)?, text_of(id)?, Body::new(body)?);
    let sign = || webhook::sign(&secrets, id, timestamp, body.as_ref());
    let signed = run(py, body.len(), sign)?;
    signed.map_err(|error| classes::invalid_error(py, &error.to_string()))
}

/// Checks, by Standard Webhooks 1.0.0, that the sender of a webhook has one of the secrets.
///
/// Args:
///     secrets: The secrets of the endpoint: `whsec_...`, or `whpk_...`, the public key.
///     headers: All headers of the request, each name with its value.
///     body: The body as it came, not parsed and written again.
///     now: The current time in seconds since 1970: `int(time.time())`.
///     tolerance: The greatest difference, in seconds, between `now` and the timestamp of the webhook.
///
/// Returns:
///     The webhook's id. It is the same in each attempt to deliver it.
///
/// Raises:
///     WebhookError: The webhook is not to be trusted.
///     InvalidError: A secret is invalid, or a header has half of a surrogate pair.
///     OverflowError: A number is negative.
///
/// >>> secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
/// >>> headers = {"Webhook-Id": "msg_1", "Webhook-Timestamp": "1614265330"}
/// >>> headers["Webhook-Signature"] = franking.webhook_sign([secret], "msg_1", 1614265330, b"{}")
/// >>> franking.webhook_verify([secret], headers, b"{}", now=1614265400)
/// 'msg_1'
/// >>> franking.webhook_verify([secret], headers, b"{ }", now=1614265400)
/// Traceback (most recent call last):
/// franking.WebhookError: no signature fits: ...
#[pyfunction]
#[pyo3(signature = (secrets, headers, body, now, tolerance = 300))]
pub(crate) fn webhook_verify(
    py: Python<'_>,
    secrets: Vec<PyBackedStr>,
    headers: &Bound<'_, PyMapping>,
    body: &Bound<'_, PyAny>,
    now: u64,
    tolerance: u64,
) -> PyResult<String> {
    let (secrets, body) = (read(py, &secrets)?, Body::new(body)?);
    let mut pairs = Vec::new();
    for pair in headers.items()? {
        pairs.push(pair.extract::<(PyBackedStr, PyBackedStr)>()?);
    }
    let verify = || {
        let headers = Headers::read(pairs.iter().map(|(name, value)| (&**name, &**value)))?;
        webhook::verify(&secrets, &headers, body.as_ref(), now, tolerance)?;
        Ok(headers.id().to_owned())
    };
    let verified: Result<String, webhook::VerifyError> = run(py, body.len(), verify)?;
    verified.map_err(|error| classes::webhook_error(py, &error.to_string()))
}

fn read(py: Python<'_>, secrets: &[PyBackedStr]) -> PyResult<Vec<Secret>> {
    let read = guard(py, || {
        let secrets = secrets.iter().map(|secret| Secret::parse(secret));
        secrets.collect::<Result<_, _>>()
    });
    read?.map_err(|error| classes::invalid_error(py, &error.to_string()))
}
