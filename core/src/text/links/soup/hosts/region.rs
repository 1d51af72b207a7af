//! The part of a text that readings of one kind of end share.

use core::ops::Range;

use memchr::memrchr;

use super::super::texts::Text;
use super::ends::End;

/// The readings that share one end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// The end of the readings in the text.
    pub(super) end: usize,
    /// The end without the punctuation before it.
    pub(super) trimmed: usize,
    /// The end of the last `@` in the region.
    pub(super) user: usize,
    /// The first change of the text since the end of the last region of this kind. If it is not after the end of this
    /// region, the text from which this one was made does not have the same region.
    pub(super) change: usize,
    /// Whether the readings of an earlier kind have the same ends, so that those of this kind are known.
    pub(super) is_known: bool,
}

impl Region {
    /// The region of a first reading, which goes from `begin` up to `end`. `has_user` says that there is an `@` in the text.
    pub(super) fn new(text: &Text<'_>, has_user: bool, kind: End, reading: Range<usize>) -> Self {
        let Range { start: begin, end } = reading;
        let reading = &text.bytes[begin..end];
        // If no line break ends it, it is the short reading.
        let is_short = kind == End::Line && !text.gaps.contains(end);
        let kind = if is_short { End::Short } else { kind };
        let trimmed = &reading[..kind.trim(reading)];
        let user = match has_user {
            true => memrchr(b'@', trimmed),
            false => None,
        };
        Self {
            end,
            trimmed: begin + trimmed.len(),
            user: begin + user.map_or(0, |at| at + 1),
            change: 0,
            is_known: false,
        }
    }

    /// Whether readings that begin in both regions are the same.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.end, self.trimmed, self.user) == (other.end, other.trimmed, other.user)
    }

    /// Whether it may have a host that the text from which this one was made does not have.
    pub(super) fn is_new(&self) -> bool {
        self.change <= self.end
    }
}
