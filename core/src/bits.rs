//! A set of small numbers, one bit each: what a million addresses need to be marked.

use alloc::vec;
use alloc::vec::Vec;

/// A set of numbers below a limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Empty, for numbers below `limit`.
    pub(crate) fn below(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(64)])
    }

    const fn place(number: u32) -> (usize, u64) {
        (number as usize / 64, 1 << (number % 64))
    }

    /// Adds a number; whether it was new. One beyond the limit is not added.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let (word, bit) = Self::place(number);
        let Some(word) = self.0.get_mut(word) else {
            return false;
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        let (word, bit) = Self::place(number);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_in_the_set_and_nothing_else() {
        let mut bits = Bits::below(130);
        assert!(bits.is_empty());
        for number in [0, 63, 64, 129] {
            assert!(bits.insert(number));
            assert!(!bits.insert(number));
        }
        let found = (0..200).filter(|number| bits.contains(*number));
        assert!(found.eq([0, 63, 64, 129]));
        assert!(!bits.insert(1000) && !bits.contains(1000));
    }
}
