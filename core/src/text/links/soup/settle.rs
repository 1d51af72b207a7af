//! Resolves what the last round has left, in one pass from the left to the right. Each round takes one `25` off `%252525…`, so
//! that rounds alone would take quadratic time.

use alloc::vec::Vec;

use super::super::references::{Context, Value, reference};
use super::super::span::tail;
use super::super::work;
use super::rounds::take_base64;
use crate::text::form::escaped_octet;

/// What was resolved may be a part of another reference. One by name begins at most this number of bytes before it.
const BACK: usize = 40;

/// Resolves everything in place. What a byte stands for is read again with what stands before it.
pub(super) fn settle(text: &mut Vec<u8>, pending: &mut Vec<Vec<u8>>) {
    let (mut read, mut written) = (0_usize, 0_usize);
    while let Some(byte) = text.get(read).copied() {
        work::count(1);
        let rest = tail(text, read);
        let mut buffer = [0; 8];
        let resolved = match byte {
            b'&' => reference(rest, Context::Text).map(|(value, length)| match value {
                Value::Named(value) => (copy(value.as_bytes(), &mut buffer), length),
                Value::Number(character) => (character.encode_utf8(&mut buffer).len(), length),
            }),
            b'%' => escaped_octet(rest, 0).map(|octet| (copy(&[octet], &mut buffer), 3)),
            _ => None,
        };
        let Some((value, length)) = resolved else {
            if let Some(place) = text.get_mut(written) {
                *place = byte;
            }
            (read, written) = (read.saturating_add(1), written.saturating_add(1));
            continue;
        };
        work::count(BACK);
        // What `&nGt;` and `&nLt;` stand for takes a byte more than they do.
        let value = value.min(length);
        read = read.saturating_add(length).saturating_sub(value);
        let place = text.get_mut(read..read.saturating_add(value));
        if let (Some(place), Some(value)) = (place, buffer.get(..value)) {
            place.copy_from_slice(value);
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

fn copy(value: &[u8], buffer: &mut [u8; 8]) -> usize {
    for (to, from) in buffer.iter_mut().zip(value) {
        *to = *from;
    }
    value.len().min(buffer.len())
}
