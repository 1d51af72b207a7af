//! What comes of a transcript that is replayed.

use franking_core::{Transcript, TranscriptError};

use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{check_out, get, put_out, run_alone};
use crate::status::{FRANKING_STATUS_POLICY, Fail};
use crate::text::{FrankingText, first};

/// What came of replaying a transcript. Never changes, so it may be shared between threads. Owned: free it with
/// franking_replay_free.
pub struct FrankingReplay {
    /// 1 where the answer was taken.
    steps: Vec<u8>,
    decision: Option<String>,
}

pub(crate) fn transcript_fail(error: TranscriptError) -> Fail {
    let step = match &error {
        TranscriptError::Answer { step, .. } | TranscriptError::Question { step } => {
            i64::try_from(*step).ok()
        }
        _ => None,
    };
    match &error {
        TranscriptError::Policy(policy) => {
            Fail::new(FRANKING_STATUS_POLICY, error.to_string()).with_key(policy.key())
        }
        _ => {
            let fail = Fail::invalid(error);
            match step {
                Some(step) => fail.with_value(step),
                None => fail,
            }
        }
    }
}

/// Reads a transcript, answers the call as it notes, and compares the questions that it notes with those asked.
///
/// Fails with FRANKING_STATUS_INVALID, and the step as franking_error_value, when the text is not a transcript, or is one of
/// another call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_replay_new(
    transcript: FrankingText,
    replay: *mut *mut FrankingReplay,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes a text that can be read.
        let transcript = unsafe { transcript.read("transcript") }?;
        check_out(replay, "replay")?;
        let transcript = Transcript::from_json(transcript).map_err(transcript_fail)?;
        let replayed = transcript.replay().map_err(transcript_fail)?;
        let new = boxed(FrankingReplay {
            steps: replayed
                .steps
                .iter()
                .map(|step| u8::from(step.is_ok()))
                .collect(),
            decision: replayed.decision,
        });
        // SAFETY: checked above.
        unsafe { put_out(replay, new) }
    })
}

/// For each step 1 when the answer was taken and 0 when it was a misuse. *taken is the first of *count, which live until the
/// replay is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_replay_steps(
    replay: *const FrankingReplay,
    taken: *mut *const u8,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a replay that was not freed.
        let replay = unsafe { get(replay, "replay") }?;
        check_out(taken, "taken")?;
        check_out(count, "count")?;
        // SAFETY: checked above.
        unsafe { put_out(taken, first(&replay.steps)) }?;
        // SAFETY: checked above.
        unsafe { put_out(count, replay.steps.len()) }
    })
}

/// The JSON form of the decision, without how often the host was asked; data NULL: the steps do not reach the end. Lives
/// until the replay is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_replay_decision(
    replay: *const FrankingReplay,
    decision: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a replay that was not freed.
        let replay = unsafe { get(replay, "replay") }?;
        check_out(decision, "decision")?;
        let text = FrankingText::from_option(replay.decision.as_deref());
        // SAFETY: checked above.
        unsafe { put_out(decision, text) }
    })
}

/// Frees a replay. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_replay_free(replay: *mut FrankingReplay) {
    // SAFETY: the caller passes NULL or a replay that was not freed.
    unsafe { free(replay) };
}
