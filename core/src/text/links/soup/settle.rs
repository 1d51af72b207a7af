//! Resolves what the last round has left, in one pass from the left to the right. Each round takes one `25` off `%252525…`, so
//! that rounds alone would take quadratic time.

use alloc::vec::Vec;

use super::super::span::tail;
use super::super::work;
use super::rounds::{resolved, take_base64};

/// What was resolved may be a part of another reference. One by name begins at most this number of bytes before it.
const BACK: usize = 40;

/// Resolves everything in place. What a byte stands for is read again with what stands before it.
pub(super) fn settle(text: &mut Vec<u8>, pending: &mut Vec<Vec<u8>>) {
    let (mut read, mut written) = (0_usize, 0_usize);
    while let Some(byte) = text.get(read).copied() {
        work::count(1);
        let Some((value, length)) = resolved(tail(text, read)) else {
            if let Some(place) = text.get_mut(written) {
                *place = byte;
            }
            (read, written) = (read.saturating_add(1), written.saturating_add(1));
            continue;
        };
        work::count(BACK);
        read = read.saturating_add(length).saturating_sub(value.len());
        if let Some(place) = text.get_mut(read..read.saturating_add(value.len())) {
            place.copy_from_slice(&value);
        }
        let back = BACK.min(written);
        text.copy_within(
            written.saturating_sub(back)..written,
            read.saturating_sub(back),
        );
        (read, written) = (read.saturating_sub(back), written.saturating_sub(back));
    }
    text.truncate(written);
    take_base64(text, pending);
}
