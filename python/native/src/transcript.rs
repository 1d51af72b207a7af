//! A call with its questions, answers and decision as one JSON document.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple, PyType};

use crate::classes::{self, REPLAY};
use crate::guard::run;
use crate::policy::loads;
use crate::text::{str_of, text_of};

/// A call with its questions, answers and decision as one JSON document, for bug reports and tests.
///
/// >>> call = franking.Call("sendMailer", '{"apiKey": "k", "mailerID": 1, "subID": 2}', record=True)
/// >>> call.answer_account(None)
/// >>> transcript = call.transcript()
/// >>> transcript.replay().steps
/// (True,)
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
    /// Reads the JSON form.
    ///
    /// Args:
    ///     text: The document.
    ///
    /// Returns:
    ///     The transcript.
    ///
    /// Raises:
    ///     TranscriptError: The document is not a transcript, or it is masked.
    #[classmethod]
    #[pyo3(signature = (text, /))]
    fn from_json(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        text: &Bound<'_, PyString>,
    ) -> PyResult<Self> {
        let text = text_of(text)?;
        match run(py, text.len(), || franking::Transcript::from_json(text))? {
            Ok(inner) => Ok(Self(inner)),
            Err(error) => Err(classes::transcript_error(py, &error.to_string())),
        }
    }

    /// Writes the JSON form.
    ///
    /// Returns:
    ///     The document, with all texts of the call.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        run(py, usize::MAX, || self.0.to_json())
    }

    /// The JSON form, as Python's objects.
    ///
    /// Returns:
    ///     A new dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.to_json(py)?)
    }

    /// Writes the JSON form without the texts of the call, for people to read.
    ///
    /// Returns:
    ///     A document that cannot be replayed.
    fn to_masked_json(&self, py: Python<'_>) -> PyResult<String> {
        run(py, usize::MAX, || self.0.to_masked_json())
    }

    /// Answers the call with the recorded answers.
    ///
    /// Returns:
    ///     The result: its steps and the decision.
    ///
    /// Raises:
    ///     TranscriptError: A step has a question that the call does not ask, or an answer that cannot be read.
    fn replay<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let replay = match run(py, usize::MAX, || self.0.replay())? {
            Ok(replay) => replay,
            Err(error) => return Err(classes::transcript_error(py, &error.to_string())),
        };
        let steps: Vec<bool> = replay.steps.iter().map(Result::is_ok).collect();
        let steps = PyTuple::new(py, steps)?;
        let decision = match &replay.decision {
            Some(decision) => loads(py, decision)?,
            None => py.None().into_bound(py),
        };
        REPLAY.new_object(py, [steps.into_any(), decision])
    }

    #[expect(
        clippy::unused_self,
        reason = "a transcript contains private data, which should not be shown by chance"
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
