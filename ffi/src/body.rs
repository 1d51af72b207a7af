//! The bytes of a call, the caller's or the library's own.

use std::borrow::Cow;

use crate::status::{Fail, Outcome};
use crate::text::FrankingBytes;

/// # Safety
/// The bytes can be read. If they are borrowed, they stay readable and unchanged until the handle that borrows them is freed.
pub(crate) unsafe fn take(bytes: FrankingBytes, is_borrowed: bool) -> Outcome<Cow<'static, [u8]>> {
    if is_borrowed {
        // SAFETY: as demanded of the caller. Nothing looks at them after the handle was freed.
        return unsafe { bytes.read("body") }.map(Cow::Borrowed);
    }
    // SAFETY: as demanded of the caller.
    unsafe { copy(bytes) }
}

/// # Safety
/// The bytes can be read.
pub(crate) unsafe fn copy(bytes: FrankingBytes) -> Outcome<Cow<'static, [u8]>> {
    // SAFETY: as demanded of the caller.
    let bytes = unsafe { bytes.read("body") }?;
    let mut copy = Vec::new();
    let room = copy.try_reserve_exact(bytes.len());
    room.map_err(|_| Fail::memory("a copy of the body"))?;
    copy.extend_from_slice(bytes);
    Ok(Cow::Owned(copy))
}
