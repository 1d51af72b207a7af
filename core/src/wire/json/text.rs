//! What stands between a string's quotes, as characters.

use alloc::string::String;
use alloc::vec;
use core::ops::Range;

use super::Reader;
use crate::wire::lanes::{LANES, Lanes};

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

/// The text of the bytes between a string's quotes, which a [`Reader`] accepted.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let mut text = vec![0; raw.len().saturating_add(UNESCAPE_ROOM)];
    let length = unescape_to(&mut text, 0, raw, 0..raw.len()).unwrap_or_default();
    text.truncate(length);
    String::from_utf8(text).unwrap_or_default()
}

/// What [`unescape_to`] needs behind the text.
pub(crate) const UNESCAPE_ROOM: usize = LANES;

/// Writes the text of a string, as UTF-8, into `out` at `to`, where there is room for what stands between the quotes, in
/// `content` of `bytes`, and for [`UNESCAPE_ROOM`] more. Gives where the text ends, or `None` if that is no string's.
///
/// Written so that the processor has little to guess: texts are copied in whole chunks, and all escapes of one UTF-16
/// unit are the same to it.
pub(crate) fn unescape_to(
    out: &mut [u8],
    to: usize,
    bytes: &[u8],
    content: Range<usize>,
) -> Option<usize> {
    let (mut at, mut to) = (content.start, to);
    loop {
        let last;
        let chunk = match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(chunk) => chunk,
            None => {
                last = last_chunk(bytes, at);
                &last
            }
        };
        *out.get_mut(to..)?.first_chunk_mut()? = *chunk;
        let stops = Lanes::of(chunk).no_text() | 1 << LANES;
        let plain = stops.trailing_zeros() as usize;
        let left = content.end.checked_sub(at)?;
        if left <= plain {
            return Some(to.wrapping_add(left));
        }
        at = at.wrapping_add(plain);
        to = to.wrapping_add(plain);
        if plain == LANES {
            continue;
        }
        let (utf8, written, length) = match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(escape) => unit(escape),
            None => None,
        }
        .or_else(|| other_escape(bytes, at))?;
        *out.get_mut(to..)?.first_chunk_mut()? = utf8;
        to = to.wrapping_add(written);
        at = at.wrapping_add(length);
    }
}

/// The last bytes from `at` on, fewer than a chunk, and nothing behind them.
#[inline(never)]
fn last_chunk(bytes: &[u8], at: usize) -> [u8; LANES] {
    let mut chunk = [0; LANES];
    let rest = bytes.get(at..).unwrap_or_default();
    for (to, from) in chunk.iter_mut().zip(rest) {
        *to = *from;
    }
    chunk
}

/// Of an escape that stands for one UTF-16 unit which is a character: its UTF-8, and how many bytes that and the escape
/// have.
#[inline]
fn unit(escape: &[u8; 6]) -> Option<([u8; 4], usize, usize)> {
    let [b'\\', kind, digits @ ..] = escape else {
        return None;
    };
    let is_unicode = *kind == b'u';
    let point = if is_unicode {
        hex(*digits)
    } else {
        u32::from(*SHORT.get(usize::from(*kind))?)
    };
    if point > 0xffff || (0xd800..0xe000).contains(&point) {
        return None;
    }
    let last = |byte: u32| 0x80 | byte & 0x3f;
    let (utf8, length) = match point {
        0..0x80 => (point, 1),
        0x80..0x800 => (0xc0 | point >> 6 | last(point) << 8, 2),
        _ => (
            0xe0 | point >> 12 | last(point >> 6) << 8 | last(point) << 16,
            3,
        ),
    };
    Some((utf8.to_le_bytes(), length, if is_unicode { 6 } else { 2 }))
}

/// Any escape, as [`unit`] gives it; `None` for what is none.
#[inline(never)]
fn other_escape(bytes: &[u8], at: usize) -> Option<([u8; 4], usize, usize)> {
    if bytes.get(at) != Some(&b'\\') {
        return None;
    }
    Reader::at(bytes, at).escape().ok()?;
    let (character, length) = escaped(bytes, at)?;
    let mut utf8 = [0; 4];
    let written = character.encode_utf8(&mut utf8).len();
    Some((utf8, written, length))
}

/// What the escapes of one letter stand for; half a character for none.
const SHORT: [u16; 256] = {
    let mut short = [0; 256];
    let mut byte = 0_usize;
    while let (Some((_, [slot, ..])), true) = (short.split_at_mut_checked(byte), byte < 256) {
        *slot = match byte as u8 {
            b'b' => 0x8,
            b'f' => 0xc,
            b'n' => 0xa,
            b'r' => 0xd,
            b't' => 0x9,
            b'"' | b'\\' | b'/' => byte as u16,
            _ => 0xd800,
        };
        byte += 1;
    }
    short
};

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
    Some(hex(*digits)).filter(|unit| *unit < 0x1_0000)
}

/// The number that four hexadecimal digits stand for, or more than they could.
#[inline]
fn hex(digits: [u8; 4]) -> u32 {
    let [a, b, c, d] =
        digits.map(|byte| u32::from(*HEX.get(usize::from(byte)).unwrap_or(&u8::MAX)));
    let is_wrong = u32::from(a | b | c | d > 0xf);
    a << 12 | b << 8 | c << 4 | d | is_wrong << 16
}
