//! Byte ranges that are `Copy`.

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

    /// The part of `text` in the span; empty where there is none.
    #[inline]
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }

    /// The bytes of `text` in the span; empty where there are none.
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
