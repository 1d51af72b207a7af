//! Byte ranges that are `Copy`, and the parts of a text that they name.
//!
//! A part beyond the end of a text is empty. The standards treat the end of a text like a character, so code that reads on
//! there finds nothing, and that is not a fault.

use core::ops::Range;

pub(super) use crate::bytes::rest as tail;

/// A half-open range of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The part of `text` in the span.
    #[inline]
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The bytes of `text` in the span.
    #[inline]
    pub(super) fn bytes(self, text: &[u8]) -> &[u8] {
        text.get(self.range()).unwrap_or_default()
    }

    pub(super) const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Turns a span of a part into one of the whole text. The part begins at `offset`.
    pub(super) const fn shifted(self, offset: usize) -> Self {
        Self {
            start: self.start + offset,
            end: self.end + offset,
        }
    }
}

/// Whether `word` is at `at`, in any case.
#[inline]
pub(super) fn has_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    text.get(at..at + word.len())
        .is_some_and(|found| found.eq_ignore_ascii_case(word))
}

/// The start of `word`, in any case, if it ends at `at`.
#[inline]
pub(super) fn word_before(text: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    at.checked_sub(word.len())
        .filter(|begin| has_word(text, *begin, word))
}

/// Whether `word` ends at `at`, in any case.
pub(super) fn ends_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    word_before(text, at, word).is_some()
}

/// The end of the bytes from `at` on that `is_passed` accepts.
#[inline]
pub(super) fn skip(text: &[u8], mut at: usize, is_passed: impl Fn(u8) -> bool) -> usize {
    while text.get(at).is_some_and(|byte| is_passed(*byte)) {
        at += 1;
    }
    at
}

/// The end of the white space from `at` on.
#[inline]
pub(super) fn skip_space(text: &[u8], at: usize) -> usize {
    skip(text, at, |byte| byte.is_ascii_whitespace())
}

/// The end of the slashes and backslashes from `at` on.
pub(super) fn slashes_end(text: &[u8], at: usize) -> usize {
    skip(text, at, |byte| matches!(byte, b'/' | b'\\'))
}
