//! Cursors over violations and over warnings.

use franking_core::{Violation, Warning};

use crate::error::FrankingError;
use crate::guard::free;
use crate::handle::{Guarded, get, run_next};
use crate::records::{FrankingViolation, FrankingWarning};
use crate::size::{check_sized, write_sized};
use crate::status::{More, Outcome};
use crate::text::{FrankingSpan, FrankingText};

/// A cursor over violations. Owned: free it with franking_violations_free. To be used by one thread at a time.
pub struct FrankingViolations(Guarded<Violations>);

/// The owner of the data that a cursor borrows.
pub(crate) trait Lends: Send + Sync {
    /// Runs `inside` while the borrowed data is unchanged. Otherwise fails with FRANKING_STATUS_STALE.
    fn lend(&self, inside: &mut dyn FnMut() -> Outcome) -> Outcome;
}

type BoxedViolations = Box<dyn Iterator<Item = Violation<'static>> + Send + Sync>;

struct Violations {
    rest: BoxedViolations,
    current: Option<Violation<'static>>,
    pointer: Option<String>,
    remedy: String,
    /// The last member, so that it is dropped after those that borrow from it.
    source: Box<dyn Lends>,
}

impl FrankingViolations {
    pub(crate) fn new(rest: BoxedViolations, source: impl Lends + 'static) -> Self {
        Self(Guarded::new(Violations {
            rest,
            current: None,
            pointer: None,
            remedy: String::new(),
            source: Box::new(source),
        }))
    }
}

impl Violations {
    fn next(&mut self) -> Outcome<Option<FrankingViolation>> {
        let Self {
            rest,
            current,
            pointer,
            remedy,
            source,
        } = self;
        let mut next = None;
        source.lend(&mut || {
            *current = rest.next();
            *pointer = None;
            let Some(violation) = current else {
                return Ok(());
            };
            *pointer = violation.pointer();
            *remedy = violation.remedy();
            let span = violation.span();
            next = Some(FrankingViolation {
                size: size_of::<FrankingViolation>(),
                rule: i32::from(violation.rule().number()),
                code: i32::from(violation.code().number()),
                request: violation.request().map_or(0, u64::from),
                pointer: FrankingText::from_option(pointer.as_deref()),
                has_request: u8::from(violation.request().is_some()),
                has_span: u8::from(span.is_some()),
                span: span.map(FrankingSpan::from).unwrap_or_default(),
                remedy: FrankingText::new(remedy),
                reserved: [0; 6],
            });
            Ok(())
        })?;
        Ok(next)
    }
}

/// Moves to the next violation and writes it. Returns FRANKING_STATUS_END after the last one. violation->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_violations_next(
    violations: *mut FrankingViolations,
    violation: *mut FrankingViolation,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let violations = unsafe { get(violations, "violations") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(violation, "violation") }?;
        let Some(next) = violations.0.write(Violations::next)? else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(violation, "violation", next) }?;
        Ok(More::Yes)
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_violations_free(violations: *mut FrankingViolations) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(violations) };
}

/// A cursor over warnings. Owned: free it with franking_warnings_free. To be used by one thread at a time.
pub struct FrankingWarnings(Guarded<Warnings>);

type BoxedWarnings = Box<dyn Iterator<Item = Warning> + Send + Sync>;

struct Warnings {
    rest: BoxedWarnings,
    current: Option<Warning>,
    message: String,
    /// The last member, so that it is dropped after those that borrow from it.
    source: Box<dyn Lends>,
}

impl FrankingWarnings {
    pub(crate) fn new(rest: BoxedWarnings, source: impl Lends + 'static) -> Self {
        Self(Guarded::new(Warnings {
            rest,
            current: None,
            message: String::new(),
            source: Box::new(source),
        }))
    }
}

impl Warnings {
    fn next(&mut self) -> Outcome<Option<FrankingWarning>> {
        let Self {
            rest,
            current,
            message,
            source,
        } = self;
        let mut next = None;
        source.lend(&mut || {
            *current = rest.next();
            let Some(warning) = current else {
                return Ok(());
            };
            *message = warning.message();
            let span = warning.span();
            next = Some(FrankingWarning {
                size: size_of::<FrankingWarning>(),
                kind: i32::from(warning.kind().number()),
                has_span: u8::from(span.is_some()),
                reserved: [0; 3],
                pointer: FrankingText::from_option(warning.pointer()),
                span: span.map(FrankingSpan::from).unwrap_or_default(),
                detail: FrankingText::from_option(warning.detail()),
                message: FrankingText::new(message),
            });
            Ok(())
        })?;
        Ok(next)
    }
}

/// Moves to the next warning and writes it. Returns FRANKING_STATUS_END after the last one. warning->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_warnings_next(
    warnings: *mut FrankingWarnings,
    warning: *mut FrankingWarning,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let warnings = unsafe { get(warnings, "warnings") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(warning, "warning") }?;
        let Some(next) = warnings.0.write(Warnings::next)? else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(warning, "warning", next) }?;
        Ok(More::Yes)
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_warnings_free(warnings: *mut FrankingWarnings) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(warnings) };
}
