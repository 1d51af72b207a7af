//! Why a function failed, as an object that the caller owns.

use core::ffi::c_char;

use crate::handle::free;
use crate::status::{FRANKING_STATUS_NULL, Fail};
use crate::text::FrankingText;

/// Why a function failed. Never changes, so it may be shared between threads. Owned: free it with
/// franking_error_free.
pub struct FrankingError(Fail);

impl Fail {
    /// Hands the error over, if it is wanted, and returns the status.
    pub(crate) fn report(self, error: *mut *mut FrankingError) -> i32 {
        let status = self.status;
        if !error.is_null() {
            // SAFETY: the caller passes NULL or a place for one pointer.
            unsafe { error.write(Box::into_raw(Box::new(FrankingError(self)))) };
        }
        status
    }
}

/// The status that the function returned, FRANKING_STATUS_NULL for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_status(error: *const FrankingError) -> i32 {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    error.map_or(FRANKING_STATUS_NULL, |error| error.0.status)
}

/// What went wrong and what to do about it, as a sentence without a full stop. It holds nothing of what was sent.
/// Lives until the error is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_message(error: *const FrankingError) -> FrankingText {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    FrankingText::from_option(error.map(|error| &*error.0.message))
}

/// The message's first byte, for languages that cannot take a structure. Lives until the error is freed. NULL of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_message_data(error: *const FrankingError) -> *const c_char {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    error.map_or(core::ptr::null(), |error| error.0.message.as_ptr().cast())
}

/// How many bytes the message has. 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_message_len(error: *const FrankingError) -> usize {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    error.map_or(0, |error| error.0.message.len())
}

/// The name of the setting that a policy cannot have, else a text whose data is NULL. Lives until the error is
/// freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_key(error: *const FrankingError) -> FrankingText {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    FrankingText::from_option(error.and_then(|error| error.0.key.as_deref()))
}

/// A number that says more: what a callback returned (FRANKING_STATUS_HOST, FRANKING_STATUS_UNKNOWN), or the position from 0
/// of the entry, request or step that is at fault; else -1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_value(error: *const FrankingError) -> i64 {
    // SAFETY: the caller passes NULL or an error that was not freed.
    let error = unsafe { error.as_ref() };
    error.map_or(-1, |error| error.0.value)
}

/// Frees an error. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_error_free(error: *mut FrankingError) {
    // SAFETY: the caller passes NULL or an error that was not freed.
    unsafe { free(error) };
}
