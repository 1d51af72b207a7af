//! A set of small numbers, one bit each: a mark for each of a million addresses takes 125 kB.

use alloc::vec;
use alloc::vec::Vec;

/// A set of numbers, which takes one bit for each number up to the largest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// Empty, with room for numbers below `limit`.
    pub(crate) fn below(limit: usize) -> Self {
        Self(vec![0; limit.div_ceil(64)])
    }

    const fn word_and_bit(number: usize) -> (usize, u64) {
        (number / 64, 1 << (number % 64))
    }

    /// Adds a number and returns whether it was new.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let (index, bit) = Self::word_and_bit(number);
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        let Some(word) = self.0.get_mut(index) else {
            return false;
        };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        let (word, bit) = Self::word_and_bit(number);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// The first number of the set at or after `from`.
    pub(crate) fn next(&self, from: usize) -> Option<usize> {
        let index = from / 64;
        let first = self.0.get(index)? & u64::MAX << (from % 64);
        let others = self.0.iter().copied().skip(index + 1);
        let mut words = (index..).zip(core::iter::once(first).chain(others));
        let (index, word) = words.find(|(_, word)| *word != 0)?;
        Some(index * 64 + word.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests;
