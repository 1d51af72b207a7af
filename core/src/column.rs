//! A column of a host's answers.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use smallvec::SmallVec;

/// There is not enough memory for the answers. The column has not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not enough memory for the answers")]
pub struct OutOfMemory;

/// The number of answers that a column holds without an allocation.
const INLINE_ANSWERS: usize = 16;

/// A column of answers, in the order of the question's members. It works like a `Vec`, but needs no allocation while it is
/// short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<T>(SmallVec<[T; INLINE_ANSWERS]>);

impl<T> Column<T> {
    /// A column without answers.
    #[must_use]
    pub fn new() -> Self {
        Self(SmallVec::new())
    }

    /// Adds the answer for the next member of the question.
    #[inline]
    pub fn push(&mut self, answer: T) {
        self.0.push(answer);
    }

    /// Removes the last answer and returns it.
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Removes all answers except the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Reserves capacity for `additional` more answers.
    // Not inlined: most columns are short and have the capacity already.
    #[inline(never)]
    pub fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
    }

    /// Like [`Column::reserve`], but returns an error instead of aborting. Use it when the number of answers comes from a
    /// caller.
    ///
    /// # Errors
    /// [`OutOfMemory`] when there is not enough memory.
    #[inline(never)]
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        self.0.try_reserve(additional).map_err(|_| OutOfMemory)
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Deref for Column<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Column<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Extend<T> for Column<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, answers: I) {
        self.0.extend(answers);
    }
}

impl<T> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(answers: I) -> Self {
        Self(answers.into_iter().collect())
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(answers: Vec<T>) -> Self {
        Self(answers.into())
    }
}

impl<T> IntoIterator for Column<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        IntoIter(self.0.into_iter())
    }
}

/// The answers of a [`Column`], in order.
#[derive(Debug)]
pub struct IntoIter<T>(smallvec::IntoIter<[T; INLINE_ANSWERS]>);

impl<T> Iterator for IntoIter<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<T> ExactSizeIterator for IntoIter<T> {}

impl<'a, T> IntoIterator for &'a Column<T> {
    type Item = &'a T;
    type IntoIter = core::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_holds_its_answers_in_order_few_or_many() {
        for count in 0..40_u8 {
            let answers: Vec<u8> = (0..count).collect();
            let collected: Column<u8> = answers.iter().copied().collect();
            let mut pushed = Column::new();
            pushed.reserve(answers.len());
            answers.iter().for_each(|answer| pushed.push(*answer));
            let mut extended = Column::default();
            extended.extend(answers.iter().copied());
            assert_eq!(*collected, *answers);
            assert_eq!(collected, pushed);
            assert_eq!(collected, extended);
            assert_eq!(collected, Column::from(answers.clone()));
            assert!((&collected).into_iter().eq(&answers));
            assert_eq!(pushed.pop(), answers.last().copied());
            pushed.truncate(7);
            assert_eq!(pushed.len(), answers.len().saturating_sub(1).min(7));
            if let Some(first) = extended.first_mut() {
                *first = 99;
                assert_eq!(extended.first(), Some(&99));
            }
            assert!(collected.into_iter().eq(answers));
        }
    }
}
