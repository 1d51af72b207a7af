//! What escapes stand for, as sets of flags: a table for either digit, and what both have in common holds.

/// `<`
pub(super) const OPEN: u32 = 1;
/// `&`
pub(super) const AMPERSAND: u32 = 1 << 1;
/// `:`
pub(super) const COLON: u32 = 1 << 2;
/// `"`
pub(super) const QUOTE: u32 = 1 << 3;
/// `'`, raw or escaped.
pub(super) const APOSTROPHE: u32 = 1 << 4;
/// `(`
pub(super) const PARENTHESIS: u32 = 1 << 5;
/// `@`
pub(super) const AT: u32 = 1 << 6;
/// `\`
pub(super) const BACKSLASH: u32 = 1 << 7;
/// A part of a character beyond ASCII.
pub(super) const BEYOND_ASCII: u32 = 1 << 8;
/// A raw full stop.
pub(super) const DOT: u32 = 1 << 9;
/// `>`
pub(super) const CLOSE: u32 = 1 << 10;
/// No escape: a digit is missing.
pub(super) const INCOMPLETE: u32 = 0b11 << 11;
/// What no encoder escapes: letters, digits, `-` and `.`; and NUL.
pub(super) const NEEDLESS: u32 = 0b11111 << 13;

/// The flags of octets with this first digit.
pub(super) const HIGH: [u32; 256] = table(true);
/// The flags of octets with this second digit.
pub(super) const LOW: [u32; 256] = table(false);

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn table(high: bool) -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match char::to_digit(byte as u8 as char, 16) {
            Some(digit) if high => high_flags(digit),
            Some(digit) => low_flags(digit),
            None => INCOMPLETE,
        };
        byte += 1;
    }
    table
}

const fn high_flags(digit: u32) -> u32 {
    // With the other digit missing.
    let missing = 1 << 11;
    missing
        | match digit {
            0 => 1 << 13,
            2 => AMPERSAND | QUOTE | APOSTROPHE | PARENTHESIS | 1 << 14,
            3 => OPEN | COLON | CLOSE | 1 << 15,
            4 => AT | 1 << 16,
            5 => BACKSLASH | 1 << 17,
            6 => 1 << 16,
            7 => 1 << 17,
            8.. => BEYOND_ASCII,
            _ => 0,
        }
}

const fn low_flags(digit: u32) -> u32 {
    let missing = 1 << 12;
    let digits = if digit <= 9 { 1 << 15 } else { 0 };
    let first_letters = if digit > 0 { 1 << 16 } else { 0 };
    let last_letters = if digit <= 10 { 1 << 17 } else { 0 };
    missing
        | BEYOND_ASCII
        | digits
        | first_letters
        | last_letters
        | match digit {
            0 => AT | 1 << 13,
            2 => QUOTE,
            6 => AMPERSAND,
            7 => APOSTROPHE,
            8 => PARENTHESIS,
            10 => COLON,
            12 => OPEN | BACKSLASH,
            13 => 1 << 14,
            14 => CLOSE | 1 << 14,
            _ => 0,
        }
}

/// The flags of the escape or raw byte that `text` begins with.
#[inline]
pub(super) fn flags(text: &[u8]) -> u32 {
    match text {
        [b'%', high, low, ..] => match (HIGH.get(usize::from(*high)), LOW.get(usize::from(*low))) {
            (Some(high), Some(low)) => high & low,
            _ => INCOMPLETE,
        },
        [b'.', ..] => DOT,
        [b'\'', ..] => APOSTROPHE,
        _ => INCOMPLETE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::form::escaped_octet;

    #[test]
    fn the_flags_of_every_escape_are_those_of_its_octet() {
        for first in 0..=u8::MAX {
            for second in 0..=u8::MAX {
                let text = [b'%', first, second];
                let expected = match escaped_octet(&text, 0) {
                    None => {
                        assert_ne!(flags(&text) & INCOMPLETE, 0, "{text:?}");
                        assert_eq!(flags(&text) & !(INCOMPLETE), 0, "{text:?}");
                        continue;
                    }
                    Some(b'<') => OPEN,
                    Some(b'>') => CLOSE,
                    Some(b'&') => AMPERSAND,
                    Some(b':') => COLON,
                    Some(b'"') => QUOTE,
                    Some(b'\'') => APOSTROPHE,
                    Some(b'(') => PARENTHESIS,
                    Some(b'@') => AT,
                    Some(b'\\') => BACKSLASH,
                    Some(0x80..) => BEYOND_ASCII,
                    Some(_) => 0,
                };
                let octet = escaped_octet(&text, 0).unwrap();
                let found = flags(&text);
                assert_eq!(found & !NEEDLESS, expected, "{text:?}");
                let needless = matches!(octet, 0 | b'-' | b'.') || octet.is_ascii_alphanumeric();
                assert_eq!(found & NEEDLESS != 0, needless, "{octet:x}");
            }
        }
    }
}
