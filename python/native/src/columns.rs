//! Columns of calls, by Arrow's PyCapsule interface. <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::ffi::CStr;
use std::sync::Mutex;

use franking_columns::interface::{ArrowArray, ArrowArrayStream, ArrowSchema, Owned, Released};
use franking_columns::{Checks, ColumnError, Lists, Redecision, Streams, stream_of};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator, PyString, PyTuple};

use crate::blacklists::Blacklists;
use crate::body;
use crate::classes;
use crate::guard::caught;
use crate::policy::{self, Policy};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// What is found in columns of calls, as a stream of batches. It is read once, batch by batch: give it to your Arrow library.
#[pyclass(frozen, module = "franking.arrow")]
pub(crate) struct CheckedColumns {
    stream: Mutex<Option<Owned<ArrowArrayStream>>>,
}

#[pymethods]
impl CheckedColumns {
    /// The stream, as Arrow's PyCapsule interface has it.
    ///
    /// Args:
    ///     requested_schema: Is not followed, as the interface allows: the columns are what they are.
    ///
    /// Returns:
    ///     A capsule of an ArrowArrayStream.
    ///
    /// Raises:
    ///     MisuseError: The stream was taken before.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let taken = self.stream.lock().map(|mut stream| stream.take());
        let taken = taken.map_err(|_| classes::internal_error(py))?;
        let stream = taken.ok_or_else(|| {
            classes::misuse_error(
                py,
                "what is found in columns is read once, and was taken before",
            )
        })?;
        // The capsule releases it, unless it was moved out.
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

/// Checks columns of calls. Used by `franking.arrow.preflight`.
///
/// Args:
///     lent: Gives capsules: of a stream, or of a schema and an array, each.
///     operation: The operation of all calls; each row has its own if left out.
///     policy: The settings; the defaults if left out.
///     all: Whether there is a column of all violations.
///     threads: How many threads work on a batch.
///
/// Raises:
///     InvalidError: There is no such operation, or there are no such columns.
#[pyfunction]
#[pyo3(signature = (lent, operation, policy, all, threads, /))]
pub(crate) fn preflight_columns(
    py: Python<'_>,
    lent: &Bound<'_, PyIterator>,
    operation: Option<&Bound<'_, PyString>>,
    policy: Option<&Bound<'_, Policy>>,
    all: bool,
    threads: usize,
) -> PyResult<CheckedColumns> {
    let checks = Checks {
        policy: policy::settings(policy),
        operation: operation.map(body::operation).transpose()?,
        all,
        threads,
    };
    // SAFETY: capsules of these names have structures of the interface: that is what the names are for.
    made(py, lent, |streams| unsafe {
        franking_columns::preflight(checks, streams)
    })
}

/// Decides calls of the past again. Used by `franking.arrow.redecide`.
///
/// Args:
///     lent: Gives capsules: of a stream, or of a schema and an array, each.
///     policy: The settings; those of each call if left out.
///     blacklists: What lists say; what the host said if left out.
///     threads: How many threads work on a batch.
///
/// Raises:
///     InvalidError: There is no such column.
#[pyfunction]
#[pyo3(signature = (lent, policy, blacklists, threads, /))]
pub(crate) fn redecide_columns(
    py: Python<'_>,
    lent: &Bound<'_, PyIterator>,
    policy: Option<&Bound<'_, Policy>>,
    blacklists: Option<&Bound<'_, Blacklists>>,
    threads: usize,
) -> PyResult<CheckedColumns> {
    let lists = blacklists.map(|lists| lists.get().sets());
    let redecision = Redecision {
        policy: policy.map(|policy| policy::settings(Some(policy))),
        blacklists: lists.map(|lists| {
            Lists::of_all_roles(Box::new(move |questions, facts| {
                lists.answer(questions, facts)
            }))
        }),
        threads,
    };
    // SAFETY: as in `preflight_columns`.
    made(py, lent, |streams| unsafe {
        franking_columns::redecide(redecision, streams)
    })
}

/// Makes a stream of what is lent.
fn made(
    py: Python<'_>,
    lent: &Bound<'_, PyIterator>,
    make: impl FnOnce(Streams) -> Result<Owned<ArrowArrayStream>, ColumnError> + Send,
) -> PyResult<CheckedColumns> {
    // What is wrong with the first is said as Python says it.
    let mut first = Some(next(lent)?);
    let rest = lent.clone().unbind();
    let streams: Streams = Box::new(move || match first.take() {
        Some(first) => Ok(first),
        None => Python::attach(|py| next(rest.bind(py)).map_err(|error| failed(py, &error))),
    });
    // Whatever is read, and what asks for it, may need the interpreter: it is let go.
    let made = py.detach(|| caught(|| make(streams)));
    match made.ok_or_else(|| classes::internal_error(py))? {
        Ok(stream) => Ok(CheckedColumns {
            stream: Mutex::new(Some(stream)),
        }),
        Err(error) => Err(classes::invalid_error(py, &error.to_string())),
    }
}

fn failed(py: Python<'_>, error: &PyErr) -> ColumnError {
    let class = error.get_type(py);
    let class = class
        .name()
        .map_or_else(|_| String::new(), |name| name.to_string());
    ColumnError::Stream(format!("{class}: {}", error.value(py)))
}

/// The next stream that is lent.
fn next(lent: &Bound<'_, PyIterator>) -> PyResult<Option<Owned<ArrowArrayStream>>> {
    let Some(next) = lent.clone().next().transpose()? else {
        return Ok(None);
    };
    if let Ok(stream) = next.cast::<PyCapsule>() {
        return taken(stream, STREAM).map(Some);
    }
    let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) =
        next.cast::<PyTuple>()?.extract()?;
    let (schema, array) = (
        taken::<ArrowSchema>(&schema, SCHEMA)?,
        taken::<ArrowArray>(&array, ARRAY)?,
    );
    Ok(Some(stream_of(schema, array)))
}

/// Takes a structure out of its capsule.
fn taken<T: Released>(capsule: &Bound<'_, PyCapsule>, name: &'static CStr) -> PyResult<Owned<T>> {
    let place = capsule.pointer_checked(Some(name))?;
    // SAFETY: a capsule of this name has such a structure. The interpreter holds it meanwhile.
    Ok(unsafe { Owned::take(place.cast().as_ptr()) })
}
