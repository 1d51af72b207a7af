//! A call with its questions, answers and decision as one JSON document.

use franking_core::{Transcript, TranscriptError};

use crate::call::{FrankingCall, Machine};
use crate::error::FrankingError;
use crate::handle::{Frozen, boxed, check_out, free, get, put_out, run, run_alone};
use crate::size::put;
use crate::status::{FRANKING_STATUS_POLICY, Fail};
use crate::text::{FrankingString, FrankingText, room};

/// The transcript so far of a call that was made with franking_call_new_recorded, in JSON. masked not 0: without keys,
/// addresses, subjects and bodies, for reading; such a transcript is not replayed. The string is owned: free it with
/// franking_string_free.
///
/// Fails with FRANKING_STATUS_MISUSE when the call is not recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_transcript(
    call: *mut FrankingCall,
    masked: i32,
    json: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(json, "json")?;
        let text = call.state.read(|state| match &state.machine {
            Machine::Plain(_) => Err(Fail::misuse(
                "the call is not recorded: make it with franking_call_new_recorded",
            )),
            Machine::Recorded(recorder) if masked != 0 => {
                Ok(recorder.transcript().to_masked_json())
            }
            Machine::Recorded(recorder) => Ok(recorder.transcript().to_json()),
        })?;
        // SAFETY: checked above.
        unsafe { put_out(json, FrankingString::new(text)) }
    })
}

/// What came of replaying a transcript. Never changes, so it may be shared between threads. Owned: free it with
/// franking_replay_free.
pub struct FrankingReplay(Frozen<Inside>);

struct Inside {
    /// 1 where the answer was taken.
    steps: Vec<u8>,
    decision: Option<String>,
}

fn transcript_fail(error: TranscriptError) -> Fail {
    let step = match &error {
        TranscriptError::Answer { step, .. } | TranscriptError::Question { step } => {
            i64::try_from(*step).unwrap_or(-1)
        }
        _ => -1,
    };
    match &error {
        TranscriptError::Policy(policy) => {
            Fail::new(FRANKING_STATUS_POLICY, error.to_string()).with_key(policy.key())
        }
        _ => Fail::invalid(error).with_value(step),
    }
}

/// Reads a transcript, answers the call as it notes, and compares the questions that it notes with those asked.
///
/// Fails with FRANKING_STATUS_INVALID, and the step as franking_error_value, when the text is no transcript or one of
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
        let new = boxed(FrankingReplay(Frozen::new(Inside {
            steps: replayed
                .steps
                .iter()
                .map(|step| u8::from(step.is_ok()))
                .collect(),
            decision: replayed.decision,
        })));
        // SAFETY: checked above.
        unsafe { put_out(replay, new) }
    })
}

/// For each step from first on, 1 when the answer was taken and 0 when it was a misuse, up to capacity of them. *count is
/// how many were written, 0 behind the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_replay_steps(
    replay: *const FrankingReplay,
    first: usize,
    taken: *mut u8,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a replay that was not freed.
        let replay = unsafe { get(replay, "replay") }?;
        // SAFETY: the caller passes room for as many steps as it says.
        let taken = unsafe { room(taken, capacity, "taken") }?;
        check_out(count, "count")?;
        let written = replay.0.read(|own| {
            let steps = own.steps.iter().skip(first).take(capacity);
            let mut written = 0_usize;
            for step in steps {
                put(taken, written, *step);
                written = written.saturating_add(1);
            }
            Ok(written)
        })?;
        // SAFETY: checked above.
        unsafe { put_out(count, written) }
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
    run(error, || {
        // SAFETY: the caller passes NULL or a replay that was not freed.
        let replay = unsafe { get(replay, "replay") }?;
        check_out(decision, "decision")?;
        let text = replay
            .0
            .read(|own| Ok(FrankingText::from_option(own.decision.as_deref())))?;
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
