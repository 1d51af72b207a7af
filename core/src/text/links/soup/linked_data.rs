//! Documents in documents: the strings of linked data (`<script type=application/ld+json>`), each decoded once.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr;

use super::super::work;
use super::{Findings, Soup, SoupKind};
use crate::bytes::class::{HEX_VALUES, NO_DIGIT};

/// Reads each string of JSON as a document. `is_new` tells whether the string that begins at a position is new. If it was
/// read before, the rest was, too.
pub(super) fn read_strings(
    json: &[u8],
    written: &dyn Fn() -> Range<usize>,
    findings: &mut Findings<'_>,
    is_new: &mut dyn FnMut(usize) -> bool,
) {
    let mut from = 0;
    while let Some(found) = memchr(b'"', &json[from..]) {
        let begin = from + found + 1;
        if !is_new(begin) {
            return;
        }
        let mut end = begin;
        while end < json.len() && json[end] != b'"' {
            end += if json[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(json.len());
        from = json.len().min(end + 1);
        work::count(from - begin);
        let string = unescape(&json[begin..end]);
        Soup::inner(&string, written, true, SoupKind::Json).read(findings);
    }
}

/// A string of JSON without its escapes (RFC 8259, section 7).
fn unescape(string: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'\\', string).is_none() {
        return Cow::Borrowed(string);
    }
    let mut out = Vec::with_capacity(string.len());
    let mut rest = string;
    while let Some(at) = memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(unit) = code_unit(rest) {
            let low = code_unit(rest[UNIT..].strip_prefix(b"\\").unwrap_or_default());
            let pair = low.and_then(|low| {
                char::decode_utf16([unit, low])
                    .next()?
                    .ok()
                    .filter(|pair| *pair > '\u{ffff}')
            });
            let character = pair.or(char::from_u32(unit.into())).unwrap_or('\u{fffd}');
            rest = &rest[pair.map_or(UNIT, |_| 2 * UNIT + 1)..];
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let Some((first, after)) = rest.split_first() else {
            break;
        };
        out.push(match first {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            other => *other,
        });
        rest = after;
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// The length of the escape of a code unit, without its backslash.
const UNIT: usize = "uXXXX".len();

/// The code unit of an escape whose backslash is read.
fn code_unit(rest: &[u8]) -> Option<u16> {
    let digits = rest.strip_prefix(b"u")?.first_chunk::<4>()?;
    let [a, b, c, d] = digits.map(|digit| u16::from(HEX_VALUES.of(digit)));
    (a | b | c | d < NO_DIGIT.into()).then_some(a << 12 | b << 8 | c << 4 | d)
}
