//! A switch for tests: the next guarded use panics. Not in a library that is shipped.

use core::sync::atomic::{AtomicBool, Ordering};

static NEXT: AtomicBool = AtomicBool::new(false);

/// Makes the next function that is called fail inside.
#[unsafe(no_mangle)]
pub extern "C" fn franking_test_panic_next() {
    NEXT.store(true, Ordering::SeqCst);
}

/// Forgets what was asked; tells whether it was still to come.
#[unsafe(no_mangle)]
pub extern "C" fn franking_test_panic_cancel() -> i32 {
    i32::from(NEXT.swap(false, Ordering::SeqCst))
}

pub(crate) fn forced() {
    if NEXT.swap(false, Ordering::SeqCst) {
        // resume_unwind asks no panic hook: nothing is printed into the output of the tests.
        std::panic::resume_unwind(Box::new("forced by a test"));
    }
}
