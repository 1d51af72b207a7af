//! Questions about sixty-four bytes at once, by vector instructions where there are some.

use wide::{CmpEq, CmpGt, CmpLt, i8x16, u8x16};

/// How many bytes are looked at together: one bit for each fits in a `u64`.
pub(super) const BLOCK: usize = u64::BITS as usize;

/// Whether every byte of `text` is one that encoders of forms leave as it is or write for an octet: nothing that could
/// be markup, nothing that would make the text a plain one.
pub(super) fn is_ordinary(text: &[u8]) -> bool {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    blocks.iter().all(is_ordinary_block) && rest.iter().all(|byte| is_ordinary_byte(*byte))
}

const fn is_ordinary_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'%' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b'-' | b'.' | b'/' | b'_' | b'!'
        )
}

#[inline]
fn is_ordinary_block(block: &[u8; BLOCK]) -> bool {
    let (parts, _) = block.as_chunks::<16>();
    let mut odd = i8x16::splat(0);
    for part in parts {
        // Compared as signed numbers, bytes beyond ASCII are less than any other.
        let bytes = i8x16::new(part.map(u8::cast_signed));
        let below = |byte: u8| bytes.cmp_lt(i8x16::splat(byte.cast_signed()));
        let above = |byte: u8| bytes.cmp_gt(i8x16::splat(byte.cast_signed()));
        let is = |byte: u8| bytes.cmp_eq(i8x16::splat(byte.cast_signed()));
        // Shifted so that the first is the least of all numbers, a range has one end.
        let range = |first: u8, length: i8| {
            let shift = i8::MIN.wrapping_sub(first.cast_signed());
            let end = i8::MIN.wrapping_add(length);
            (bytes + i8x16::splat(shift)).cmp_lt(i8x16::splat(end))
        };
        odd = odd
            | (below(b'%') ^ is(b'!'))
            | is(b'&')
            | range(b':', 7)
            | range(b'[', 4)
            | is(b'`')
            | above(b'z');
    }
    odd.move_mask() == 0
}

/// The bytes of a block that are `%`, `.` or `'`, as bits: the first byte is the lowest bit.
#[inline]
pub(super) fn marks(block: &[u8; BLOCK]) -> u64 {
    let (parts, _) = block.as_chunks::<16>();
    parts.iter().rev().fold(0, |bits, part| {
        let bytes = u8x16::new(*part);
        let found = bytes.cmp_eq(u8x16::splat(b'%'))
            | bytes.cmp_eq(u8x16::splat(b'.'))
            | bytes.cmp_eq(u8x16::splat(b'\''));
        bits << 16 | u64::from(found.move_mask().cast_unsigned() & 0xffff)
    })
}

/// Where the next byte at or after `at` is that is less than `0`: `%`, `+`, `/`, `'` and a few more. The text is ASCII.
#[inline]
pub(super) fn punctuation(text: &[u8], mut at: usize) -> usize {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*word);
        // A byte that is less borrows, which spoils those above it but none below.
        let less = word.wrapping_sub(EACH.wrapping_mul(0x30)) & !word & EACH.wrapping_mul(0x80);
        if less != 0 {
            return at.wrapping_add((less.trailing_zeros() / 8) as usize);
        }
        at = at.wrapping_add(8);
    }
    let rest = text.get(at..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte < b'0');
    at.saturating_add(length.unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::form::{Encoding, HtmlEncoding, detect};

    #[test]
    fn every_byte_at_every_place_is_told_as_byte_by_byte() {
        for byte in 0..=u8::MAX {
            for at in 0..BLOCK {
                let mut block = [b'a'; BLOCK];
                block[at] = byte;
                let mark = u64::from(matches!(byte, b'%' | b'.' | b'\'')) << at;
                assert_eq!(marks(&block), mark, "{byte} {at}");
                assert_eq!(is_ordinary(&block), is_ordinary_byte(byte), "{byte} {at}");
            }
        }
    }

    #[test]
    fn the_first_punctuation_is_found_wherever_it_is() {
        for byte in 0..=0x7f_u8 {
            for at in 0..20 {
                let mut text = [b'0'; 20];
                text[at] = byte;
                let expected = if byte < b'0' { at } else { 20 };
                assert_eq!(punctuation(&text, 0), expected, "{byte} {at}");
                text[at..].fill(byte);
                assert_eq!(punctuation(&text, 0), expected, "{byte} {at}");
            }
        }
    }

    #[test]
    fn an_ordinary_text_is_never_a_plain_one() {
        for byte in 0..=0x7f_u8 {
            let text = [b'a', byte, b'a'];
            if is_ordinary(&text) {
                let text = core::str::from_utf8(&text).unwrap();
                assert_eq!(detect(text, HtmlEncoding::Detect), Encoding::Form, "{byte}");
            }
        }
    }
}
