//! Helpers for bytes and numbers of any meaning: vectors of sixteen bytes, tables of byte classes, sets of small numbers,
//! and the search for equal items.

pub(crate) mod bits;
pub(crate) mod class;
pub(crate) mod distinct;
pub(crate) mod lanes;

use core::ops::Range;

/// An offset in a body, or a number of its items, as the `u32` that is stored.
#[inline]
#[expect(
    clippy::expect_used,
    reason = "a body is read only if it is at most MAX_BODY bytes long, and has no more items than bytes"
)]
pub(crate) fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).expect("bodies of more than 2^31-1 bytes are not read")
}

/// The items from `at` on. If `at` is beyond the end, no items.
#[inline]
pub(crate) fn rest<T>(items: &[T], at: usize) -> &[T] {
    items.get(at..).unwrap_or_default()
}

/// The items of a range. Its place was found in the same items.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "what is read does not change, so a place that was found in it is in it"
)]
pub(crate) fn part<T>(items: &[T], place: Range<usize>) -> &[T] {
    &items[place]
}

/// A part of a text. Its place was found in the same text.
#[inline]
#[expect(
    clippy::string_slice,
    reason = "a body does not change, so a place that was found in it is in it"
)]
pub(crate) fn text_part(text: &str, place: Range<usize>) -> &str {
    &text[place]
}
