//! A call with its questions, answers and decision as one JSON document.

use crate::call::{FrankingCall, Machine};
use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run};
use crate::status::Fail;
use crate::text::FrankingString;

/// Writes the transcript so far, in JSON, of a call that was made with FRANKING_NEW_RECORDED. If masked is not 0, the
/// transcript is without keys, addresses, subjects and bodies: it is for people to read, and cannot be replayed. The string
/// is owned: free it with franking_string_free.
///
/// Fails with FRANKING_STATUS_MISUSE when the call is not recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_transcript(
    call: *mut FrankingCall,
    masked: u8,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(json, "json")?;
        let text = call.state.read(|state| match &state.machine {
            Machine::Plain(_) => Err(Fail::misuse(
                "the call is not recorded: make it with FRANKING_NEW_RECORDED",
            )),
            Machine::Recorded(recorder) if masked != 0 => {
                Ok(recorder.transcript().to_masked_json())
            }
            Machine::Recorded(recorder) => Ok(recorder.transcript().to_json()),
        })?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)?) }
    })
}
