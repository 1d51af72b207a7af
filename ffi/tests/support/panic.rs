//! A switch for tests: the next guarded use panics. A library that is shipped does not have it.

use core::sync::atomic::{AtomicBool, Ordering};

static NEXT: AtomicBool = AtomicBool::new(false);

/// Makes the next function that is called panic inside.
#[unsafe(no_mangle)]
pub extern "C" fn franking_test_panic_next() {
    NEXT.store(true, Ordering::SeqCst);
}

/// Cancels the panic. Returns 1 if it was still pending, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn franking_test_panic_cancel() -> i32 {
    i32::from(NEXT.swap(false, Ordering::SeqCst))
}

pub(crate) fn forced() {
    if NEXT.swap(false, Ordering::SeqCst) {
        // resume_unwind does not call the panic hook, so nothing is printed into the output of the tests.
        std::panic::resume_unwind(Box::new("forced by a test"));
    }
}
