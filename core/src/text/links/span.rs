//! Byte ranges that are `Copy`, and the parts of a text that they name.
//!
//! A part beyond the end of a text is empty. The standards read the end of a text as they read a character: whoever reads on
//! there finds nothing, and that is no fault.

use core::ops::Range;

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

    /// This span of a part that begins at `offset` of the whole.
    pub(super) const fn shifted(self, offset: usize) -> Self {
        Self {
            start: self.start.saturating_add(offset),
            end: self.end.saturating_add(offset),
        }
    }
}

/// What stands at `from` and behind it.
#[inline]
pub(super) fn tail(text: &[u8], from: usize) -> &[u8] {
    text.get(from..).unwrap_or_default()
}
