//! What escapes stand for, as sets of flags.

use crate::bytes::class::{ByteTable, byte_table};
use crate::text::form::escaped_octet;

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
pub(super) const INCOMPLETE: u32 = 1 << 11;
/// What no encoder escapes: letters, digits, `-` and `.`; and NUL.
pub(super) const NEEDLESS: u32 = 1 << 12;

static OCTETS: ByteTable<u32> = byte_table!(|octet| match octet {
    b'<' => OPEN,
    b'&' => AMPERSAND,
    b':' => COLON,
    b'"' => QUOTE,
    b'\'' => APOSTROPHE,
    b'(' => PARENTHESIS,
    b'@' => AT,
    b'\\' => BACKSLASH,
    b'>' => CLOSE,
    0 | b'-' | b'.' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => NEEDLESS,
    0x80.. => BEYOND_ASCII,
    _ => 0,
});

/// The flags of the escape or raw byte that `text` begins with.
#[inline]
pub(super) fn flags(text: &[u8]) -> u32 {
    match text.first() {
        Some(b'%') => escaped_octet(text, 0).map_or(INCOMPLETE, |octet| OCTETS.of(octet)),
        Some(b'.') => DOT,
        Some(b'\'') => APOSTROPHE,
        _ => INCOMPLETE,
    }
}
