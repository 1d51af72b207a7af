//! A column of a host's answers.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use smallvec::SmallVec;

/// There is no memory for that many answers; nothing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is not enough memory for the answers")]
pub struct OutOfMemory;

/// A column of answers, in the order of the question's members: used as a `Vec` is, and kept without an allocation as long
/// as there are no more than `FEW`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<T, const FEW: usize>(SmallVec<[T; FEW]>);

impl<T, const FEW: usize> Column<T, FEW> {
    /// A column without answers.
    #[must_use]
    pub fn new() -> Self {
        Self(SmallVec::new())
    }

    /// Answers for the next member of the question.
    #[inline]
    pub fn push(&mut self, answer: T) {
        self.0.push(answer);
    }

    /// Takes the last answer back.
    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    /// Takes all answers back but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Makes room for `additional` more answers.
    // Not inlined: a column of few has room.
    #[inline(never)]
    pub fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
    }

    /// As [`Column::reserve`], where a caller decides how many answers there are.
    ///
    /// # Errors
    /// [`OutOfMemory`] when there is no room.
    #[inline(never)]
    pub fn try_reserve(&mut self, additional: usize) -> Result<(), OutOfMemory> {
        self.0.try_reserve(additional).map_err(|_| OutOfMemory)
    }
}

impl<T, const FEW: usize> Default for Column<T, FEW> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, const FEW: usize> Deref for Column<T, FEW> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T, const FEW: usize> DerefMut for Column<T, FEW> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T, const FEW: usize> Extend<T> for Column<T, FEW> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, answers: I) {
        self.0.extend(answers);
    }
}

impl<T, const FEW: usize> FromIterator<T> for Column<T, FEW> {
    fn from_iter<I: IntoIterator<Item = T>>(answers: I) -> Self {
        Self(answers.into_iter().collect())
    }
}

impl<T, const FEW: usize> From<Vec<T>> for Column<T, FEW> {
    fn from(answers: Vec<T>) -> Self {
        Self(answers.into())
    }
}

impl<T, const FEW: usize> IntoIterator for Column<T, FEW> {
    type Item = T;
    type IntoIter = smallvec::IntoIter<[T; FEW]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T, const FEW: usize> IntoIterator for &'a Column<T, FEW> {
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
            let collected: Column<u8, 16> = answers.iter().copied().collect();
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
