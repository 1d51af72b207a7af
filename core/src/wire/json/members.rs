//! The members of an object, read quickly where they are written as most programs write them.

use super::marks::Marks;
use super::value::{begins_text, narrow};
use super::{Reader, Shape, Value};
use crate::bytes::lanes::last_chunk;
use crate::wire::field::Field;
use crate::wire::object::Seen;

impl Reader<'_> {
    /// Reads members as most programs write them, from the opening quote of a name on. Such a member is a field that
    /// was not `seen` before, its value is no object or array, and there is no white space but a space behind a colon
    /// or a comma. Gives whether it stopped behind a value; if not, it stopped before a member of another kind.
    ///
    /// With `IS_UTF8` the body is UTF-8, and strings with escapes are taken for well-formed: their fields are noted in
    /// `seen`, and the caller has to check them.
    pub(crate) fn plain_members<F: Field, const IS_UTF8: bool>(
        &mut self,
        marks: &mut Marks,
        seen: &mut Seen,
        values: &mut [Value],
    ) -> bool {
        match self.members::<F, IS_UTF8, 0>(marks, seen, values) {
            Stopped::BehindValue => true,
            Stopped::BeforeMember => false,
            Stopped::BeforeSpaced => {
                self.members::<F, IS_UTF8, 1>(marks, seen, values) == Stopped::BehindValue
            }
        }
    }

    /// [`Reader::plain_members`], quickest where `SPACES` spaces stand behind each colon and comma.
    ///
    /// A function of its own: what it needs for each member fits in registers.
    #[inline(never)]
    fn members<F: Field, const IS_UTF8: bool, const SPACES: u32>(
        &mut self,
        marks: &mut Marks,
        seen: &mut Seen,
        values: &mut [Value],
    ) -> Stopped {
        let bytes = self.bytes;
        let mut open = narrow(self.at);
        let (mut fields, mut escaped) = (seen.fields, seen.escaped);
        let stopped = loop {
            let Some(marked) = marks.from(open) else {
                marks.look::<IS_UTF8>(bytes, open);
                continue;
            };
            // The quotes of the name and of the text, without those that were passed: the name's first is here.
            let to_name = without_lowest(marked.quotes);
            let to_text = without_lowest(to_name);
            let to_end = without_lowest(to_text);
            let length = to_name.trailing_zeros();
            let close = open.wrapping_add(length);
            let last;
            let chunk = match chunk_at(bytes, open) {
                Some(chunk) => chunk,
                None => {
                    last = last_chunk(bytes, open as usize);
                    &last
                }
            };
            let Some((field, is_alias)) = F::find_quoted(chunk, length) else {
                break Stopped::BeforeMember;
            };
            // The value of a field that was read before is there.
            let slot = values.get_mut(field.index());
            let Some(slot) = slot.filter(|slot| !slot.is_there()) else {
                break Stopped::BeforeMember;
            };
            let is_other = marked.others & below_lowest(to_end) != 0;
            if to_end != 0 && is_before_text::<SPACES>(bytes, close) && (IS_UTF8 || !is_other) {
                let start = close.wrapping_add(2 + SPACES);
                let last = open.wrapping_add(to_end.trailing_zeros());
                let end = last.wrapping_add(1);
                slot.set_text(start, end, is_other, is_alias);
                fields |= bit(field);
                escaped |= if is_other { bit(field) } else { 0 };
                open = end;
                if is_before_member::<SPACES>(bytes, last) {
                    open = end.wrapping_add(1 + SPACES);
                    continue;
                }
            } else {
                let value = match chunk_at(bytes, close) {
                    Some([_, b':', b' ']) if SPACES == 0 => break Stopped::BeforeSpaced,
                    Some([_, b':', _]) => self.other_scalar(close as usize + 2),
                    _ => None,
                };
                let Some(value) = value else {
                    break Stopped::BeforeMember;
                };
                *slot = value;
                slot.is_alias = is_alias;
                fields |= bit(field);
                seen.escaped = escaped;
                seen.note(bit(field), value);
                escaped = seen.escaped;
                open = narrow(value.span().end);
            }
            let Some(quote) = next_name(bytes, open) else {
                break Stopped::BehindValue;
            };
            open = quote;
        };
        (seen.fields, seen.escaped) = (fields, escaped);
        self.at = open as usize;
        stopped
    }

    /// A value after a colon, white space in between, if it is no object or array.
    #[inline(never)]
    fn other_scalar(&self, after_colon: usize) -> Option<Value> {
        // Flags are often numbers.
        if let Some([b'0'..=b'9', b',' | b'}']) = chunk_at(self.bytes, narrow(after_colon)) {
            let end = after_colon.wrapping_add(1);
            return Some(Value::new(Shape::Number, after_colon, end));
        }
        let mut reader = Self::at(self.bytes, after_colon);
        reader.skip_white_space();
        // An error is found again by the caller, who goes on from here.
        reader.scalar().ok()
    }
}

/// Where [`Reader::members`] stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopped {
    BehindValue,
    BeforeMember,
    /// Before a member with a space behind its colon.
    BeforeSpaced,
}

/// Four bytes as a number.
#[inline]
fn four(bytes: &[u8], at: u32) -> Option<u32> {
    chunk_at(bytes, at).map(|bytes| u32::from_le_bytes(*bytes))
}

/// Whether a text begins behind a name's closing quote, a colon and `SPACES` spaces, and its first byte shows that it is not
/// blank. If so, its quote is the next.
#[inline]
fn is_before_text<const SPACES: u32>(bytes: &[u8], close: u32) -> bool {
    let (found, first) = if SPACES == 0 {
        let found = four(bytes, close);
        let first = found.map(|found| (found >> 24) as u8);
        (found.map(|found| found << 8 | 0x20), first)
    } else {
        let first = bytes.get(close as usize + 4).copied();
        (four(bytes, close), first)
    };
    let awaited = if SPACES == 0 { b" \":\"" } else { b"\": \"" };
    found == Some(u32::from_le_bytes(*awaited)) && first.is_some_and(begins_text)
}

/// Whether a text ends here, and the name of another member follows behind a comma and `SPACES` spaces.
#[inline]
fn is_before_member<const SPACES: u32>(bytes: &[u8], last: u32) -> bool {
    let found = four(bytes, last);
    if SPACES == 0 {
        found.map(|found| found << 8 | 0x20) == Some(u32::from_le_bytes(*b" \",\""))
    } else {
        found == Some(u32::from_le_bytes(*b"\", \""))
    }
}

/// Where the next member's name begins behind a value's end, if there is no white space but a space.
#[inline]
fn next_name(bytes: &[u8], end: u32) -> Option<u32> {
    match chunk_at(bytes, end)? {
        [b',', b'"', _] => Some(end.wrapping_add(1)),
        [b',', b' ', b'"'] => Some(end.wrapping_add(2)),
        _ => None,
    }
}

/// Without its lowest bit.
#[inline]
fn without_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

/// The bits below the lowest of these; all when there is none.
#[inline]
fn below_lowest(bits: u64) -> u64 {
    !bits & bits.wrapping_sub(1)
}

/// The bit of a field.
#[inline]
fn bit<F: Field>(field: F) -> u64 {
    1 << (field.index() % 64)
}

/// `N` bytes from `at` on. `at` is narrower than a `usize`, so its sum with `N` needs no check for overflow.
#[inline]
fn chunk_at<const N: usize>(bytes: &[u8], at: u32) -> Option<&[u8; N]> {
    let at = at as usize;
    bytes.get(at..at + N)?.first_chunk()
}
