//! The octets of application/x-www-form-urlencoded values, sixteen bytes at a time.
//!
//! This is for speed alone: whoever sends a mail decodes its HTML, and byte by byte that takes longer than deciding the call.

use alloc::vec::Vec;

use wide::{CmpEq, CmpGt, CmpLt, i8x16, u8x16};

use crate::bytes::class::{HEX_VALUES, NO_DIGIT};
use crate::bytes::rest as tail;

/// How many bytes are looked at together.
const LANES: usize = 16;

/// The room that [`decode`] needs in its buffer, besides that for the input.
pub(super) const MORE: usize = LANES;

/// Decodes `input` into `out`, in place of what it holds: `+` is a space, `%XX` an octet, and a `%` without two hexadecimal
/// digits stays.
pub(super) fn decode(input: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.reserve(input.len() + MORE);
    let mut rest = input;
    while let Some(block) = rest.first_chunk() {
        let (octets, signs) = without_plus(block);
        out.extend_from_slice(octets.as_array_ref());
        // A step that does not wait for what was found, where nothing was.
        if signs == 0 {
            rest = tail(rest, LANES);
            continue;
        }
        // What follows a `%` is looked at once more, after the escape.
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

/// What the `%` stands for that a text begins with, and how many bytes there are for it.
#[inline]
fn octet_of_percent(text: &[u8]) -> (u8, usize) {
    escaped_octet(text).map_or((b'%', 1), |octet| (octet, 3))
}

/// The bytes with spaces for plus signs, and which of them are `%`, one bit each.
#[inline]
fn without_plus(block: &[u8; LANES]) -> (u8x16, u32) {
    let bytes = u8x16::new(*block);
    let signs = bytes.cmp_eq(u8x16::splat(b'%')).move_mask().cast_unsigned();
    let space = bytes.cmp_eq(u8x16::splat(b'+')) & u8x16::splat(b'+' ^ b' ');
    (bytes ^ space, signs)
}

/// The octet for which an escape stands that `text` begins with.
fn escaped_octet(text: &[u8]) -> Option<u8> {
    let [_, high, low] = text.first_chunk()?;
    let (high, low) = (HEX_VALUES.of(*high), HEX_VALUES.of(*low));
    ((high | low) < NO_DIGIT).then_some(high << 4 | low)
}

#[inline]
fn is(bytes: i8x16, byte: u8) -> i8x16 {
    bytes.cmp_eq(i8x16::splat(byte.cast_signed()))
}

/// Whether there is a byte that no URL encoder leaves as it is.
pub(super) fn has_unencoded(text: &[u8]) -> bool {
    let (blocks, last) = text.as_chunks::<{ 4 * LANES }>();
    let is_in = |bytes: &[u8]| bytes.iter().any(|byte| is_unencoded(*byte));
    blocks
        .iter()
        .any(|block| may_be_unencoded(block) && is_in(block))
        || is_in(last)
}

fn is_unencoded(byte: u8) -> bool {
    match byte {
        b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' => true,
        b'!'..=b'z' | b'~' => false,
        _ => true,
    }
}

/// Whether a byte of a block is unencoded, or a `~`.
#[inline]
fn may_be_unencoded(block: &[u8; 4 * LANES]) -> bool {
    let (parts, _) = block.as_chunks::<LANES>();
    let found = parts.iter().fold(i8x16::splat(0), |found, part| {
        let bytes = i8x16::new(part.map(u8::cast_signed));
        // `<`, `>`, `\`, `^` and `~` differ in the bits of `b` alone.
        let turned = is(bytes | i8x16::splat(b'b'.cast_signed()), b'~');
        let others = is(bytes, b'"') | is(bytes, b'`');
        // Bytes beyond ASCII are less than any of ASCII, as signed numbers.
        let outside = bytes.cmp_lt(i8x16::splat(b'!'.cast_signed()))
            | bytes.cmp_gt(i8x16::splat(b'z'.cast_signed()));
        found | turned | others | outside
    });
    found.move_mask() != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_that_no_encoder_leaves_is_noticed_wherever_it_is() {
        for byte in 0..=u8::MAX {
            for at in 0..70 {
                let mut text = [b'a'; 70];
                text[at] = byte;
                assert_eq!(has_unencoded(&text), is_unencoded(byte), "{byte} {at}");
            }
        }
    }
}
