//! What became of an email.

use franking::outcome::{self, Event, Tracking};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

use crate::classes;

/// The outcome of one email: the set of events seen, which arrive late, twice and in any order.
///
/// Outcomes never change: recording and merging (`|`) give new ones.
///
/// >>> outcome = franking.Outcome(track_opens=True)
/// >>> outcome.summary
/// 200
/// >>> outcome.record(418).record(452).record(451).summary
/// 451
#[pyclass(frozen, module = "franking", eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Outcome(outcome::Outcome);

#[pymethods]
impl Outcome {
    /// `events` are codes: 417 bounced, 418 delivered, 451 opened, 452 clicked. Opens and clicks count only for an
    /// email that was sent with that tracking.
    #[new]
    #[pyo3(signature = (events = None, *, track_opens = false, track_clicks = false))]
    fn new(
        events: Option<&Bound<'_, PyAny>>,
        track_opens: bool,
        track_clicks: bool,
    ) -> PyResult<Self> {
        let tracking = Tracking {
            opens: track_opens,
            clicks: track_clicks,
        };
        let mut outcome = outcome::Outcome::new(tracking);
        if let Some(events) = events {
            for event in events.try_iter()? {
                outcome.record(event_of(&event?)?);
            }
        }
        Ok(Self(outcome))
    }

    /// The outcome with one event more.
    #[pyo3(signature = (event, /))]
    fn record(&self, event: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut outcome = self.0;
        outcome.record(event_of(event)?);
        Ok(Self(outcome))
    }

    /// The events of both, for two outcomes of the same email.
    fn __or__(&self, other: &Bound<'_, Self>) -> Self {
        let mut outcome = self.0;
        outcome.merge(other.get().0);
        Self(outcome)
    }

    /// Clicked 452, else opened 451, else bounced 417, else delivered 418, else accepted 200.
    #[getter]
    fn summary(&self) -> u16 {
        self.0.summary().code()
    }

    /// The codes of the events that were seen and count, in ascending order.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.events().map(Event::code).collect::<Vec<_>>())
    }

    /// Whether opens are tracked.
    #[getter]
    fn track_opens(&self) -> bool {
        self.0.tracking().opens
    }

    /// Whether clicks are tracked.
    #[getter]
    fn track_clicks(&self) -> bool {
        self.0.tracking().clicks
    }

    fn __repr__(&self) -> String {
        let flag = |is_on| if is_on { "True" } else { "False" };
        let events: Vec<u16> = self.0.events().map(Event::code).collect();
        let Tracking { opens, clicks } = self.0.tracking();
        format!(
            "Outcome({events:?}, track_opens={}, track_clicks={})",
            flag(opens),
            flag(clicks)
        )
    }

    /// All events seen, also those that do not count, so that nothing is lost on the way.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Tracking { opens, clicks } = self.0.tracking();
        let mut all = self.0;
        all.merge(outcome::Outcome::new(Tracking {
            opens: true,
            clicks: true,
        }));
        let codes: Vec<u16> = all.events().map(Event::code).collect();
        let restore = py.import("franking._rows")?.getattr("_restore_outcome")?;
        let arguments = (codes, opens, clicks).into_pyobject(py)?;
        PyTuple::new(py, [restore, arguments.into_any()])
    }
}

fn event_of(code: &Bound<'_, PyAny>) -> PyResult<Event> {
    let number = code.cast::<PyInt>()?.extract::<u16>().unwrap_or_default();
    Event::from_code(number).map_err(|error| classes::misuse_error(code.py(), &error.to_string()))
}
