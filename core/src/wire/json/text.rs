//! What stands between a string's quotes, as characters.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The characters of the bytes between a string's quotes, each with its own bytes. Reads what a [`Reader`] accepted.
#[derive(Clone, Debug)]
pub(crate) struct Characters<'b> {
    raw: &'b [u8],
    at: usize,
}

impl<'b> Characters<'b> {
    pub(crate) fn new(raw: &'b [u8]) -> Self {
        Self { raw, at: 0 }
    }
}

impl Iterator for Characters<'_> {
    type Item = (Range<usize>, char);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at;
        let first = *self.raw.get(start)?;
        let (character, length) = match first {
            b'\\' => escaped(self.raw, start)?,
            0..0x80 => (first as char, 1),
            _ => {
                let length = match first {
                    0xc0..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    _ => 4,
                };
                let bytes = self.raw.get(start..start.saturating_add(length))?;
                (core::str::from_utf8(bytes).ok()?.chars().next()?, length)
            }
        };
        self.at = start.saturating_add(length);
        Some((start..self.at, character))
    }
}

/// The character of the escape at `start`, and its length.
fn escaped(raw: &[u8], start: usize) -> Option<(char, usize)> {
    let character = match raw.get(start.saturating_add(1))? {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let unit = hex_unit(raw, start)?;
            if !(0xd800..0xdc00).contains(&unit) {
                return Some((char::from_u32(unit)?, 6));
            }
            let low = hex_unit(raw, start.saturating_add(6))?;
            let code_point = 0x1_0000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
            return Some((char::from_u32(code_point)?, 12));
        }
        other => *other as char,
    };
    Some((character, 2))
}

/// The text of the bytes between a string's quotes.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let mut text = Vec::with_capacity(raw.len());
    unescape_into(&mut text, raw);
    String::from_utf8(text).unwrap_or_default()
}

/// Appends the text of the bytes between a string's quotes, as UTF-8: checking that, if need be, is quicker for the whole.
pub(crate) fn unescape_into(text: &mut Vec<u8>, raw: &[u8]) {
    let mut rest = raw;
    // Mostly there are but a few bytes between escapes.
    while let Some(plain) = rest.iter().position(|byte| *byte == b'\\') {
        let (before, escape) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
        text.extend_from_slice(before);
        let Some((character, length)) = escaped(escape, 0) else {
            break;
        };
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => text.push(byte),
            _ => text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        rest = escape.get(length..).unwrap_or_default();
    }
    text.extend_from_slice(rest);
}

/// Whether the bytes between a string's quotes are nothing but white space (Unicode White_Space).
pub(super) fn is_blank(raw: &[u8]) -> bool {
    Characters::new(raw).all(|(_, character)| character.is_whitespace())
}

/// What each byte stands for as a hexadecimal digit; more than four bits for none.
const HEX: [u8; 256] = {
    let mut digits = [u8::MAX; 256];
    let mut byte = 0_usize;
    while let (Some((_, [digit, ..])), true) = (digits.split_at_mut_checked(byte), byte < 256) {
        if let Some(value) = (byte as u8 as char).to_digit(16) {
            *digit = value as u8;
        }
        byte += 1;
    }
    digits
};

/// The UTF-16 unit of `\uXXXX` at `at`.
pub(super) fn hex_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(at..)?.first_chunk::<6>()? else {
        return None;
    };
    let [a, b, c, d] =
        digits.map(|byte| u32::from(*HEX.get(usize::from(byte)).unwrap_or(&u8::MAX)));
    (a | b | c | d < 16).then_some(a << 12 | b << 8 | c << 4 | d)
}
