//! A call with its questions, answers and decision as one JSON document.

use franking::TranscriptError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::classes::{self, REPLAY};
use crate::guard::run;
use crate::policy::loads;
use crate::text::str_of;

/// A call with its questions, answers and decision as one JSON document, for bug reports and tests.
///
/// >>> call = franking.Call("sendMailer", '{"apiKey": "k", "mailerID": 1, "subID": 2}', record=True)
/// >>> call.answer_account(None)
/// >>> transcript = call.transcript()
/// >>> transcript.replay().steps
/// ('ok',)
#[pyclass(frozen, module = "franking", eq)]
#[derive(PartialEq)]
pub(crate) struct Transcript(franking::Transcript);

impl Transcript {
    pub(crate) fn new(inner: franking::Transcript) -> Self {
        Self(inner)
    }
}

#[pymethods]
impl Transcript {
    /// Reads the JSON form. What is no transcript, or a masked one, is a `MisuseError`.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        match run(py, text.len(), || franking::Transcript::from_json(text))? {
            Ok(inner) => Ok(Self(inner)),
            Err(error) => Err(raised(py, &error)),
        }
    }

    /// The JSON form.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        run(py, usize::MAX, || self.0.to_json())
    }

    /// The JSON form, as Python's objects.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.to_json(py)?)
    }

    /// The JSON form without the texts of the call, for reading: it cannot be replayed.
    fn to_masked_json(&self, py: Python<'_>) -> PyResult<String> {
        run(py, usize::MAX, || self.0.to_masked_json())
    }

    /// Answers the call as the transcript notes. A question that the call does not ask is a `MisuseError`.
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let replay = match run(py, usize::MAX, || self.0.replay())? {
            Ok(replay) => replay,
            Err(error) => return Err(raised(py, &error)),
        };
        let steps = replay.steps.iter().map(|step| match step {
            Ok(()) => "ok",
            Err(_) => "misuse",
        });
        let steps = PyTuple::new(
            py,
            steps
                .map(|step| PyString::intern(py, step))
                .collect::<Vec<_>>(),
        )?;
        let decision = match &replay.decision {
            Some(decision) => loads(py, decision)?,
            None => py.None().into_bound(py),
        };
        REPLAY.row(py, [steps.into_any(), decision])
    }

    #[expect(
        clippy::unused_self,
        reason = "a transcript holds what nobody should read by chance"
    )]
    fn __repr__(&self) -> &'static str {
        "<Transcript>"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let read = py.get_type::<Self>().getattr("from_json")?;
        let text = str_of(py, &self.to_json(py)?);
        PyTuple::new(py, [read, PyTuple::new(py, [text])?.into_any()])
    }
}

/// A policy that cannot be is a `PolicyError` here, too.
fn raised(py: Python<'_>, error: &TranscriptError) -> PyErr {
    match error {
        TranscriptError::Policy(policy) => {
            classes::policy_error(py, policy.key(), &error.to_string())
        }
        _ => classes::misuse_error(py, &error.to_string()),
    }
}
