//! No panic leaves the library as a panic, and long work does not hold the interpreter.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::classes;

/// Work on more bytes than this lets go of the interpreter.
pub(crate) const LONG: usize = 64 * 1024;

/// Does work that must not panic; if it does all the same, that is an `InternalError`.
pub(crate) fn guard<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    caught(work).ok_or_else(|| classes::internal_error(py))
}

/// [`guard`] that lets go of the interpreter when there are many bytes to work on.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if bytes <= LONG {
        return guard(py, work);
    }
    py.detach(|| caught(work))
        .ok_or_else(|| classes::internal_error(py))
}

/// What the work gives, `None` when it panics. What it was changing is not used again: locks are poisoned.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
