//! Questions about sixty-four bytes at once, by vector instructions where there are some.

use wide::{CmpEq, CmpGt, CmpLt, i8x16, u8x16};

use super::super::span::tail;
use super::super::words::Word;

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
    let mut ordinary = i8x16::splat(-1);
    for part in parts {
        let bytes = i8x16::new(part.map(u8::cast_signed));
        let is = |byte: u8| bytes.cmp_eq(i8x16::splat(byte.cast_signed()));
        // A range takes one comparison when its first byte is shifted to the least signed number.
        let range = |bytes: i8x16, first: u8, length: i8| {
            let shift = i8::MIN.wrapping_sub(first.cast_signed());
            let end = i8::MIN.wrapping_add(length);
            (bytes + i8x16::splat(shift)).cmp_lt(i8x16::splat(end))
        };
        ordinary &= range(bytes | i8x16::splat(0x20), b'a', 26)
            | range(bytes, b'\'', 19)
            | is(b'%')
            | is(b'_');
    }
    // An exclamation mark is rarely left as it is.
    ordinary.move_mask() == 0xffff || block.iter().all(|byte| is_ordinary_byte(*byte))
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

/// How many of the first characters are those of a host that the URL standard leaves as it is. `None`: it may not leave
/// them, or there are too many, or too few follow, to tell at once.
#[inline]
pub(super) fn plain_host_length(text: &[u8]) -> Option<usize> {
    let (parts, _) = text.first_chunk::<BLOCK>()?.as_chunks::<16>();
    let (mut plain, mut dots, mut hyphens) = (0, 0, 0);
    for part in parts.iter().rev() {
        let bytes = i8x16::new(part.map(u8::cast_signed));
        let is = |byte: u8| bytes.cmp_eq(i8x16::splat(byte.cast_signed()));
        let range = |first: u8, last: u8| {
            bytes.cmp_gt(i8x16::splat(first.wrapping_sub(1).cast_signed()))
                & bytes.cmp_lt(i8x16::splat(last.wrapping_add(1).cast_signed()))
        };
        let bits = |found: i8x16| u64::from(found.move_mask().cast_unsigned() & 0xffff);
        let (dot, hyphen) = (is(b'.'), is(b'-'));
        plain = plain << 16 | bits(range(b'a', b'z') | range(b'0', b'9') | dot | hyphen);
        dots = dots << 16 | bits(dot);
        hyphens = hyphens << 16 | bits(hyphen);
    }
    let length = plain.trailing_ones();
    let host = 1_u64.checked_shl(length)?.wrapping_sub(1);
    // Two hyphens may be those of "xn--"; two dots have an empty label between them, as has one that begins the host.
    let odd = hyphens & hyphens >> 1 | dots & (dots >> 1 | 1);
    if odd & host != 0 {
        return None;
    }
    let last_label = (u64::BITS - (dots & host).leading_zeros()) as usize;
    // A last label that begins with a letter is no number, so the host no IPv4 address.
    text.get(last_label)
        .filter(|byte| last_label < length as usize && byte.is_ascii_lowercase())?;
    Some(length as usize)
}

/// How many bytes a name has that `window` begins with, up to one that is less than `0`, and the word of it.
#[inline]
pub(super) fn name(window: &[u8; 16]) -> (usize, Word) {
    // Ordinary integers, as what follows waits for the result: to move it out of a vector register takes long.
    let both = u128::from_le_bytes(*window);
    let first = both as u64;
    let (end, more) = (less(first), less((both >> u64::BITS) as u64));
    let length = if end == 0 {
        more.trailing_zeros().wrapping_add(u64::BITS)
    } else {
        end.trailing_zeros()
    };
    // All bits below the byte that is less.
    let mask = ((end & end.wrapping_neg()) >> 7).wrapping_sub(1);
    ((length / 8) as usize, Word::masked(first, mask))
}

const EACH: u64 = u64::from_ne_bytes([1; 8]);

/// For ASCII: the high bit of the first byte that is less than `0`. Bits of the bytes behind it may be wrong, as the
/// subtraction borrows from them.
#[inline]
const fn less(word: u64) -> u64 {
    word.wrapping_sub(EACH.wrapping_mul(0x30)) & !word & EACH.wrapping_mul(0x80)
}

/// How long the value is that `text` begins with and a `"` ends. `None`: it has an escape whose first digit is above `3`, or
/// few bytes follow it.
#[inline]
pub(super) fn plain_value_length(text: &[u8]) -> Option<usize> {
    // Most values are a word or a number.
    let found = less(u64::from_le_bytes(*text.first_chunk()?));
    if found != 0 {
        let length = (found.trailing_zeros() / 8) as usize;
        if text.get(length..)?.starts_with(b"%22") {
            return Some(length);
        }
    }
    let mut rest = text;
    loop {
        let window = rest.first_chunk::<{ 2 * LANES + 2 }>()?;
        let found = |window: &[u8; LANES + 2]| {
            let [signs, first, second] = triples(window)?;
            let is = |bytes: i8x16, byte: u8| bytes.cmp_eq(i8x16::splat(byte.cast_signed()));
            let found = is(signs, b'%')
                & (first.cmp_gt(i8x16::splat(b'3'.cast_signed()))
                    | is(first, b'2') & is(second, b'2'));
            Some(found.move_mask().cast_unsigned())
        };
        let found = found(window.first_chunk()?)? | found(window.last_chunk()?)? << LANES;
        if found != 0 {
            let rest = rest.get(found.trailing_zeros() as usize..)?;
            let length = text.len().wrapping_sub(rest.len());
            return matches!(rest, [_, b'2', ..]).then_some(length);
        }
        rest = rest.get(2 * LANES..)?;
    }
}

/// Whether a value that [`plain_value_length`] has measured may be CSS with a URL: it has a `(` or a `&`.
#[inline]
pub(super) fn may_hold_url(text: &[u8], mut at: usize, end: usize) -> bool {
    while at < end {
        let window = text
            .get(at..)
            .and_then(|rest| rest.first_chunk::<{ LANES + 2 }>());
        let Some([signs, first, second]) = window.and_then(triples) else {
            return true;
        };
        let is = |bytes: i8x16, byte: u8| bytes.cmp_eq(i8x16::splat(byte.cast_signed()));
        let found = is(signs, b'(')
            | is(signs, b'%') & is(first, b'2') & (is(second, b'6') | is(second, b'8'));
        let found = found.move_mask();
        if found != 0 {
            return at.wrapping_add(found.trailing_zeros() as usize) < end;
        }
        at = at.wrapping_add(LANES);
    }
    false
}

const LANES: usize = 16;

/// The bytes at which escapes may begin, those behind them, and those behind these.
#[inline]
fn triples(window: &[u8; LANES + 2]) -> Option<[i8x16; 3]> {
    let signs = window.first_chunk::<LANES>()?;
    let (_, after) = window.split_first()?;
    let first = after.first_chunk::<LANES>()?;
    let second = window.last_chunk::<LANES>()?;
    Some([signs, first, second].map(|bytes| i8x16::new(bytes.map(u8::cast_signed))))
}

/// Where the next byte at or after `at` is that is less than `0`: `%`, `+`, `/`, `'` and a few more. The text is ASCII.
#[inline]
pub(super) fn punctuation(text: &[u8], mut at: usize) -> usize {
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let less = less(u64::from_le_bytes(*word));
        if less != 0 {
            return at.wrapping_add((less.trailing_zeros() / 8) as usize);
        }
        at = at.wrapping_add(8);
    }
    let rest = tail(text, at);
    let length = rest.iter().position(|byte| *byte < b'0');
    at.saturating_add(length.unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::form::{Encoding, HtmlEncoding, detect};
    use crate::text::links::host::plain_host_start;

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
    fn the_length_of_a_name_is_told_as_byte_by_byte() {
        for byte in 0..=0x7f_u8 {
            for at in 0..16 {
                let mut window = [b'z'; 16];
                window[at] = byte;
                let expected = if byte < b'0' { at } else { 16 };
                let word = Word::new(*window.first_chunk().unwrap(), expected);
                assert_eq!(name(&window), (expected, word), "{byte} {at}");
                window[at..].fill(byte);
                let word = Word::new(*window.first_chunk().unwrap(), expected);
                assert_eq!(name(&window), (expected, word), "{byte} {at}");
            }
        }
    }

    #[test]
    fn the_end_of_a_value_and_what_is_in_it_are_told_wherever_they_are() {
        for at in 0..60 {
            let before = "x".repeat(at);
            let after = "x".repeat(2 * LANES);
            let text = alloc::format!("{before}%22{after}");
            assert_eq!(plain_value_length(text.as_bytes()), Some(at));
            assert!(!may_hold_url(text.as_bytes(), 0, at));
            let end = at.saturating_sub(3);
            for byte in 0..=u8::MAX {
                let text = alloc::format!("{before}%{byte:02X}x%22{after}");
                let expected = match byte {
                    b'"' => Some(at),
                    0..b'@' => Some(at + 4),
                    _ => None,
                };
                assert_eq!(plain_value_length(text.as_bytes()), expected, "{text}");
                let may_hold = may_hold_url(text.as_bytes(), 0, at + 4);
                assert_eq!(may_hold, matches!(byte, b'&' | b'('), "{text}");
                assert!(!may_hold_url(text.as_bytes(), 0, end), "{text}");
            }
            let text = alloc::format!("{before}(%22{after}");
            assert!(may_hold_url(text.as_bytes(), 0, at + 1));
            assert!(!may_hold_url(text.as_bytes(), 0, at));
        }
        assert_eq!(plain_value_length(b"x%22"), None);
        assert!(may_hold_url(b"xxxx", 0, 2));
    }

    #[test]
    fn the_length_of_a_plain_host_is_told_as_character_by_character() {
        for host in [
            "www.a.example",
            "a",
            "1.2.3.4",
            "a.5",
            "5.a",
            "a.",
            "a..b",
            ".a.b",
            "a.b..c",
            ".",
            "",
            "xn--a.example",
            "a-b.c-d.e-f",
            "a.-b",
            "-",
            "a---",
            "aB",
            "a_b.example",
            "a.example:80",
            "0123456789abcdef.0123456789abcdef.0123456789abcdef.0123456789abc",
        ] {
            for end in ["%2F", "%22", "%3Fa--b.5", "%40", "@--", "."] {
                let text = alloc::format!("{host}{end}{}", "%".repeat(BLOCK));
                let expected = plain_host_start(text.as_bytes());
                assert_eq!(plain_host_length(text.as_bytes()), expected, "{text}");
                assert_eq!(plain_host_length(host.as_bytes()), None);
            }
        }
        let long = "a".repeat(200);
        assert_eq!(plain_host_length(long.as_bytes()), None);
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
