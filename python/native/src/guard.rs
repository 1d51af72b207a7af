//! Guards for work in Rust: a panic becomes an exception, and long work releases the interpreter.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

use crate::classes;

/// Work on more bytes than this releases the interpreter.
pub(crate) const LONG: usize = 64 * 1024;

/// Runs `work`. A panic becomes an `InternalError`.
pub(crate) fn guard<T>(py: Python<'_>, work: impl FnOnce() -> T) -> PyResult<T> {
    caught(work).ok_or_else(|| classes::internal_error(py))
}

/// As [`guard`], but it releases the interpreter if `bytes` is more than [`LONG`].
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

/// The result of `work`; `None` if it panics. Data that it was changing is not used again, because its lock is poisoned.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Option<T> {
    let work = || {
        #[cfg(feature = "test-panic")]
        crate::test_panic::forced();
        work()
    };
    catch_unwind(AssertUnwindSafe(work)).ok()
}
