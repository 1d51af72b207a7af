//! A switch for tests: some work in Rust panics. A package that is shipped does not have it.

use std::sync::atomic::{AtomicU32, Ordering};

use pyo3::prelude::*;

/// How many guarded works are left, up to the one that panics; 0 if none does.
static LEFT: AtomicU32 = AtomicU32::new(0);

/// Makes a guarded work panic: 1 is the next one.
#[pyfunction]
pub(crate) fn panic_next(which: u32) {
    LEFT.store(which, Ordering::SeqCst);
}

pub(crate) fn forced() {
    let one_less = |left: u32| left.checked_sub(1);
    let before = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, one_less);
    if before == Ok(1) {
        // resume_unwind does not call the panic hook, so nothing is printed into the output of the tests.
        std::panic::resume_unwind(Box::new("forced by a test"));
    }
}
