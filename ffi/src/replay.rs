//! Replaying a transcript.

use franking_core::{Transcript, TranscriptError};

use crate::error::FrankingError;
use crate::guard::{boxed, free};
use crate::handle::{check_out, get, put_out, run_alone};
use crate::status::{FRANKING_STATUS_POLICY, Fail};
use crate::text::{FrankingText, first};

/// The result of replaying a transcript. It never changes, so it may be shared between threads. Owned: free it with
/// franking_replay_free.
pub struct FrankingReplay {
    /// For each step, 1 if the answer was taken.
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

/// Reads a transcript, answers the call with the recorded answers, and compares the recorded questions with those that the
/// call asks.
///
/// Fails with FRANKING_STATUS_INVALID when the text is not a transcript, or its questions are not those that the call asks;
/// if the failure belongs to a step, franking_error_value is that step. Fails with FRANKING_STATUS_POLICY when the policy in
/// the transcript is invalid; franking_error_key names the setting.
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

/// Writes a flag for each step: 1 if the answer was taken, 0 if it was a misuse. *taken points to the first of *count flags,
/// which live until the replay is freed.
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

/// Writes the JSON form of the decision, without the numbers of look-ups. data is NULL when the steps do not reach the end.
/// The text lives until the replay is freed.
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
