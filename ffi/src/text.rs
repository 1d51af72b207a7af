//! Texts and bytes, as pointer and length.

use core::ffi::c_char;
use core::ops::Range;
use std::borrow::Cow;

use crate::guard::{boxed, free};
use crate::size::LaidOut;
use crate::status::{FRANKING_STATUS_UTF8, Fail, Outcome};

/// UTF-8 text: len bytes from data on. It may contain any character, including NUL, and is not terminated by a NUL. The data
/// of an absent text is NULL; that of an empty text is not NULL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingText {
    /// The first byte; may be NULL when len is 0.
    pub data: *const c_char,
    /// The number of bytes.
    pub len: usize,
}

/// Any bytes: len of them from data on.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingBytes {
    /// The first byte; may be NULL when len is 0.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

/// Bytes of a body: those from start up to but not including end.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct FrankingSpan {
    /// The offset of the first byte.
    pub start: usize,
    /// The offset after the last byte.
    pub end: usize,
}

// SAFETY: the pointer is only a number here; code that reads through it has to know how long the text lives.
unsafe impl Send for FrankingText {}
// SAFETY: as above.
unsafe impl Sync for FrankingText {}

impl FrankingText {
    pub(crate) const NONE: Self = Self {
        data: core::ptr::null(),
        len: 0,
    };

    pub(crate) const fn new(text: &str) -> Self {
        // The address of an empty Rust text may be 1, which the garbage collectors of other languages treat as a fault.
        let data = if text.is_empty() {
            c"".as_ptr()
        } else {
            text.as_ptr().cast()
        };
        Self {
            data,
            len: text.len(),
        }
    }

    pub(crate) fn from_option(text: Option<&str>) -> Self {
        text.map_or(Self::NONE, Self::new)
    }

    /// Reads a text that the caller passed in. NULL is an empty text if its length is 0.
    ///
    /// # Safety
    /// The bytes have to be readable for as long as the result is used.
    #[inline(never)]
    pub(crate) unsafe fn read<'a>(self, what: &'static str) -> Outcome<&'a str> {
        // Most texts are ASCII. This is the fastest check for it: it makes no function call, so no registers are saved.
        if !self.data.is_null() && self.len <= isize::MAX as usize {
            // SAFETY: not NULL, no longer than memory, and readable as demanded of the caller.
            let bytes = unsafe { core::slice::from_raw_parts(self.data.cast::<u8>(), self.len) };
            if bytes.is_ascii() {
                // SAFETY: ASCII is UTF-8.
                return Ok(unsafe { core::str::from_utf8_unchecked(bytes) });
            }
        }
        // SAFETY: as demanded of the caller.
        unsafe { self.read_any(what) }
    }

    /// # Safety
    /// As [`FrankingText::read`].
    #[cold]
    #[inline(never)]
    unsafe fn read_any<'a>(self, what: &'static str) -> Outcome<&'a str> {
        let bytes = FrankingBytes {
            data: self.data.cast(),
            len: self.len,
        };
        // SAFETY: as demanded of the caller.
        let bytes = unsafe { bytes.read(what) }?;
        core::str::from_utf8(bytes).map_err(|error| not_utf8(what, error))
    }

    /// Reads a text that may be absent: NULL with length 0 is absent.
    ///
    /// # Safety
    /// As [`FrankingText::read`].
    #[inline]
    pub(crate) unsafe fn read_option<'a>(self, what: &'static str) -> Outcome<Option<&'a str>> {
        if self.data.is_null() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: as demanded of the caller.
        unsafe { self.read(what) }.map(Some)
    }

    /// Reads a text of which only some ASCII values matter. Bytes that are not UTF-8 are replaced.
    ///
    /// # Safety
    /// As [`FrankingText::read`].
    #[inline(always)]
    pub(crate) unsafe fn read_lossy<'a>(self, what: &'static str) -> Outcome<Cow<'a, str>> {
        let bytes = FrankingBytes {
            data: self.data.cast(),
            len: self.len,
        };
        // SAFETY: as demanded of the caller.
        let bytes = unsafe { bytes.read(what) }?;
        if bytes == b"POST" {
            // The method of almost every call.
            return Ok(Cow::Borrowed("POST"));
        }
        Ok(lossy(bytes))
    }
}

#[cold]
#[inline(never)]
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cold]
fn not_utf8(what: &'static str, error: core::str::Utf8Error) -> Fail {
    let message = format!("{what} is not UTF-8 from byte {} on", error.valid_up_to());
    Fail::new(FRANKING_STATUS_UTF8, message)
}

impl FrankingBytes {
    /// Reads bytes that the caller passed in. NULL stands for no bytes if the length is 0.
    ///
    /// # Safety
    /// The bytes have to be readable for as long as the result is used.
    pub(crate) unsafe fn read<'a>(self, what: &'static str) -> Outcome<&'a [u8]> {
        // SAFETY: as demanded of the caller.
        unsafe { slice(self.data, self.len, what) }
    }
}

/// `count` values that the caller passed in. NULL stands for no values if `count` is 0.
///
/// # Safety
/// The values have to be readable for as long as the result is used.
pub(crate) unsafe fn slice<'a, T: LaidOut>(
    data: *const T,
    count: usize,
    what: &'static str,
) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(Fail::null(what));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fail::longer_than_memory(what));
    }
    // SAFETY: not NULL, no longer than memory, and readable as demanded of the caller.
    Ok(unsafe { core::slice::from_raw_parts(data, count) })
}

/// The address of the first row. If there are none, it is a valid address that is not NULL, as in [`FrankingText::new`].
pub(crate) const fn first<T: LaidOut>(rows: &[T]) -> *const T {
    /// No row has a stricter alignment.
    static NONE: u64 = 0;
    const { assert!(align_of::<T>() <= align_of::<u64>()) };
    if rows.is_empty() {
        (&raw const NONE).cast()
    } else {
        rows.as_ptr()
    }
}

impl From<Range<usize>> for FrankingSpan {
    fn from(span: Range<usize>) -> Self {
        Self {
            start: span.start,
            end: span.end,
        }
    }
}

/// A text that the caller owns: free it with franking_string_free. It never changes, so it may be shared between threads.
pub struct FrankingString {
    /// Ends with a NUL.
    closed: String,
    /// A second text, to which a structure that was returned together with the string points.
    _beside: Option<String>,
}

impl FrankingString {
    pub(crate) fn new(text: impl Into<String>) -> Outcome<*mut Self> {
        Self::beside(text.into(), None)
    }

    /// Makes a string that also keeps a second text, for a structure that points to it. The second text does not move.
    pub(crate) fn beside(mut text: String, beside: Option<String>) -> Outcome<*mut Self> {
        let room = text.try_reserve_exact(1);
        room.map_err(|_| Fail::memory("the text"))?;
        text.push('\0');
        Ok(boxed(Self {
            closed: text,
            _beside: beside,
        }))
    }

    pub(crate) fn text(&self) -> &str {
        self.closed.strip_suffix('\0').unwrap_or_default()
    }
}

/// The text's first byte. A NUL follows the last one, so that a text without a NUL is a C string. Lives until the string is
/// freed. NULL if string is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_string_data(string: *const FrankingString) -> *const c_char {
    // SAFETY: the caller passes NULL or a string that was not freed.
    let string = unsafe { string.as_ref() };
    string.map_or(core::ptr::null(), |string| string.closed.as_ptr().cast())
}

/// The number of bytes of the text, without the NUL that follows it. 0 if string is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_string_len(string: *const FrankingString) -> usize {
    // SAFETY: the caller passes NULL or a string that was not freed.
    let string = unsafe { string.as_ref() };
    string.map_or(0, |string| string.text().len())
}

/// Frees a string. NULL is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_string_free(string: *mut FrankingString) {
    // SAFETY: the caller passes NULL or a string that was not freed.
    unsafe { free(string) };
}
