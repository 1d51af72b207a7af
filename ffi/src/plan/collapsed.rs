//! The repeated addresses that a plan leaves out.

use super::Boxed;
use crate::arena::Arena;
use crate::call::{FrankingCall, Loan};
use crate::error::FrankingError;
use crate::handle::{Guarded, boxed, check_out, free, get, put_out, run, run_next};
use crate::size::{Grows, check_sized, write_sized};
use crate::status::More;
use crate::text::{FrankingSpan, FrankingText};
use franking_core::Collapsed;
use std::borrow::Cow;

/// A repeated address that is left out. Start from FRANKING_COLLAPSED_INIT. Texts live until the cursor moves on or is freed,
/// or the call is answered or freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingCollapsed {
    /// sizeof(franking_collapsed).
    pub size: usize,
    /// The position in requests, from 0.
    pub request: i64,
    /// The list in which the repetition stands, as a JSON Pointer (RFC 6901).
    pub pointer: FrankingText,
    /// The bytes of the entry in the body.
    pub span: FrankingSpan,
    /// The address as sent, without white space around it.
    pub to: FrankingText,
}

// SAFETY: repr(C), 2 * 8 + 3 * 16 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingCollapsed {
    const FIRST: usize = 64;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        request: 0,
        pointer: FrankingText::NONE,
        span: FrankingSpan { start: 0, end: 0 },
        to: FrankingText::NONE,
    };
}

/// The repeated addresses that a plan leaves out, one after the other. Owned: free it with franking_collapsed_list_free. To
/// be used by one thread at a time.
pub struct FrankingCollapsedList(Guarded<CollapsedList>);

struct CollapsedList {
    rest: Boxed<Collapsed<'static>>,
    texts: Arena,
    loan: Loan,
}

/// The repeated addresses that are left out, in order of requests, then of to, cc and bcc. Owned: free it with
/// franking_collapsed_list_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_collapsed(
    call: *mut FrankingCall,
    collapsed: *mut *mut FrankingCollapsedList,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(collapsed, "collapsed")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (rest, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.plan()?.collapsed()) as Boxed<_>)
            })
        }?;
        let cursor = FrankingCollapsedList(Guarded::new(CollapsedList {
            rest,
            texts: Arena::default(),
            loan,
        }));
        // SAFETY: checked above.
        unsafe { put_out(collapsed, boxed(cursor)) }
    })
}

/// Moves to the next repetition. FRANKING_STATUS_END when there is none. entry->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_collapsed_list_next(
    collapsed: *mut FrankingCollapsedList,
    entry: *mut FrankingCollapsed,
    error: *mut *mut FrankingError,
) -> i32 {
    run_next(error, || {
        // SAFETY: the caller passes NULL or a cursor that was not freed.
        let collapsed = unsafe { get(collapsed, "collapsed") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(entry, "entry") }?;
        let next = collapsed.0.write(|own| {
            own.loan.with(|| {
                own.texts.clear();
                Ok(own.rest.next().map(|next| FrankingCollapsed {
                    size: size_of::<FrankingCollapsed>(),
                    request: i64::from(next.request()),
                    pointer: own.texts.keep(Cow::Owned(next.pointer())),
                    span: FrankingSpan::from(next.span()),
                    to: own.texts.keep(next.to()),
                }))
            })
        })?;
        let Some(next) = next else {
            return Ok(More::No);
        };
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(entry, "entry", next) }?;
        Ok(More::Yes)
    })
}

/// Frees a cursor. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_collapsed_list_free(collapsed: *mut FrankingCollapsedList) {
    // SAFETY: the caller passes NULL or a cursor that was not freed.
    unsafe { free(collapsed) };
}
