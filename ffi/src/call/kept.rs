//! Who keeps a call's memory: its handle and its cursors, in whatever order they are freed.
//!
//! A count, as that of `Arc`. But of one without weak pointers, and a call that only its handle keeps, as most, is freed
//! without changing it: each change waits for all that was written before.

use core::ops::Deref;
use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use super::FrankingCall;
use crate::status::{Fail, Outcome};

/// Keeps the memory of a call, also when its handle is freed.
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
        // So many cursors do not fit into memory; each adds one and is larger than one byte.
        holders.fetch_add(1, Ordering::Relaxed);
        Ok(Self(call))
    }
}

impl Deref for Kept {
    type Target = FrankingCall;

    fn deref(&self) -> &FrankingCall {
        // SAFETY: the memory stays until the count that this has added is given back.
        unsafe { self.0.as_ref() }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // SAFETY: this has added to the count.
        unsafe { give_back(self.0.as_ptr()) };
    }
}

/// Keeps the call no longer. The last one frees the memory.
///
/// # Safety
/// The caller is one of the holders who were counted, and does not look at the call any more.
pub(super) unsafe fn give_back(call: *mut FrankingCall) {
    // SAFETY: the caller still holds it.
    let holders = &unsafe { &*call }.holders;
    // Only a holder can make another one: if there is one, it is the caller.
    if holders.load(Ordering::Acquire) == 1 || holders.fetch_sub(1, Ordering::AcqRel) == 1 {
        // SAFETY: it was made by a box, and nobody else holds it.
        drop(unsafe { Box::from_raw(call) });
    }
}
