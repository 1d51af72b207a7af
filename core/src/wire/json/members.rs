//! The members of an object, read quickly where they are written as most programs write them.

use super::{Reader, Shape, Value};
use crate::wire::field::Field;
use crate::wire::lanes::{BLOCK, no_plain_ascii};
use crate::wire::object::Seen;

impl Reader<'_> {
    /// From the opening quote of a member's name on: reads members as most are, and gives whether it stopped behind a
    /// value, or else before a member that is none of these. They are fields, not `seen` before, written without white
    /// space but for one behind a colon or a comma, and their value is no object or array, most quickly a string of
    /// ASCII without escapes.
    pub(crate) fn plain_members<F: Field>(
        &mut self,
        seen: &mut Seen,
        values: &mut [Value],
    ) -> bool {
        let bytes = self.bytes;
        let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
        let mut stops = Stops::from(bytes, self.at);
        let mut open = stops.next();
        loop {
            // What is next was found to be a quote.
            self.at = open;
            let close = stops.next();
            let chunk = bytes.get(open..).and_then(|rest| rest.first_chunk());
            let Some((field, is_alias)) =
                chunk.and_then(|chunk| F::find_quoted(chunk, close.wrapping_sub(open)))
            else {
                return false;
            };
            let bit = 1_u64 << (field.index() % 64);
            let slot = values.get_mut(field.index());
            let Some(slot) = slot.filter(|_| seen.fields & bit == 0) else {
                return false;
            };
            if !is(close.wrapping_add(1), b':') {
                return false;
            }
            let start = close.wrapping_add(2);
            let start = start.wrapping_add(usize::from(is(start, b' ')));
            let mut text = None;
            if is(start, b'"') {
                stops.next();
                let end = stops.next();
                let first = bytes.get(start.wrapping_add(1));
                if is(end, b'"') && first.is_some_and(|first| *first > b' ' && *first != b'"') {
                    text = Some(Value::new(Shape::Text, start, end.wrapping_add(1)));
                }
            }
            let value = match text {
                Some(value) => value,
                None => match self.other_scalar(start) {
                    Some(value) => {
                        stops = Stops::from(bytes, value.span().end);
                        if value.is_no_string() {
                            seen.no_strings |= bit;
                        }
                        value
                    }
                    None => return false,
                },
            };
            seen.fields |= bit;
            *slot = value;
            slot.is_alias = is_alias;
            let end = value.span().end;
            open = stops.next();
            let has_next = is(end, b',')
                && is(open, b'"')
                && (open == end.wrapping_add(1)
                    || (open == end.wrapping_add(2) && is(end.wrapping_add(1), b' ')));
            if !has_next {
                self.at = end;
                return true;
            }
        }
    }

    /// A value after a colon, white space in between, if it is no object or array.
    #[inline(never)]
    fn other_scalar(&self, after_colon: usize) -> Option<Value> {
        let mut reader = Self::at(self.bytes, after_colon);
        reader.skip_white_space();
        // What is wrong with it is found again by whoever goes on from here.
        reader.scalar().ok()
    }
}

/// The bytes that cannot stand as they are in a string or are not ASCII: quotes, mostly.
///
/// They are looked for in blocks, whatever they turn out to be: the processor need not know where one member ends to
/// find the next ones.
struct Stops<'b> {
    bytes: &'b [u8],
    /// Where the block is, and those of its stops that are still to come.
    block: usize,
    bits: u64,
}

impl<'b> Stops<'b> {
    #[inline]
    fn from(bytes: &'b [u8], at: usize) -> Self {
        Self {
            bytes,
            block: at,
            bits: stops_at(bytes, at),
        }
    }

    /// The next one, or the end of the bytes or behind it.
    #[inline]
    fn next(&mut self) -> usize {
        while self.bits == 0 {
            self.block = self.block.wrapping_add(BLOCK);
            self.bits = stops_at(self.bytes, self.block);
        }
        let at = self.block.wrapping_add(self.bits.trailing_zeros() as usize);
        self.bits &= self.bits.wrapping_sub(1);
        at
    }
}

#[inline]
fn stops_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(block) => no_plain_ascii(block),
        None => last_stops(bytes, at),
    }
}

/// Those of the bytes that are left when they are no whole block. What is behind them counts as stops.
#[inline(never)]
fn last_stops(bytes: &[u8], at: usize) -> u64 {
    let left = bytes.len().saturating_sub(at).min(BLOCK);
    let behind = u64::MAX.checked_shl(left as u32).unwrap_or_default();
    if let Some(block) = bytes.last_chunk() {
        let passed = BLOCK.saturating_sub(left) as u32;
        return no_plain_ascii(block)
            .checked_shr(passed)
            .unwrap_or_default()
            | behind;
    }
    let mut block = [0; BLOCK];
    for (to, from) in block.iter_mut().zip(bytes.get(at..).unwrap_or_default()) {
        *to = *from;
    }
    no_plain_ascii(&block)
}
