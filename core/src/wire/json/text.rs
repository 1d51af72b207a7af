//! What stands between a string's quotes, as characters.

use alloc::string::String;
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
            b'\\' => self.escaped(start)?,
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

impl Characters<'_> {
    fn escaped(&self, start: usize) -> Option<(char, usize)> {
        let character = match self.raw.get(start.saturating_add(1))? {
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = hex_unit(self.raw, start)?;
                if !(0xd800..0xdc00).contains(&unit) {
                    return Some((char::from_u32(unit)?, 6));
                }
                let low = hex_unit(self.raw, start.saturating_add(6))?;
                let code_point = 0x1_0000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
                return Some((char::from_u32(code_point)?, 12));
            }
            other => *other as char,
        };
        Some((character, 2))
    }
}

/// The text of the bytes between a string's quotes.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let mut text = String::with_capacity(raw.len());
    unescape_into(&mut text, raw);
    text
}

/// Appends the text of the bytes between a string's quotes.
pub(crate) fn unescape_into(text: &mut String, raw: &[u8]) {
    let mut rest = raw;
    while let Some(plain) = memchr::memchr(b'\\', rest) {
        let (before, escape) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
        text.push_str(core::str::from_utf8(before).unwrap_or_default());
        let mut characters = Characters::new(escape);
        let Some((used, character)) = characters.next() else {
            break;
        };
        text.push(character);
        rest = escape.get(used.end..).unwrap_or_default();
    }
    text.push_str(core::str::from_utf8(rest).unwrap_or_default());
}

/// Whether the bytes between a string's quotes are nothing but white space (Unicode White_Space).
pub(super) fn is_blank(raw: &[u8]) -> bool {
    Characters::new(raw).all(|(_, character)| character.is_whitespace())
}

/// The UTF-16 unit of `\uXXXX` at `at`.
pub(super) fn hex_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let rest = bytes.get(at..)?;
    let digits = rest.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0_u32, |unit, byte| {
        Some(unit << 4 | (*byte as char).to_digit(16)?)
    })
}
