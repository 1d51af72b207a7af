//! Responses of the service, as a client reads them.

use franking_core::Response;

use crate::error::FrankingError;
use crate::handle::{check_out, put_out, run_alone};
use crate::size::{Grows, check_sized, write_sized};
use crate::status::Fail;
use crate::text::{FrankingString, FrankingText};

/// A response of the service. Start from FRANKING_RESPONSE_INIT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingResponse {
    /// sizeof(franking_response).
    pub size: usize,
    /// The result code, 100 to 999.
    pub code: i32,
    /// 0.
    pub reserved: i32,
    /// The number that identifies the call, 1 to 2^53-1; 0: there is none.
    pub transaction_id: u64,
    /// The status text; data NULL: there is none.
    pub status: FrankingText,
}

// SAFETY: it begins with its size, and every member takes any bytes.
unsafe impl Grows for FrankingResponse {
    const FIRST: usize = 40;
}

/// Reads the body of a response. Codes and transaction ids may be JSON texts or JSON numbers. response->size has to be set.
/// *status owns the status text: free it with franking_string_free. It is NULL when there is none.
///
/// Fails with FRANKING_STATUS_INVALID when the text is not a response of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_response_read(
    text: FrankingText,
    response: *mut FrankingResponse,
    status: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(response, "response") }?;
        check_out(status, "status")?;
        let read = Response::read(text).map_err(Fail::invalid)?;
        let made = read
            .status
            .as_deref()
            .map(FrankingString::new)
            .transpose()?;
        // SAFETY: NULL, or just made.
        let own = made.and_then(|made| unsafe { made.as_ref() });
        let value = FrankingResponse {
            size: size_of::<FrankingResponse>(),
            code: i32::from(read.code.number()),
            reserved: 0,
            transaction_id: read.transaction_id.unwrap_or_default(),
            status: FrankingText::from_option(own.map(FrankingString::text)),
        };
        // SAFETY: checked above.
        unsafe { write_sized(response, "response", value) }?;
        // SAFETY: checked above.
        unsafe { put_out(status, made.unwrap_or(core::ptr::null_mut())) }
    })
}
