//! The part of a text that readings of one kind of end share.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use memchr::memrchr;

use super::super::texts::Text;
use super::ends::End;

/// The readings that share one end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// Where they end in the text.
    pub(super) end: usize,
    /// The same, without the punctuation there.
    pub(super) trimmed: usize,
    /// Where the last `@` ends in it.
    pub(super) user: usize,
    /// The first change of the text at or after where the last region of this kind ended: one at or before the end of this
    /// region makes it another one than in the text that this one was made from.
    pub(super) change: usize,
    /// Readings of a kind that comes before have the same ends: what they are of this one is known.
    pub(super) is_known: bool,
}

impl Region {
    /// That of the first reading, which is from `begin` up to `end`.
    pub(super) fn new(text: &Text<'_>, kind: End, begin: usize, end: usize) -> Self {
        let reading = &text.bytes[begin..end];
        let trimmed = &reading[..kind.trim(reading)];
        Self {
            end,
            trimmed: begin + trimmed.len(),
            user: begin + memrchr(b'@', trimmed).map_or(0, |at| at + 1),
            change: 0,
            is_known: false,
        }
    }

    /// Whether readings that begin in both are the same.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.end, self.trimmed, self.user) == (other.end, other.trimmed, other.user)
    }

    /// Whether it may have a host that the text from which this one was made does not have.
    pub(super) fn is_new(&self) -> bool {
        self.change <= self.end
    }
}

/// The hosts that begin in a region without a slash and share an end: the first of them and the last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shared {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) end: usize,
    /// Where their readings end, with a port.
    pub(super) reading_end: usize,
}
