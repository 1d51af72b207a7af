//! Answers, as a client reads them.

use franking_core::Answer;

use crate::error::FrankingError;
use crate::handle::{boxed, check_out, free, put_out, run_alone};
use crate::status::Fail;
use crate::text::FrankingText;

/// An answer of the service. Never changes, so it may be shared between threads. Owned: free it with franking_answer_free.
pub struct FrankingAnswer(Answer);

/// Reads a response body; codes and transaction ids may be texts or numbers.
///
/// Fails with FRANKING_STATUS_INVALID when it is no answer of the interface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_answer_read(
    text: FrankingText,
    answer: *mut *mut FrankingAnswer,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let text = unsafe { text.read("text") }?;
        check_out(answer, "answer")?;
        let read = Response::read(text).map_err(Fail::invalid)?;
        // SAFETY: checked above.
        unsafe { put_out(answer, boxed(FrankingAnswer(read))) }
    })
}

/// The result code, 100 to 999. 0 of NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_answer_code(answer: *const FrankingAnswer) -> i32 {
    // SAFETY: the caller passes NULL or an answer that was not freed.
    let answer = unsafe { answer.as_ref() };
    answer.map_or(0, |answer| i32::from(answer.0.code().number()))
}

/// The status text; data NULL: there is none. Lives until the answer is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_answer_status(answer: *const FrankingAnswer) -> FrankingText {
    // SAFETY: the caller passes NULL or an answer that was not freed.
    let answer = unsafe { answer.as_ref() };
    FrankingText::from_option(answer.and_then(|answer| answer.0.status()))
}

/// The number that identifies the call, 1 to 2^53-1; 0: there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_answer_transaction_id(answer: *const FrankingAnswer) -> u64 {
    // SAFETY: the caller passes NULL or an answer that was not freed.
    let answer = unsafe { answer.as_ref() };
    answer
        .and_then(|answer| answer.0.transaction_id())
        .unwrap_or_default()
}

/// Frees an answer. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_answer_free(answer: *mut FrankingAnswer) {
    // SAFETY: the caller passes NULL or an answer that was not freed.
    unsafe { free(answer) };
}
