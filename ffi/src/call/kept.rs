//! The holders of a call's memory: its handle and its cursors, which may be freed in any order.
//!
//! A reference count as in `Arc`, but without weak pointers. Most calls have no cursor. Such a call is freed without
//! changing the count, because each atomic change waits for all earlier stores.

use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use super::FrankingCall;
use crate::status::{Fail, Outcome};

/// A holder of the memory of a call. The memory lives on when the handle is freed.
pub(crate) struct Kept(NonNull<FrankingCall>);

// SAFETY: what a call holds may be used from any thread, and its count is atomic.
unsafe impl Send for Kept where FrankingCall: Send + Sync {}
// SAFETY: as above.
unsafe impl Sync for Kept where FrankingCall: Send + Sync {}

impl Kept {
    /// # Safety
    /// `call` is NULL or was made by [`FrankingCall::new`] and was not freed.
    pub(crate) unsafe fn new(call: *const FrankingCall) -> Outcome<Self> {
        let Some(call) = NonNull::new(call.cast_mut()) else {
            return Err(Fail::null("call"));
        };
        // SAFETY: as demanded of the caller.
        let holders = &unsafe { call.as_ref() }.holders;
        // This cannot overflow: each holder but the first is a cursor, and that many cursors do not fit into memory.
        holders.fetch_add(1, Ordering::Relaxed);
        Ok(Self(call))
    }
}

impl Deref for Kept {
    type Target = FrankingCall;

    fn deref(&self) -> &FrankingCall {
        // SAFETY: the memory stays until this holder gives its count back.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: this holder was counted by `new`.
        unsafe { give_back(self.0.as_ptr()) };
    }
}

/// Gives up one hold on the call. The last holder frees the memory.
///
/// # Safety
/// The caller is one of the counted holders, and does not use the call afterwards.
pub(super) unsafe fn give_back(call: *mut FrankingCall) {
    // SAFETY: the caller still holds it.
    let holders = &unsafe { &*call }.holders;
    // Only a holder can make another holder. If the count is 1, the caller is the only one.
    if holders.load(Ordering::Acquire) == 1 || holders.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: a box made it, and there is no other holder.
        drop(unsafe { Box::from_raw(call) });
    }
}
