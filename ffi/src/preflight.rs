//! Preflight: the checks of a call that are possible without a host.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use franking_core::Preflight;

use crate::body;
use crate::error::FrankingError;
use crate::guard::{boxed, release};
use crate::handle::{check_out, get, put_out, run_alone};
use crate::memory::ask_for_body;
use crate::numbers::{flags, operation};
use crate::policy::FrankingPolicy;
use crate::status::{Fail, Outcome};
use crate::text::FrankingBytes;
use crate::violations::{FrankingViolations, FrankingWarnings, Lends};

/// A call's body, checked as far as that is possible without a host. It never changes, so many threads may read it at once
/// through a const pointer. Owned: free it with franking_preflight_free.
pub struct FrankingPreflight {
    inside: Preflight<'static>,
    is_freed: AtomicBool,
}

/// A cursor's hold on a preflight.
struct Checked(Arc<FrankingPreflight>);

impl Lends for Checked {
    fn lend(&self, inside: &mut dyn FnMut() -> Outcome) -> Outcome {
        if self.0.is_freed.load(Ordering::Acquire) {
            return Err(Fail::stale());
        }
        inside()
    }
}

impl Checked {
    /// Makes a cursor over the findings of a preflight. The result of `make` may be used only inside [`Lends::lend`], and
    /// has to be dropped before the loan.
    ///
    /// # Safety
    /// `preflight` is NULL or was not freed.
    unsafe fn new<T>(
        preflight: *const FrankingPreflight,
        make: impl FnOnce(&'static Preflight<'static>) -> T,
    ) -> Outcome<(T, Self)> {
        if preflight.is_null() {
            return Err(Fail::null("preflight"));
        }
        // SAFETY: as demanded of the caller.
        unsafe { Arc::increment_strong_count(preflight) };
        // SAFETY: this is the count that was just added.
        let kept = unsafe { Arc::from_raw(preflight) };
        // SAFETY: the loan keeps the preflight alive and in place, and nothing ever changes it.
        let lent: &'static Preflight<'static> = unsafe { &*core::ptr::from_ref(&kept.inside) };
        Ok((make(lent), Self(kept)))
    }
}

/// Checks a body for one of FRANKING_OPERATION. Anything wrong with the body is a violation, not an error. how is 0 or
/// FRANKING_NEW_BORROWED. If it is 0, the body is copied.
///
/// Fails with FRANKING_STATUS_MEMORY when there is not enough memory for the copy, or to read the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_new(
    policy: *const FrankingPolicy,
    operation: i32,
    body: FrankingBytes,
    how: i32,
    preflight: *mut *mut FrankingPreflight,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        let (is_borrowed, is_recorded) = flags(how)?;
        if is_recorded {
            return Err(Fail::argument("a preflight asks nothing to be recorded"));
        }
        // SAFETY: the caller passes bytes that can be read, and keeps a body that is borrowed until the preflight is freed.
        let body = unsafe { body::take(body, is_borrowed) }?;
        // SAFETY: the caller passes NULL or a policy that was not freed.
        let policy = unsafe { get(policy, "policy") }?.get();
        let operation = self::operation(operation)?;
        check_out(preflight, "preflight")?;
        ask_for_body(policy, operation, body.as_ref())?;
        let new = Arc::new(FrankingPreflight {
            inside: Preflight::new(policy, operation, body),
            is_freed: AtomicBool::new(false),
        });
        // SAFETY: checked above.
        unsafe { put_out(preflight, Arc::into_raw(new).cast_mut()) }
    })
}

/// Writes 1 if no violation was found, else 0. Warnings may have been found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_is_clean(
    preflight: *const FrankingPreflight,
    is_clean: *mut u8,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes NULL or a preflight that was not freed.
        let preflight = unsafe { get(preflight, "preflight") }?;
        check_out(is_clean, "is_clean")?;
        let clean = preflight.inside.is_clean();
        // SAFETY: checked above.
        unsafe { put_out(is_clean, u8::from(clean)) }
    })
}

/// Makes a cursor over every violation, in order of precedence: the first one gives the code. Violations are found as the
/// cursor moves. Owned: free it with franking_violations_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_violations(
    preflight: *const FrankingPreflight,
    violations: *mut *mut FrankingViolations,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(violations, "violations")?;
        // SAFETY: the caller passes NULL or a preflight that was not freed.
        let (rest, checked) =
            unsafe { Checked::new(preflight, |own| Box::new(own.violations()) as Box<_>) }?;
        // SAFETY: checked above.
        unsafe { put_out(violations, boxed(FrankingViolations::new(rest, checked))) }
    })
}

/// Makes a cursor over every warning. Warnings without a place in the body come first, the others in the order of their
/// places. Owned: free it with franking_warnings_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_warnings(
    preflight: *const FrankingPreflight,
    warnings: *mut *mut FrankingWarnings,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        check_out(warnings, "warnings")?;
        // SAFETY: the caller passes NULL or a preflight that was not freed.
        let (rest, checked) =
            unsafe { Checked::new(preflight, |own| Box::new(own.warnings()) as Box<_>) }?;
        // SAFETY: checked above.
        unsafe { put_out(warnings, boxed(FrankingWarnings::new(rest, checked))) }
    })
}

/// Frees a preflight. Cursors made from it still have to be freed; every other use of them fails with FRANKING_STATUS_STALE.
/// NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_preflight_free(preflight: *mut FrankingPreflight) {
    if preflight.is_null() {
        return;
    }
    release(|| {
        // SAFETY: the caller passes a preflight that was not freed: its one count of the caller's is given back here.
        let preflight = unsafe { Arc::from_raw(preflight.cast_const()) };
        preflight.is_freed.store(true, Ordering::Release);
    });
}
