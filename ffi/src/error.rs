//! The error object that says why a function failed. The caller owns it.

use core::ffi::c_char;

use crate::guard::{boxed, free};
use crate::status::{FRANKING_STATUS_NULL, Fail};

/// Why a function failed. Never changes, so it may be shared between threads. Owned: free it with
/// franking_error_free.
pub struct FrankingError {
    status: i32,
    /// Ends with a NUL, as `key` does.
    message: String,
    key: Option<String>,
    value: Option<i64>,
}

/// The message and the key are the library's own words: they hold no NUL.
fn closed(text: &str) -> String {
    format!("{text}\0")
}

impl Fail {
    /// Hands the error to the caller, unless `error` is NULL, and returns the status.
    pub(crate) fn report(self, error: *mut *mut FrankingError) -> i32 {
        let status = self.status;
        if !error.is_null() {
            let made = boxed(FrankingError {
                status,
                message: closed(&self.message),
                key: self.key.as_deref().map(closed),
                value: self.value,
            });
            // SAFETY: the caller passes NULL or a place for one pointer.
            unsafe { error.write(made) };
        }
        status
    }
}

/// The status that the function returned. FRANKING_STATUS_NULL if error is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_status(error: *const FrankingError) -> i32 {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    error.map_or(FRANKING_STATUS_NULL, |error| error.status)
}

/// What went wrong and what to do about it: a sentence without a full stop, as a C string. It contains no data of the call.
/// Lives until the error is freed. NULL if error is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_message(error: *const FrankingError) -> *const c_char {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    error.map_or(core::ptr::null(), |error| error.message.as_ptr().cast())
}

/// The name of the setting or field that is at fault, as a C string. NULL if there is none. Lives until the error is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_key(error: *const FrankingError) -> *const c_char {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    let key = error.and_then(|error| error.key.as_ref());
    key.map_or(core::ptr::null(), |key| key.as_ptr().cast())
}

/// Returns 1 and writes *value if the error has a number, else returns 0. The number is what a callback returned
/// (FRANKING_STATUS_HOST, FRANKING_STATUS_UNKNOWN), or the position, from 0, of the entry, request or step that is at fault.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_value(error: *const FrankingError, value: *mut i64) -> u8 {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    let Some(own) = error.and_then(|error| error.value) else {
        return 0;
    };
    if value.is_null() {
        return 0;
    }
    // SAFETY: the caller passes a place for a number.
    unsafe { value.write(own) };
    1
}

/// Frees an error. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_free(error: *mut FrankingError) {
    // SAFETY: the caller passes NULL or an error that was not freed.
    unsafe { free(error) };
}
