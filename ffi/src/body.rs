//! The bytes of a call.

use crate::status::{Fail, Outcome};
use crate::text::FrankingBytes;

/// The bytes of a body, the caller's or the library's own.
pub(crate) enum Body {
    Borrowed { data: *const u8, len: usize },
    Owned(Vec<u8>),
}

// SAFETY: the caller of the constructor promises that the bytes stay as they are until the handle is freed.
unsafe impl Send for Body {}
// SAFETY: as above.
unsafe impl Sync for Body {}

impl Body {
    /// # Safety
    /// The bytes stay readable and unchanged until the handle that borrows them is freed.
    pub(crate) unsafe fn borrow(bytes: FrankingBytes) -> Outcome<Self> {
        // SAFETY: as demanded of the caller.
        let bytes = unsafe { bytes.read("body") }?;
        Ok(Self::Borrowed {
            data: bytes.as_ptr(),
            len: bytes.len(),
        })
    }

    /// # Safety
    /// The bytes can be read.
    pub(crate) unsafe fn copy(bytes: FrankingBytes) -> Outcome<Self> {
        // SAFETY: as demanded of the caller.
        let bytes = unsafe { bytes.read("body") }?;
        let mut copy = Vec::new();
        let room = copy.try_reserve_exact(bytes.len());
        room.map_err(|_| Fail::memory("a copy of the body"))?;
        copy.extend_from_slice(bytes);
        Ok(Self::Owned(copy))
    }
}

impl AsRef<[u8]> for Body {
    fn as_ref(&self) -> &[u8] {
        match self {
            // SAFETY: the bytes stay readable until the handle is freed, and nothing looks at them afterwards.
            Self::Borrowed { data, len } => unsafe { core::slice::from_raw_parts(*data, *len) },
            Self::Owned(bytes) => bytes,
        }
    }
}
