//! The octets of application/x-www-form-urlencoded values, sixteen bytes at a time.
//!
//! This exists only for speed: the HTML of each request is decoded before its links are looked for.
//! `docs/performance.md` says what this saves.

use alloc::vec::Vec;

use wide::u8x16;

use crate::bytes::class::{HEX_VALUES, NO_DIGIT};
use crate::bytes::lanes::LANES;
use crate::bytes::rest as tail;

/// The capacity that [`decode`] needs in its buffer beyond the length of the input.
pub(super) const EXTRA_CAPACITY: usize = LANES;

/// Decodes `input` into `out`, whose contents are overwritten: `+` is a space, `%XX` an octet, and a `%` without two
/// hexadecimal digits stays.
pub(super) fn decode(input: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.reserve(input.len() + EXTRA_CAPACITY);
    let mut rest = input;
    while let Some(block) = rest.first_chunk() {
        let (octets, signs) = without_plus(block);
        out.extend_from_slice(octets.as_array_ref());
        // Without a `%`, the length of the step does not depend on the bytes, so the processor need not wait for them.
        if signs == 0 {
            rest = tail(rest, LANES);
            continue;
        }
        // The bytes from the first `%` on are dropped again. Those after the escape are decoded in the next step.
        let plain = signs.trailing_zeros() as usize;
        out.truncate(out.len() + plain - LANES);
        rest = tail(rest, plain);
        while rest.first() == Some(&b'%') {
            let (octet, length) = octet_of_percent(rest);
            out.push(octet);
            rest = tail(rest, length);
        }
    }
    while let Some(first) = rest.first() {
        let (octet, length) = match first {
            b'%' => octet_of_percent(rest),
            b'+' => (b' ', 1),
            octet => (*octet, 1),
        };
        out.push(octet);
        rest = tail(rest, length);
    }
}

/// The octet that the `%` at the start of a text stands for, and the number of bytes that spell it.
#[inline]
fn octet_of_percent(text: &[u8]) -> (u8, usize) {
    if let Some([_, high, low]) = text.first_chunk::<3>() {
        let (high, low) = (HEX_VALUES.of(*high), HEX_VALUES.of(*low));
        if (high | low) < NO_DIGIT {
            return (high << 4 | low, 3);
        }
    }
    (b'%', 1)
}

/// The bytes with plus signs replaced by spaces, and a mask with one bit for each `%`.
#[inline]
fn without_plus(block: &[u8; LANES]) -> (u8x16, u32) {
    let bytes = u8x16::new(*block);
    let signs = bytes.cmp_eq(u8x16::splat(b'%')).move_mask().cast_unsigned();
    let space = bytes.cmp_eq(u8x16::splat(b'+')) & u8x16::splat(b'+' ^ b' ');
    (bytes ^ space, signs)
}

/// Whether there is a byte that no URL encoder leaves as it is.
pub(super) fn has_unencoded(text: &[u8]) -> bool {
    // Every byte of a block is looked at, without a branch, so that the compiler uses vector instructions.
    let is_in = |block: &[u8]| {
        block
            .iter()
            .fold(false, |found, byte| found | is_unencoded(*byte))
    };
    let (blocks, last) = text.as_chunks::<{ 4 * LANES }>();
    blocks.iter().any(|block| is_in(block)) || is_in(last)
}

#[inline]
const fn is_unencoded(byte: u8) -> bool {
    let is_sign = (byte == b'"') | (byte == b'\\') | (byte == b'^') | (byte == b'`');
    is_sign | (byte == b'<') | (byte == b'>') | (byte < b'!') | ((byte > b'z') & (byte != b'~'))
}

#[cfg(test)]
mod tests;
