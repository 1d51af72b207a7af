//! The functions that read the decision of a call.

use core::mem::MaybeUninit;

use crate::call::{FrankingCall, Loan};
use crate::error::FrankingError;
use crate::guard::boxed;
use crate::handle::{check_out, get, put_out, run};
use crate::records::FrankingDecision;
use crate::records::{FrankingBlacklistedLink, FrankingExplained};
use crate::size::{check_sized, write_sized, write_sized_with};
use crate::text::{FrankingText, first};
use crate::violations::FrankingViolations;

/// At FRANKING_STEP_DONE: writes the link for which the call was answered with code 413. Its url is absent when the code is
/// another one. link->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_blacklisted_link(
    call: *mut FrankingCall,
    link: *mut FrankingBlacklistedLink,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(link, "link") }?;
        let value = call.state.write(|state| {
            let (texts, decision) = state.decided()?;
            Ok(texts.blacklisted_link(&decision))
        })?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(link, "link", value) }
    })
}

/// At FRANKING_STEP_DONE: writes the decision. decision->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_decision(
    call: *mut FrankingCall,
    decision: *mut FrankingDecision,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(decision, "decision") }?;
        call.state.write(|state| {
            let show = |place: &mut MaybeUninit<_>| {
                let (texts, decision) = state.decided()?;
                place.write(texts.decision(&decision));
                Ok(())
            };
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(decision, "decision", show) }
        })
    })
}

/// At FRANKING_STEP_DONE: writes what the caller of the service should do, in whole sentences. data is NULL when no rule is
/// broken. The text lives until the call is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_remedy(
    call: *mut FrankingCall,
    remedy: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(remedy, "remedy")?;
        let text = call.state.write(|state| {
            let (texts, decision) = state.decided()?;
            Ok(texts.remedy(&decision))
        })?;
        // SAFETY: checked above.
        unsafe { put_out(remedy, text) }
    })
}

/// At FRANKING_STEP_DONE: makes a cursor over the requests and recipients that a partial batch leaves out, each with its
/// first violation. It has them even when the whole call is refused in the end. Owned: free it with
/// franking_violations_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_refused(
    call: *mut FrankingCall,
    violations: *mut *mut FrankingViolations,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(violations, "violations")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (refused, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.decision()?.refused()) as Box<_>)
            })
        }?;
        // SAFETY: checked above.
        unsafe { put_out(violations, boxed(FrankingViolations::new(refused, loan))) }
    })
}

/// At FRANKING_STEP_DONE: writes every rule of the operation with its judgement, in the order in which the rules are judged,
/// for support staff. *rows points to the first of *count rows, which live until the call is answered or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_explanation(
    call: *mut FrankingCall,
    rows: *mut *const FrankingExplained,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(rows, "rows")?;
        check_out(count, "count")?;
        let (first, length) = call.state.write(|state| {
            let (texts, decision) = state.decided()?;
            let own = texts.explanation(&decision);
            Ok((first(own), own.len()))
        })?;
        // SAFETY: checked above.
        unsafe { put_out(rows, first) }?;
        // SAFETY: checked above.
        unsafe { put_out(count, length) }
    })
}
