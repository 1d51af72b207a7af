//! A fast path for the members of an object that are written as most programs write them.

use super::marks::Marks;
use super::value::{begins_text, narrow};
use super::{Reader, Shape, Value};
use crate::bytes::lanes::last_chunk;
use crate::wire::field::Field;
use crate::wire::object::Seen;

impl Reader<'_> {
    /// Reads ordinary members, from the opening quote of a name on. A member is ordinary if it is a field that was not
    /// `seen` before, its value is a scalar, and the only white space is a single space after a colon or a comma. Returns
    /// `true` if it stopped after a value, and `false` if it stopped before a member that is not ordinary.
    ///
    /// The body is known to be UTF-8. Strings with escapes are not checked: their fields are noted in `seen.escaped`, and the
    /// caller has to check them.
    pub(crate) fn plain_members<F: Field>(
        &mut self,
        marks: &mut Marks,
        seen: &mut Seen,
        values: &mut [Value],
    ) -> bool {
        match self.members::<F, 0>(marks, seen, values) {
            Stopped::AfterValue => true,
            Stopped::BeforeMember => false,
            Stopped::BeforeSpaced => {
                self.members::<F, 1>(marks, seen, values) == Stopped::AfterValue
            }
        }
    }

    /// [`Reader::plain_members`], fastest if `SPACES` spaces follow each colon and comma.
    ///
    /// It is a separate function so that all that it needs for a member fits into registers.
    #[inline(never)]
    fn members<F: Field, const SPACES: u32>(
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
                marks.look(bytes, open);
                continue;
            };
            // Here the lowest bit is the name's opening quote. Each step removes the lowest quote. The remaining bits
            // then begin with the name's closing quote, the text's opening quote and the text's closing quote.
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
            // A field that has a value already was read before, so this member is not ordinary.
            let slot = values.get_mut(field.index());
            let Some(slot) = slot.filter(|slot| !slot.is_there()) else {
                break Stopped::BeforeMember;
            };
            let is_other = marked.others & below_lowest(to_end) != 0;
            if to_end != 0 && is_before_text::<SPACES>(bytes, close) {
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
                break Stopped::AfterValue;
            };
            open = quote;
        };
        (seen.fields, seen.escaped) = (fields, escaped);
        self.at = open as usize;
        stopped
    }

    /// The scalar value after a colon, with white space in between; `None` if it is not one.
    #[inline(never)]
    fn other_scalar(&self, after_colon: usize) -> Option<Value> {
        // Flags are often numbers.
        if let Some([b'0'..=b'9', b',' | b'}']) = chunk_at(self.bytes, narrow(after_colon)) {
            let end = after_colon.wrapping_add(1);
            return Some(Value::new(Shape::Number, after_colon, end));
        }
        let mut reader = Self::at(self.bytes, after_colon);
        reader.skip_white_space();
        // The caller reads an ill-formed value again, and finds the error.
        reader.scalar().ok()
    }
}

/// Where [`Reader::members`] stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopped {
    AfterValue,
    /// Before a member that is not ordinary.
    BeforeMember,
    /// Before a member with a space after its colon.
    BeforeSpaced,
}

/// Four bytes as a number.
#[inline]
fn four(bytes: &[u8], at: u32) -> Option<u32> {
    chunk_at(bytes, at).map(|bytes| u32::from_le_bytes(*bytes))
}

/// Whether a name's closing quote, a colon and `SPACES` spaces are followed by a string whose first byte shows that it is
/// not blank. If so, the next quote opens that string.
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

/// Whether a closing quote, a comma and `SPACES` spaces are followed by the name of another member.
#[inline]
fn is_before_member<const SPACES: u32>(bytes: &[u8], last: u32) -> bool {
    let found = four(bytes, last);
    if SPACES == 0 {
        found.map(|found| found << 8 | 0x20) == Some(u32::from_le_bytes(*b" \",\""))
    } else {
        found == Some(u32::from_le_bytes(*b"\", \""))
    }
}

/// The offset of the next member's name, if a value ends at `end` and only a comma and at most one space are between them.
#[inline]
fn next_name(bytes: &[u8], end: u32) -> Option<u32> {
    match chunk_at(bytes, end)? {
        [b',', b'"', _] => Some(end.wrapping_add(1)),
        [b',', b' ', b'"'] => Some(end.wrapping_add(2)),
        _ => None,
    }
}

/// These bits without the lowest that is set.
#[inline]
fn without_lowest(bits: u64) -> u64 {
    bits & bits.wrapping_sub(1)
}

/// All bits below the lowest that is set; all bits when none is set.
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
