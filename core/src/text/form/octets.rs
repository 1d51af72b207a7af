//! Decodes octets of application/x-www-form-urlencoded values, fast: bodies are long, and in a typical
//! one every fifth octet is an escape.
//!
//! Blocks of octets are searched for `%` all at once, and what lies between two escapes is copied in
//! one piece of fixed size; so the work for an escape takes hardly any branch that could be
//! mispredicted.

use alloc::vec::Vec;

/// How many octets are searched at once: one bit for each fits in a `u64`.
const BLOCK: usize = u64::BITS as usize;
/// How many octets are copied at once. Few literals between escapes are longer.
const PIECE: usize = 16;

/// How long the output has to be for an input of that length. Nothing grows by decoding, but a last piece may be copied in
/// full.
pub(super) fn room(len: usize) -> usize {
    len.saturating_add(PIECE + 1)
}

/// Decodes `input` into `out` and returns how many octets that makes.
///
/// `out` grows if it is too short; what it holds after the decoded octets means nothing.
pub(super) fn decode(input: &[u8], out: &mut Vec<u8>) -> usize {
    let room = room(input.len());
    if out.len() < room {
        out.resize(room, 0);
    }
    let mut decoder = Decoder {
        input,
        out,
        read: 0,
        written: 0,
    };
    let (blocks, rest) = input.as_chunks::<BLOCK>();
    let mut start = 0;
    for block in blocks {
        decoder.escapes(start, percent_signs(block));
        start += BLOCK;
    }
    let mut last = [0; BLOCK];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    decoder.escapes(start, percent_signs(&last));
    decoder.literal(input.len());
    decoder.written
}

struct Decoder<'a> {
    input: &'a [u8],
    out: &'a mut [u8],
    /// How much of the input is decoded. What follows is literal up to the next escape.
    read: usize,
    written: usize,
}

impl Decoder<'_> {
    /// Decodes up to and with the last escape of the block at `start`. `signs` has its `%`.
    #[inline]
    fn escapes(&mut self, start: usize, mut signs: u64) {
        while signs != 0 {
            let sign = start + signs.trailing_zeros() as usize;
            signs &= signs - 1;
            // Without two digits the `%` is one more literal. Digits are never a `%`, so no escape
            // begins inside another.
            if let Some(octet) = escaped_octet(self.input, sign) {
                self.literal_and_octet(sign, octet);
                self.read = sign + 3;
            }
        }
    }

    /// Copies the literal that ends at `end`, then the octet.
    #[inline]
    fn literal_and_octet(&mut self, end: usize, octet: u8) {
        let len = end - self.read;
        let from = self.input.get(self.read..).and_then(|s| s.first_chunk());
        let to = self.out.get_mut(self.written..);
        if let Some(from) = from
            && let Some(to) = to
            && let Some((piece, _)) = to.split_first_chunk_mut::<PIECE>()
            && len < PIECE
        {
            *piece = spaces_for_plus(*from);
            if let Some(to) = piece.get_mut(len) {
                *to = octet;
            }
            self.written += len + 1;
        } else {
            self.literal(end);
            if let Some(to) = self.out.get_mut(self.written) {
                *to = octet;
            }
            self.written += 1;
        }
    }

    /// Copies the literal that ends at `end`, whatever its length.
    #[cold]
    fn literal(&mut self, end: usize) {
        let from = self.input.get(self.read..end).unwrap_or_default();
        let to = self.out.get_mut(self.written..).unwrap_or_default();
        for (to, from) in to.iter_mut().zip(from) {
            *to = space_for_plus(*from);
        }
        self.read += from.len();
        self.written += from.len();
    }
}

fn space_for_plus(octet: u8) -> u8 {
    if octet == b'+' { b' ' } else { octet }
}

/// A loop over an array in place becomes vector instructions; `map` does not.
#[inline]
fn spaces_for_plus(mut piece: [u8; PIECE]) -> [u8; PIECE] {
    for octet in &mut piece {
        *octet = space_for_plus(*octet);
    }
    piece
}

/// The octets of the block that are `%`, as bits: the first octet is the lowest bit.
#[inline]
fn percent_signs(block: &[u8; BLOCK]) -> u64 {
    /// Times flags in the lowest bits of octets, gives the flags in the highest octet, in order.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = block.as_chunks();
    words.iter().rev().fold(0, |signs, word| {
        let flags = percent_sign_flags(u64::from_le_bytes(*word)) >> 7;
        signs << 8 | flags.wrapping_mul(GATHER) >> 56
    })
}

/// The highest bit of each octet that is `%`, no other bit.
#[inline]
fn percent_sign_flags(word: u64) -> u64 {
    const LOW_BITS: u64 = u64::from_ne_bytes([0x7f; 8]);
    let differs = word ^ u64::from_ne_bytes([b'%'; 8]);
    // An octet is zero if its low bits do not carry into its highest bit, and that one is not set.
    !(((differs & LOW_BITS) + LOW_BITS) | differs | LOW_BITS)
}

/// The octet for which the `%` at `sign` stands with the two hexadecimal digits after it.
#[inline]
pub(in crate::text) fn escaped_octet(input: &[u8], sign: usize) -> Option<u8> {
    let [_, high, low] = input.get(sign..)?.first_chunk::<3>()?;
    let value = |digit: &u8| HEX_VALUES.get(usize::from(*digit)).copied();
    let (high, low) = (value(high)?, value(low)?);
    ((high | low) < NO_DIGIT).then_some(high << 4 | low)
}

/// More than any digit's value, and so is everything that has one of its bits.
const NO_DIGIT: u8 = 16;

const HEX_VALUES: [u8; 256] = hex_values();

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a wrong index stops the build"
)]
const fn hex_values() -> [u8; 256] {
    let mut table = [NO_DIGIT; 256];
    let mut byte = 0;
    while byte < 256 {
        let digit = byte as u8;
        table[byte] = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => NO_DIGIT,
        };
        byte += 1;
    }
    table
}
