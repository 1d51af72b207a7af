//! Columns of calls, through Arrow's PyCapsule interface:
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::ffi::CStr;
use std::sync::{Arc, Mutex};

use franking_columns::interface::{ArrowArray, ArrowArrayStream, ArrowSchema, Owned, Released};
use franking_columns::{Checks, ColumnError, Lists, Redecision, Streams, stream_of};
use pyo3::gc::{PyTraverseError, PyVisit};
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

/// The results for columns of calls, as a stream of batches. Pass it to your Arrow library, which reads it once, batch by
/// batch.
#[pyclass(frozen, module = "franking.arrow")]
pub(crate) struct CheckedColumns {
    results: Mutex<Option<Results>>,
}

struct Results {
    stream: Owned<ArrowArrayStream>,
    /// The iterator that the stream reads, for the garbage collector. It is one reference, so that the collector counts it once.
    lent: Arc<Py<PyIterator>>,
}

#[pymethods]
impl CheckedColumns {
    /// The stream, as Arrow's PyCapsule interface has it.
    ///
    /// Args:
    ///     requested_schema: Ignored, as the interface allows.
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
        let taken = self.results.lock().map(|mut results| results.take());
        let taken = taken.map_err(|_| classes::internal_error(py))?;
        let results = taken.ok_or_else(|| {
            classes::misuse_error(
                py,
                "what is found in columns is read once, and was taken before",
            )
        })?;
        // The capsule releases the stream, unless the consumer has moved it out.
        PyCapsule::new_with_value(py, results.stream, STREAM)
    }

    /// A generator of batches may refer to its results. When the stream is taken, the iterator belongs to whoever has taken it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.results.try_lock() {
            Ok(results) => results
                .as_ref()
                .map_or(Ok(()), |results| visit.call(&*results.lent)),
            Err(_) => Ok(()),
        }
    }
}

/// Checks columns of calls. Used by `franking.arrow.preflight`.
///
/// Args:
///     lent: An iterator of capsules. Each item is a capsule of a stream, or a pair of a schema and an array.
///     operation: The operation of all calls. If it is left out, each row has its own.
///     policy: The settings; the defaults if left out.
///     all: Whether the result has a column of all violations.
///     threads: The number of threads that work on a batch.
///
/// Raises:
///     InvalidError: The operation is unknown, or a column is missing or of another type.
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
    // SAFETY: by the interface, capsules of these names contain its structures.
    made(py, lent, |streams| unsafe {
        franking_columns::preflight(checks, streams)
    })
}

/// Decides past calls again. Used by `franking.arrow.redecide`.
///
/// Args:
///     lent: An iterator of capsules. Each item is a capsule of a stream, or a pair of a schema and an array.
///     policy: The settings. If they are left out, each call keeps its own.
///     blacklists: The current blacklists. If they are left out, the host's own answers count.
///     threads: The number of threads that work on a batch.
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

/// Makes the resulting stream from the streams that `lent` gives.
fn made(
    py: Python<'_>,
    lent: &Bound<'_, PyIterator>,
    make: impl FnOnce(Streams) -> Result<Owned<ArrowArrayStream>, ColumnError> + Send,
) -> PyResult<CheckedColumns> {
    // The first stream is taken here, so that its errors are raised as they are.
    let mut first = Some(next(lent)?);
    let lent = Arc::new(lent.clone().unbind());
    let rest = Arc::clone(&lent);
    let streams: Streams = Box::new(move || match first.take() {
        Some(first) => Ok(first),
        None => Python::attach(|py| next(rest.bind(py)).map_err(|error| failed(py, &error))),
    });
    // The producers of the streams, and the consumer, may need the interpreter, so it is released.
    let made = py.detach(|| caught(|| make(streams)));
    match made.ok_or_else(|| classes::internal_error(py))? {
        Ok(stream) => Ok(CheckedColumns {
            results: Mutex::new(Some(Results { stream, lent })),
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

/// The next stream of `lent`.
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
    // SAFETY: a capsule of this name contains such a structure. The attached thread keeps the capsule alive meanwhile.
    Ok(unsafe { Owned::take(place.cast().as_ptr()) })
}
