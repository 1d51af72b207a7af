//! Sets of positions in a text, as bits.

use alloc::vec::Vec;

/// A set of positions, which takes one bit for each position up to its last one.
#[derive(Default)]
pub(super) struct Positions(Vec<u64>);

impl Positions {
    /// Adds a position, and returns whether it is new.
    pub(super) fn insert(&mut self, at: usize) -> bool {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        let mask = 1 << (at % 64);
        let Some(word) = self.0.get_mut(at / 64) else {
            return false;
        };
        let is_new = *word & mask == 0;
        *word |= mask;
        is_new
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        let word = self.0.get(at / 64);
        word.is_some_and(|word| word & 1 << (at % 64) != 0)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first position at or after `from`.
    pub(super) fn next(&self, from: usize) -> Option<usize> {
        let first = self.0.get(from / 64)? & u64::MAX << (from % 64);
        if first != 0 {
            return Some(from / 64 * 64 + first.trailing_zeros() as usize);
        }
        let mut words = self.0.iter().enumerate().skip(from / 64 + 1);
        let (index, word) = words.find(|(_, word)| **word != 0)?;
        Some(index * 64 + word.trailing_zeros() as usize)
    }
}
