//! The members of an object, read quickly where they are written as most programs write them.

use super::{Reader, Shape, Value};
use crate::wire::field::{Field, NAME_CHUNK};
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
        match self.members::<F, 0>(seen, values) {
            Stopped::BehindValue => true,
            Stopped::BeforeMember => false,
            Stopped::BeforeSpaced => self.members::<F, 1>(seen, values) == Stopped::BehindValue,
        }
    }

    /// [`Reader::plain_members`], most quickly with so many spaces behind each colon and comma.
    ///
    /// A function of its own: what it needs for each member fits in registers.
    #[inline(never)]
    fn members<F: Field, const SPACES: u32>(
        &mut self,
        seen: &mut Seen,
        values: &mut [Value],
    ) -> Stopped {
        let bytes = self.bytes;
        let mut words = [0; WORDS];
        let mut stops = Stops::from(bytes, narrow(self.at), &mut words);
        let mut open = stops.next(bytes, &mut words);
        let mut fields = seen.fields;
        let stopped = loop {
            // What is next was found to be a quote.
            let close = stops.next(bytes, &mut words);
            let length = close.wrapping_sub(open);
            let last;
            let chunk = match chunk_at(bytes, open) {
                Some(chunk) => chunk,
                None => {
                    last = last_chunk(bytes, open);
                    &last
                }
            };
            let found = F::find_quoted(chunk, length);
            let Some((field, is_alias)) = found else {
                break Stopped::BeforeMember;
            };
            // A field that was there before has a shape.
            let slot = values.get_mut(field.index());
            let Some(slot) = slot.filter(|slot| !slot.is_there()) else {
                break Stopped::BeforeMember;
            };
            let value = if is_before_text::<SPACES>(bytes, close) {
                stops.next(bytes, &mut words);
                let last = stops.next(bytes, &mut words);
                let start = close.wrapping_add(2 + SPACES);
                if is_before_member::<SPACES>(bytes, last) {
                    slot.set_text(start, last.wrapping_add(1), is_alias);
                    fields |= bit(field);
                    open = stops.next(bytes, &mut words);
                    continue;
                }
                self.other_text(start, last, stops, &mut words)
                    .map(|(text, left)| {
                        stops = left;
                        text
                    })
            } else {
                match chunk_at(bytes, close) {
                    Some([_, b':', b' ']) if SPACES == 0 => break Stopped::BeforeSpaced,
                    Some([_, b':', _]) => self.other_scalar(close as usize + 2),
                    _ => None,
                }
            };
            let Some(value) = value else {
                break Stopped::BeforeMember;
            };
            *slot = value;
            slot.is_alias = is_alias;
            fields |= bit(field);
            seen.note(bit(field), value);
            open = narrow(value.span().end);
            let Some(quote) = next_name(bytes, open) else {
                break Stopped::BehindValue;
            };
            stops.skip_to(quote, bytes, &mut words);
            open = stops.next(bytes, &mut words);
        };
        seen.fields = fields;
        self.at = open as usize;
        stopped
    }

    /// A text that may hold escapes or more than ASCII, from its quote at `start` on; `stop` is the first stop in it or its
    /// end, and `stops` are those behind. `None` when something is wrong with it, which is found again by whoever goes on
    /// from here.
    #[inline(never)]
    fn other_text(
        &self,
        start: u32,
        stop: u32,
        mut stops: Stops,
        words: &mut [u64; WORDS],
    ) -> Option<(Value, Stops)> {
        let (mut stop, mut is_escaped, mut is_ascii) = (stop, false, true);
        loop {
            match self.bytes.get(stop as usize)? {
                b'"' => break,
                b'\\' => {
                    let mut reader = Self::at(self.bytes, stop as usize);
                    reader.escape().ok()?;
                    stops.skip_to(narrow(reader.at), self.bytes, words);
                    is_escaped = true;
                }
                0x80.. => is_ascii = false,
                _ => return None,
            }
            stop = stops.next(self.bytes, words);
        }
        let (start, end) = (start as usize, stop as usize);
        let raw = self.bytes.get(start + 1..end)?;
        if !is_ascii {
            core::str::from_utf8(raw).ok()?;
        }
        let text = Value::new(Shape::of_string(raw, is_escaped), start, end + 1);
        Some((text, stops))
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
        // What is wrong with it is found again by whoever goes on from here.
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

/// Whether behind a name's closing quote a text begins, written with so many spaces; what is first in it is mostly a
/// letter or a digit. If so, its quote is the next stop.
#[inline]
fn is_before_text<const SPACES: u32>(bytes: &[u8], close: u32) -> bool {
    if SPACES == 0 {
        matches!(chunk_at(bytes, close), Some([_, b':', b'"', first]) if *first > b'"')
    } else {
        matches!(chunk_at(bytes, close), Some([_, b':', b' ', b'"', first]) if *first > b'"')
    }
}

/// Whether here a text ends and another member's name follows, written with so many spaces.
#[inline]
fn is_before_member<const SPACES: u32>(bytes: &[u8], last: u32) -> bool {
    if SPACES == 0 {
        matches!(chunk_at(bytes, last), Some(b"\",\""))
    } else {
        matches!(chunk_at(bytes, last), Some(b"\", \""))
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

/// Offsets fit: the reader refuses bodies that are longer.
#[inline]
fn narrow(offset: usize) -> u32 {
    offset as u32
}

/// The bit of a field.
#[inline]
fn bit<F: Field>(field: F) -> u64 {
    1 << (field.index() % 64)
}

/// So many bytes from `at` on: as narrow as it is, the end needs no check that it does not overflow.
#[inline]
fn chunk_at<const N: usize>(bytes: &[u8], at: u32) -> Option<&[u8; N]> {
    let at = at as usize;
    bytes.get(at..at + N)?.first_chunk()
}

/// The last bytes from `at` on, fewer than a chunk, and nothing behind them.
#[inline(never)]
fn last_chunk(bytes: &[u8], at: u32) -> [u8; NAME_CHUNK] {
    let mut chunk = [0; NAME_CHUNK];
    let rest = bytes.get(at as usize..).unwrap_or_default();
    for (to, from) in chunk.iter_mut().zip(rest) {
        *to = *from;
    }
    chunk
}

/// As many blocks are looked at together.
const WORDS: usize = 8;

/// The bytes that cannot stand as they are in a string or are not ASCII: quotes, mostly.
///
/// They are looked for in blocks, several at a time, whatever they turn out to be: the processor need not know where one
/// member ends to find the next ones. The bits of the blocks are kept by whoever reads, apart from what changes with
/// every stop, so that this stays in registers.
#[derive(Clone, Copy)]
struct Stops {
    /// Where the block is, and those of its stops that are still to come.
    block: u32,
    bits: u64,
    /// Which of the words are the bits of the next block.
    next: usize,
}

impl Stops {
    #[inline]
    fn from(bytes: &[u8], at: u32, words: &mut [u64; WORDS]) -> Self {
        look(bytes, at, words);
        let [bits, ..] = *words;
        Self {
            block: at,
            bits,
            next: 1,
        }
    }

    /// The next one, or the end of the bytes or behind it.
    #[inline]
    fn next(&mut self, bytes: &[u8], words: &mut [u64; WORDS]) -> u32 {
        while self.bits == 0 {
            self.block = self.block.wrapping_add(BLOCK as u32);
            match words.get(self.next) {
                Some(bits) => {
                    self.bits = *bits;
                    self.next = self.next.wrapping_add(1);
                }
                None => *self = Self::from(bytes, self.block, words),
            }
        }
        let at = self.block.wrapping_add(self.bits.trailing_zeros());
        self.bits &= self.bits.wrapping_sub(1);
        at
    }

    /// Passes over what stands before `at`.
    #[inline]
    fn skip_to(&mut self, at: u32, bytes: &[u8], words: &mut [u64; WORDS]) {
        let ahead = at.wrapping_sub(self.block);
        let blocks = ahead as usize / BLOCK;
        if let Some(index) = blocks.checked_sub(1) {
            let next = self.next.wrapping_add(index);
            let Some(bits) = words.get(next) else {
                *self = Self::from(bytes, at, words);
                return;
            };
            self.block = self.block.wrapping_add((blocks * BLOCK) as u32);
            self.bits = *bits;
            self.next = next.wrapping_add(1);
        }
        self.bits &= u64::MAX << (ahead as usize % BLOCK);
    }
}

/// The stops of the blocks from `at` on, up to the first that is not whole.
#[inline(never)]
fn look(bytes: &[u8], at: u32, words: &mut [u64; WORDS]) {
    let (blocks, _) = bytes.get(at as usize..).unwrap_or_default().as_chunks();
    for (word, block) in words.iter_mut().zip(blocks) {
        *word = no_plain_ascii(block);
    }
    if let Some(word) = words.get_mut(blocks.len()) {
        *word = last_stops(bytes, at as usize + blocks.len() * BLOCK);
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
