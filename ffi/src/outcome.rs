//! The outcome of an email: a set of events, which may arrive late, repeatedly and in any order.

use franking_core::{Event, Outcome, Tracking};

use crate::error::FrankingError;
use crate::handle::{check_out, get, put_out, run_alone, value};
use crate::numbers::event;
use crate::status::{Fail, Outcome as Result};

/// The email was sent with tracking of opens. One bit of an outcome.
pub const FRANKING_OUTCOME_TRACK_OPENS: u32 = 16;
/// The email was sent with tracking of clicks. One bit of an outcome.
pub const FRANKING_OUTCOME_TRACK_CLICKS: u32 = 32;

/// The events, each with its bit.
const EVENTS: [(u32, Event); 4] = [
    (1, Event::Bounced),
    (2, Event::Delivered),
    (4, Event::Opened),
    (8, Event::Clicked),
];

/// Reads the number of an outcome. Other bits are an error.
fn read(bits: u32) -> Result<Outcome> {
    if bits > 63 {
        return Err(Fail::argument(format!(
            "{bits} is not an outcome: start from FRANKING_OUTCOME constants, or from 0"
        )));
    }
    let mut outcome = Outcome::new(Tracking {
        opens: bits & FRANKING_OUTCOME_TRACK_OPENS != 0,
        clicks: bits & FRANKING_OUTCOME_TRACK_CLICKS != 0,
    });
    for (bit, event) in EVENTS {
        if bits & bit != 0 {
            outcome.record(event);
        }
    }
    Ok(outcome)
}

/// Adds an event to an outcome. event is its code, one of FRANKING_EVENT. An outcome is a number that you can store. It
/// starts from the FRANKING_OUTCOME bits with which the email was sent. Combine two outcomes of one email with |.
///
/// Fails with FRANKING_STATUS_ARGUMENT when the code is not that of an event, or the number is not an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_outcome_record(
    outcome: *mut u32,
    event_code: i32,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(outcome, "outcome")?;
        // SAFETY: checked above; the caller passes a number.
        let bits = *unsafe { get(outcome, "outcome") }?;
        let event = event(event_code)?;
        read(bits)?;
        let bit = EVENTS.iter().find(|(_, own)| *own == event);
        let bit = bit.map_or(0, |(bit, _)| *bit);
        // SAFETY: checked above.
        unsafe { put_out(outcome, bits | bit) }
    })
}

/// Returns 1 if an event, one of FRANKING_EVENT, was recorded and counts, else 0. An open or a click of an email that was
/// sent without that tracking does not count.
#[unsafe(no_mangle)]
pub extern "C" fn franking_outcome_has(outcome: u32, event_code: i32) -> u8 {
    value(0, || {
        let (Ok(own), Ok(event)) = (read(outcome), event(event_code)) else {
            return 0;
        };
        u8::from(own.has(event))
    })
}

/// Returns the code that sums up the outcome: 452 clicked, else 451 opened, else 417 bounced, else 418 delivered, else 200
/// accepted. 0 if the number is not an outcome.
#[unsafe(no_mangle)]
pub extern "C" fn franking_outcome_summary(outcome: u32) -> i32 {
    value(0, || {
        read(outcome).map_or(0, |own| i32::from(own.summary().code()))
    })
}
