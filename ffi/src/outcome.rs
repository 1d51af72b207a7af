//! What became of an email: a set of events that arrive late, twice and in any order.

use franking_core::outcome::{Outcome, Tracking};

use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_alone};
use crate::numbers::event;

/// The outcome of one email: the set of events seen. Owned: free it with franking_outcome_free. To be used by one thread at
/// a time.
pub struct FrankingOutcome(Guarded<Outcome>);

/// Makes the outcome of an email to which nothing has happened yet. Not 0: it was sent with that tracking.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_new(
    track_opens: i32,
    track_clicks: i32,
    outcome: *mut *mut FrankingOutcome,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(outcome, "outcome")?;
        let new = Outcome::new(Tracking {
            opens: track_opens != 0,
            clicks: track_clicks != 0,
        });
        // SAFETY: checked above.
        unsafe { put_out(outcome, boxed(FrankingOutcome(Guarded::new(new)))) }
    })
}

/// Adds an event, by its code: one of FRANKING_EVENT. An open or a click of an email sent without that tracking does not
/// count.
///
/// Fails with FRANKING_STATUS_ARGUMENT when the code is that of no event.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_record(
    outcome: *mut FrankingOutcome,
    event_code: i32,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or an outcome that was not freed.
        let outcome = unsafe { get(outcome, "outcome") }?;
        let event = event(event_code)?;
        outcome.0.write(|own| {
            own.record(event);
            Ok(())
        })
    })
}

/// Adds what another outcome of the same email has seen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_merge(
    outcome: *mut FrankingOutcome,
    other: *const FrankingOutcome,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or an outcome that was not freed.
        let outcome = unsafe { get(outcome, "outcome") }?;
        // SAFETY: the caller passes NULL or an outcome that was not freed.
        let other = unsafe { get(other, "other") }?;
        let seen = other.0.read(|other| Ok(*other))?;
        outcome.0.write(|own| {
            own.merge(seen);
            Ok(())
        })
    })
}

/// Whether an event was seen and counts: 1 or 0. One of FRANKING_EVENT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_has(
    outcome: *const FrankingOutcome,
    event_code: i32,
    has: *mut i32,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or an outcome that was not freed.
        let outcome = unsafe { get(outcome, "outcome") }?;
        let event = event(event_code)?;
        check_out(has, "has")?;
        let seen = outcome.0.read(|own| Ok(own.has(event)))?;
        // SAFETY: checked above.
        unsafe { put_out(has, i32::from(seen)) }
    })
}

/// The code that says what is to be said of the email: 452 clicked, else 451 opened, else 417 bounced, else 418 delivered,
/// else 200 accepted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_summary(
    outcome: *const FrankingOutcome,
    code: *mut i32,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or an outcome that was not freed.
        let outcome = unsafe { get(outcome, "outcome") }?;
        check_out(code, "code")?;
        let summary = outcome.0.read(|own| Ok(own.summary().code()))?;
        // SAFETY: checked above.
        unsafe { put_out(code, i32::from(summary)) }
    })
}

/// Frees an outcome. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_free(outcome: *mut FrankingOutcome) {
    // SAFETY: the caller passes NULL or an outcome that was not freed.
    unsafe { free(outcome) };
}
