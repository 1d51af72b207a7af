//! Eight bytes of ASCII at a time: which of them are what, as the highest bit of each.

/// Eight bytes, the first one lowest.
#[derive(Clone, Copy)]
pub(crate) struct Word {
    /// Without the highest bit of each.
    low: u64,
    /// The highest bits of those that are ASCII.
    ascii: u64,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x80 * ONES;

impl Word {
    pub(crate) const LEN: usize = 8;
    /// The first of eight bytes.
    pub(crate) const FIRST: u64 = 0x80;

    /// The bytes from `at` on; zeros behind the end.
    #[inline]
    pub(crate) fn at(text: &[u8], at: usize) -> Self {
        let rest = text.get(at..).unwrap_or_default();
        let bytes = match rest.first_chunk() {
            Some(bytes) => *bytes,
            None => {
                let mut bytes = [0; Self::LEN];
                for (slot, byte) in bytes.iter_mut().zip(rest) {
                    *slot = *byte;
                }
                bytes
            }
        };
        let word = u64::from_le_bytes(bytes);
        Self {
            low: word & !HIGHS,
            ascii: !word & HIGHS,
        }
    }

    /// Those from `low` to `high`, both ASCII.
    #[inline]
    pub(crate) const fn in_range(self, low: u8, high: u8) -> u64 {
        // No sum reaches the next byte: both summands are below 0x80, or it.
        let from_low = self.low.wrapping_add((0x80 - low as u64) * ONES);
        let above_high = self.low.wrapping_add((0x7F - high as u64) * ONES);
        from_low & !above_high & self.ascii
    }

    /// Those whose lowest bit is 0.
    #[inline]
    pub(crate) const fn even(self) -> u64 {
        !(self.low << 7) & HIGHS
    }

    /// How many of the first bytes are among `those`, before the first that is not.
    #[inline]
    pub(crate) const fn leading(those: u64) -> usize {
        (!those & HIGHS).trailing_zeros() as usize / 8
    }

    /// The first `count` bytes.
    #[inline]
    pub(crate) const fn first(count: usize) -> u64 {
        match count {
            0..8 => HIGHS & !(u64::MAX << (8 * count)),
            _ => HIGHS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn every_byte_is_found_where_it_stands() {
        for place in 0..Word::LEN {
            for byte in 0..=u8::MAX {
                let mut text = [0xFF; 8];
                text[place] = byte;
                let word = Word::at(&text, 0);
                let bit = 0x80 << (8 * place);
                for (low, high) in [(b'a', b'z'), (b'-', b'.'), (0, 0x7F), (b',', b',')] {
                    let expected = if (low..=high).contains(&byte) { bit } else { 0 };
                    assert_eq!(word.in_range(low, high), expected, "{byte} {low} {high}");
                }
                assert_eq!(word.even() & bit != 0, byte % 2 == 0);
            }
        }
    }

    #[test]
    fn behind_the_end_are_zeros() {
        for len in 0..=Word::LEN {
            let text = [b'a'; 8];
            let word = Word::at(&text[..len], 0);
            let letters = word.in_range(b'a', b'a');
            assert_eq!(Word::leading(letters), len);
            assert_eq!(letters, Word::first(len));
        }
        assert_eq!(Word::leading(Word::at(b"aaa", 3).in_range(1, 0x7F)), 0);
    }
}
