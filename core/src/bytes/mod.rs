//! Bytes and numbers, of whatever meaning: sixteen bytes at once, what each byte is, sets of small numbers, items that are equal.

pub(crate) mod bits;
pub(crate) mod class;
pub(crate) mod distinct;
pub(crate) mod lanes;

use core::ops::Range;

/// An offset or a count of a body, as it is kept.
#[inline]
#[expect(
    clippy::expect_used,
    reason = "a body is read only if it is at most MAX_BODY bytes long, and has no more items than bytes"
)]
pub(crate) fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).expect("bodies of more than 2^31-1 bytes are not read")
}

/// The items from `at` on; behind the end there are none.
#[inline]
pub(crate) fn rest<T>(items: &[T], at: usize) -> &[T] {
    items.get(at..).unwrap_or_default()
}

/// The items of a place; none where it reaches beyond the end. Places are those that were read from the same items, so it
/// reaches so far only in a body that changes while it is read (see [`Failure::Internal`](crate::Failure::Internal)).
#[inline]
pub(crate) fn part<T>(items: &[T], place: Range<usize>) -> &[T] {
    items.get(place).unwrap_or_default()
}
