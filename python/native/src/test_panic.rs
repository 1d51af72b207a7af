//! A switch for tests: the next work in Rust panics. A package that is shipped does not have it.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

static NEXT: AtomicBool = AtomicBool::new(false);

/// Makes the next guarded work panic.
#[pyfunction]
pub(crate) fn panic_next() {
    NEXT.store(true, Ordering::SeqCst);
}

pub(crate) fn forced() {
    if NEXT.swap(false, Ordering::SeqCst) {
        // resume_unwind does not call the panic hook, so nothing is printed into the output of the tests.
        std::panic::resume_unwind(Box::new("forced by a test"));
    }
}
