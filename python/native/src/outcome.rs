//! The class `Outcome`: the outcome of an email.

use franking::{Event, Tracking};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

use crate::classes::{self, CODE, EVENT};

/// The outcome of one email: the set of its events, which may arrive late, repeatedly and in any order.
///
/// Outcomes never change: recording an event and merging (`|`) return new outcomes.
///
/// Args:
///     events: Members of `Event`, or their codes.
///     track_opens: Whether the email was sent with tracking of opens. Otherwise opens do not count.
///     track_clicks: Whether the email was sent with tracking of clicks. Otherwise clicks do not count.
///
/// Raises:
///     InvalidError: A number is not an event.
///     TypeError: An event is not an int.
///
/// >>> outcome = franking.Outcome(track_opens=True)
/// >>> outcome.summary
/// <Code.SUCCESS: 200>
/// >>> outcome.record(418).record(452).record(451).summary
/// <Code.OPENED: 451>
#[pyclass(frozen, module = "franking", eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Outcome(franking::Outcome);

#[pymethods]
impl Outcome {
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
        let mut outcome = franking::Outcome::new(tracking);
        if let Some(events) = events {
            for event in events.try_iter()? {
                outcome.record(event_of(&event?)?);
            }
        }
        Ok(Self(outcome))
    }

    /// Adds an event.
    ///
    /// Args:
    ///     event: A member of `Event`, or its code.
    ///
    /// Returns:
    ///     A new outcome that also has this event.
    ///
    /// Raises:
    ///     InvalidError: There is no such event.
    ///     TypeError: The event is not an int.
    #[pyo3(signature = (event, /))]
    fn record(&self, event: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut outcome = self.0;
        outcome.record(event_of(event)?);
        Ok(Self(outcome))
    }

    /// Merges two outcomes of the same email: the result has the events of both.
    fn __or__(&self, other: &Bound<'_, Self>) -> Self {
        let mut outcome = self.0;
        outcome.merge(other.get().0);
        Self(outcome)
    }

    /// The code that sums up the outcome (interface, section 6): clicked 452, else opened 451, else bounced 417, else
    /// delivered 418, else accepted 200.
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        CODE.member(py, self.0.summary().code())
    }

    /// The events that were recorded and count, in ascending order of their codes.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let events = self.0.events().map(|event| EVENT.member(py, event.code()));
        PyTuple::new(py, events.collect::<PyResult<Vec<_>>>()?)
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

    /// Includes all recorded events, even those that do not count, so that pickling loses nothing.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Tracking { opens, clicks } = self.0.tracking();
        let mut all = self.0;
        all.merge(franking::Outcome::new(Tracking {
            opens: true,
            clicks: true,
        }));
        let codes: Vec<u16> = all.events().map(Event::code).collect();
        let named = PyDict::new(py);
        named.set_item("track_opens", opens)?;
        named.set_item("track_clicks", clicks)?;
        ((codes,), named).into_pyobject(py)
    }
}

fn event_of(code: &Bound<'_, PyAny>) -> PyResult<Event> {
    let number = code.cast::<PyInt>()?.extract::<u16>().unwrap_or_default();
    Event::from_code(number).map_err(|error| classes::invalid_error(code.py(), &error.to_string()))
}
