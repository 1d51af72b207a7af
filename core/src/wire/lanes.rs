//! Questions about sixteen bytes at once, by vector instructions where there are some.
//!
//! Answers have one bit for each byte: the lowest is that of the first.

use wide::{CmpEq, CmpGt, i8x16};

/// How many bytes are looked at together.
pub(super) const LANES: usize = 16;

/// The bits of all bytes.
pub(super) const ALL_LANES: u32 = (1 << LANES) - 1;

/// Sixteen bytes.
#[derive(Clone, Copy)]
pub(super) struct Lanes(i8x16);

impl Lanes {
    #[inline]
    pub(super) fn of(bytes: &[u8; LANES]) -> Self {
        Self(i8x16::new(bytes.map(u8::cast_signed)))
    }

    #[inline]
    fn is(self, byte: u8) -> i8x16 {
        self.0.cmp_eq(i8x16::splat(byte.cast_signed()))
    }

    /// Which bytes are the same as those in their place.
    #[inline]
    pub(super) fn same(self, others: &[u8; LANES]) -> u32 {
        bits(self.0.cmp_eq(Self::of(others).0))
    }

    /// Which bytes are ASCII that can stand as it is in a JSON string: neither quotes, backslashes, control characters
    /// nor those above 0x7F, which as signed numbers are less than any of ASCII. With one bit turned, a quote comes right
    /// behind the control characters, and they stay what they are.
    #[inline]
    fn plain_ascii(self) -> u32 {
        let turned = self.0 ^ i8x16::splat(2);
        bits(turned.cmp_gt(i8x16::splat(0x20)) & !self.is(b'\\'))
    }
}

/// How many bytes a block has: one bit for each fits in a `u64`.
pub(super) const BLOCK: usize = u64::BITS as usize;

/// Which bytes of a block cannot stand as they are in a JSON string, or are not ASCII.
#[inline]
pub(super) fn no_plain_ascii(block: &[u8; BLOCK]) -> u64 {
    let (parts, _) = block.as_chunks::<LANES>();
    !parts.iter().rev().fold(0, |bits, part| {
        bits << LANES | u64::from(Lanes::of(part).plain_ascii())
    })
}

#[inline]
fn bits(found: i8x16) -> u32 {
    found.move_mask().cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_is_told_as_byte_by_byte() {
        for byte in 0..=u8::MAX {
            for at in 0..LANES {
                let mut bytes = [b'a'; LANES];
                bytes[at] = byte;
                let lanes = Lanes::of(&bytes);
                let bit = |is: bool| u32::from(is) << at;
                let is_plain = matches!(byte, b' '..=0x7f) && byte != b'"' && byte != b'\\';
                assert_eq!(
                    lanes.plain_ascii(),
                    ALL_LANES ^ bit(!is_plain),
                    "{byte} {at}"
                );
                let mut block = [b'a'; BLOCK];
                block[at + 2 * LANES] = byte;
                let in_block = u64::from(bit(!is_plain)) << (2 * LANES);
                assert_eq!(no_plain_ascii(&block), in_block, "{byte} {at}");
                let different = bit(byte != b'a');
                assert_eq!(
                    lanes.same(&[b'a'; LANES]),
                    ALL_LANES ^ different,
                    "{byte} {at}"
                );
            }
        }
    }
}
