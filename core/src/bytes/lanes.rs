//! Tests of sixteen bytes at once, with vector instructions if the processor has them.
//!
//! Results have one bit for each byte. The lowest bit is that of the first byte.

use wide::{CmpEq, CmpGt, i8x16};

/// The number of bytes that are tested together.
pub(crate) const LANES: usize = 16;

/// The result in which the bits of all bytes are set.
pub(crate) const ALL_LANES: u32 = (1 << LANES) - 1;

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(i8x16);

impl Lanes {
    #[inline]
    pub(crate) fn of(bytes: &[u8; LANES]) -> Self {
        Self(i8x16::new(bytes.map(u8::cast_signed)))
    }

    #[inline]
    fn is(self, byte: u8) -> i8x16 {
        self.0.cmp_eq(i8x16::splat(byte.cast_signed()))
    }

    /// The bytes that equal `byte`.
    #[inline]
    pub(crate) fn positions_of(self, byte: u8) -> u32 {
        bits(self.is(byte))
    }

    /// The bytes that equal any of these.
    #[inline]
    pub(crate) fn positions_of_any<const N: usize>(self, of: [u8; N]) -> u32 {
        let none = i8x16::splat(0);
        bits(of.iter().fold(none, |found, byte| found | self.is(*byte)))
    }

    /// The bytes that equal the byte at the same position of `others`.
    #[inline]
    pub(crate) fn same(self, others: &[u8; LANES]) -> u32 {
        bits(self.0.cmp_eq(Self::of(others).0))
    }

    /// The bytes that are ASCII and need no escape in a JSON string: no quotes, backslashes or control characters. Bytes
    /// above 0x7F fail the comparison because they are negative as signed numbers. One bit is flipped first, so that the
    /// quote directly follows the control characters and one comparison finds both.
    #[inline]
    fn is_plain_ascii(self) -> i8x16 {
        let turned = self.0 ^ i8x16::splat(2);
        turned.cmp_gt(i8x16::splat(0x20)) & !self.is(b'\\')
    }

    /// [`Self::is_plain_ascii`] as one bit for each byte.
    #[inline]
    fn plain_ascii(self) -> u32 {
        bits(self.is_plain_ascii())
    }

    /// The bytes that are not ASCII.
    #[inline]
    fn no_ascii(self) -> u32 {
        bits(self.0)
    }

    /// The bytes that need an escape in a JSON string of UTF-8.
    #[inline]
    pub(crate) fn no_text(self) -> u32 {
        ALL_LANES ^ (self.plain_ascii() | self.no_ascii())
    }
}

/// The number of bytes in a block: a `u64` has one bit for each.
pub(crate) const BLOCK: usize = u64::BITS as usize;

/// The number of bytes in half a block.
pub(crate) const HALF_BLOCK: usize = BLOCK / 2;

/// The bytes of a block that are not ASCII or need an escape in a JSON string.
#[inline]
pub(crate) fn no_plain_ascii(block: &[u8; BLOCK]) -> u64 {
    !of_block(block, Lanes::plain_ascii)
}

/// [`no_plain_ascii`], and whether all these bytes are quotes.
#[inline]
pub(crate) fn tell_quotes(block: &[u8; BLOCK]) -> (u64, bool) {
    let (parts, _) = block.as_chunks::<LANES>();
    let mut others = i8x16::splat(0);
    let found = parts.iter().rev().fold(0, |found, part| {
        let lanes = Lanes::of(part);
        let plain = lanes.is_plain_ascii();
        others |= !(plain | lanes.is(b'"'));
        found << LANES | u64::from(bits(plain))
    });
    (!found, bits(others) == 0)
}

/// The bytes of a block that equal `byte`.
#[inline]
pub(crate) fn positions_of(byte: u8, block: &[u8; BLOCK]) -> u64 {
    of_block(block, |lanes| bits(lanes.is(byte)))
}

/// The bytes of half a block that are dots.
#[inline]
pub(crate) fn dots(bytes: &[u8; HALF_BLOCK]) -> u32 {
    let (parts, _) = bytes.as_chunks::<LANES>();
    parts.iter().rev().fold(0, |found, part| {
        found << LANES | bits(Lanes::of(part).is(b'.'))
    })
}

/// The bytes of a block that are not ASCII.
#[inline]
pub(crate) fn no_ascii(block: &[u8; BLOCK]) -> u64 {
    of_block(block, Lanes::no_ascii)
}

#[inline]
fn of_block(block: &[u8; BLOCK], ask: impl Fn(Lanes) -> u32) -> u64 {
    let (parts, _) = block.as_chunks::<LANES>();
    parts.iter().rev().fold(0, |found, part| {
        found << LANES | u64::from(ask(Lanes::of(part)))
    })
}

/// The bytes from `at` on, fewer than a chunk, padded with zeros.
#[inline(never)]
pub(crate) fn last_chunk<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut chunk = [0; N];
    for (to, from) in chunk.iter_mut().zip(super::rest(bytes, at)) {
        *to = *from;
    }
    chunk
}

#[inline]
fn bits(found: i8x16) -> u32 {
    found.move_mask().cast_unsigned()
}

#[cfg(test)]
mod tests;
