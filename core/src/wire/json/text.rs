//! The content of a string, as characters.

use alloc::string::String;
use alloc::vec;
use core::ops::Range;

use crate::bytes::class::{HEX_VALUES, NO_DIGIT};
use crate::bytes::lanes::{LANES, Lanes, last_chunk};

/// The characters of a string, each with its bytes. `raw` has the bytes between the quotes, which a [`super::Reader`] has
/// accepted.
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
                let bytes = self.raw.get(start..start + length)?;
                (core::str::from_utf8(bytes).ok()?.chars().next()?, length)
            }
        };
        self.at = start + length;
        Some((start..self.at, character))
    }
}

/// The character of the escape at `start`, and the length of the escape; `None` when it is not valid.
#[inline]
pub(super) fn escaped(raw: &[u8], start: usize) -> Option<(char, usize)> {
    let [b'\\', letter] = raw.get(start..)?.first_chunk()? else {
        return None;
    };
    if *letter != b'u' {
        return Some((char::from_u32(short(*letter))?, 2));
    }
    let unit = hex_unit(raw, start)?;
    match char::from_u32(unit) {
        Some(character) => Some((character, 6)),
        None => Some((surrogates(unit, raw, start)?, 12)),
    }
}

/// The character of the surrogate at `start` and the one after it; `None` when they are not a pair.
#[cold]
fn surrogates(high: u32, raw: &[u8], start: usize) -> Option<char> {
    let low = hex_unit(raw, start + 6)?;
    let is_pair = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
    let code_point = 0x1_0000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
    char::from_u32(code_point).filter(|_| is_pair)
}

/// The text of a string, from the bytes between its quotes, which a [`super::Reader`] has accepted. Any other bytes give an
/// empty text.
pub(crate) fn unescape(raw: &[u8]) -> String {
    let mut text = vec![0; raw.len() + UNESCAPE_PADDING];
    let length = unescape_to(&mut text, 0, raw, 0..raw.len()).unwrap_or_default();
    text.truncate(length);
    String::from_utf8(text).unwrap_or_default()
}

/// The number of bytes that [`unescape_to`] needs after the text.
pub(crate) const UNESCAPE_PADDING: usize = LANES;

/// Writes the text of a string, as UTF-8, into `out` at `to`. Returns the end of the text, or `None` when it is not a valid
/// string.
///
/// `content` is the place in `bytes` of the string without its quotes. `out` needs the length of `content` after `to`,
/// and [`UNESCAPE_PADDING`] bytes more: texts are copied in whole chunks, because the branch at the end of a loop over
/// bytes is mispredicted.
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
        let (character, length) = escaped(bytes, at)?;
        let mut utf8 = [0; 4];
        let written = character.encode_utf8(&mut utf8).len();
        *out.get_mut(to..)?.first_chunk_mut()? = utf8;
        to = to.wrapping_add(written);
        at = at.wrapping_add(length);
    }
}

/// The character of the escape with this letter (RFC 8259, section 7), or [`NONE`].
#[inline]
fn short(letter: u8) -> u32 {
    match letter {
        b'b' => 0x8,
        b'f' => 0xc,
        b'n' => 0xa,
        b'r' => 0xd,
        b't' => 0x9,
        b'"' | b'\\' | b'/' => letter.into(),
        _ => NONE,
    }
}

/// Not an escape: a lone surrogate, which is not a character.
const NONE: u32 = 0xd800;

/// Whether a string has only white space (Unicode White_Space). `raw` has the bytes between its quotes.
pub(super) fn is_blank(raw: &[u8]) -> bool {
    Characters::new(raw).all(|(_, character)| character.is_whitespace())
}

/// The UTF-16 code unit of the escape `\uXXXX` at `at`; `None` when there is none.
#[inline]
pub(super) fn hex_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let [b'\\', b'u', digits @ ..] = bytes.get(at..)?.first_chunk::<6>()? else {
        return None;
    };
    let [a, b, c, d] = digits.map(|byte| u32::from(HEX_VALUES.of(byte)));
    (a | b | c | d < NO_DIGIT.into()).then_some(a << 12 | b << 8 | c << 4 | d)
}
