//! The guard that keeps panics inside the library, and the functions that make and free handles.

use core::panic::AssertUnwindSafe;
use std::any::Any;
use std::panic::catch_unwind;

use crate::status::{Fail, Outcome};

/// Runs the body of a function that frees. Dropping should not panic, but if it does, the panic must not leave the library.
pub(crate) fn release(inside: impl FnOnce()) {
    let _ = catch(inside);
}

pub(crate) fn catch<T>(inside: impl FnOnce() -> T) -> Outcome<T> {
    // No code sees the state after a panic: a handle that was in use is poisoned, and all other values are dropped.
    catch_unwind(AssertUnwindSafe(inside)).map_err(|payload| {
        drop_payload(payload);
        Fail::panic()
    })
}

/// Drops the payload of a panic. That may panic again.
fn drop_payload(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        core::mem::forget(second);
    }
}

/// Panics if a test has asked for it. It does nothing in a library that is shipped.
pub(crate) fn forced_panic() {
    #[cfg(feature = "test-panic")]
    crate::test_panic::forced();
}

/// Frees what [`Box::into_raw`] made.
///
/// # Safety
/// `handle` is NULL or was made by the library, is of this type and was not freed.
pub(crate) unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: as demanded of the caller; the box is dropped once.
        release(|| drop(unsafe { Box::from_raw(handle) }));
    }
}

/// A new handle.
pub(crate) fn boxed<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}
