//! Nothing leaves the library but by returning: what stops a panic, and what makes and frees a handle.

use core::panic::AssertUnwindSafe;
use std::any::Any;
use std::panic::catch_unwind;

use crate::status::{Fail, Outcome};

/// The inside of a function that frees. Dropping cannot fail for what the library makes, but a fault must not leave it.
pub(crate) fn release(inside: impl FnOnce()) {
    let _ = catch(inside);
}

pub(crate) fn catch<T>(inside: impl FnOnce() -> T) -> Outcome<T> {
    // What a panic leaves behind is seen by nobody: a handle that was in use is poisoned, the rest is dropped.
    catch_unwind(AssertUnwindSafe(inside)).map_err(|payload| {
        drop_payload(payload);
        Fail::panic()
    })
}

/// Dropping what was thrown may throw again.
fn drop_payload(payload: Box<dyn Any + Send>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        core::mem::forget(second);
    }
}

/// Panics when a test has asked for it; in a library that is shipped it does nothing.
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
