//! A name and its parents, stored as an offset, a length and a count.

use alloc::borrow::Cow;

use crate::fault::Fault;
use crate::text::domain::MAX_DOMAIN_LEN;

/// A name, and those of its parents that no earlier name has. It is packed, because a call can hold millions.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
pub(super) struct Chain {
    /// The offset of the name. The high bit is set if the offset is in the body, not in the arena.
    pub(super) start: u32,
    length: u8,
    /// The number of names: the first, and its parents. The high bit is set if the name has upper-case letters in the body.
    count: u8,
}

/// The location of the text of a chain's first name.
#[derive(Clone, Copy)]
pub(super) enum NameLocation {
    /// At this offset of the body.
    Body { start: usize, is_upper: bool },
    /// At this offset of the arena.
    Arena { start: usize },
}

impl Chain {
    /// A chain without names.
    pub(super) const NONE: Self = Self {
        start: 0,
        length: 0,
        count: 0,
    };
    pub(super) const IN_BODY: u32 = 1 << 31;
    const UPPER: u8 = 1 << 7;
    /// The most labels that a domain of 253 octets can have: each has at least one octet, and a dot is between two.
    const MAX_COUNT: u8 = Self::UPPER - 1;

    /// A chain of `count` names, the first of which has `length` bytes. It is a fault if the name has more octets or labels
    /// than a domain, or its offset does not fit into 31 bits. No name that was read is like that.
    pub(super) fn new(source: NameLocation, length: usize, count: usize) -> Result<Self, Fault> {
        let (start, in_body, upper) = match source {
            NameLocation::Body { start, is_upper } => {
                (start, Self::IN_BODY, if is_upper { Self::UPPER } else { 0 })
            }
            NameLocation::Arena { start } => (start, 0, 0),
        };
        let start = u32::try_from(start)
            .ok()
            .filter(|start| start & Self::IN_BODY == 0);
        let length = u8::try_from(length)
            .ok()
            .filter(|length| usize::from(*length) <= MAX_DOMAIN_LEN);
        let count = u8::try_from(count)
            .ok()
            .filter(|count| *count <= Self::MAX_COUNT);
        Ok(Self {
            start: start.ok_or(Fault)? | in_body,
            length: length.ok_or(Fault)?,
            count: count.ok_or(Fault)? | upper,
        })
    }

    pub(super) fn is_in_body(self) -> bool {
        self.start & Self::IN_BODY != 0
    }

    pub(super) fn start(self) -> usize {
        (self.start & !Self::IN_BODY) as usize
    }

    pub(super) fn length(self) -> usize {
        self.length.into()
    }

    pub(super) fn is_upper(self) -> bool {
        self.count & Self::UPPER != 0
    }

    /// A name of the chain in the form in which the host is asked about it. `source` is the name as it is in the body or
    /// the arena.
    pub(super) fn asked(self, source: &str) -> Cow<'_, str> {
        if self.is_upper() {
            Cow::Owned(source.to_ascii_lowercase())
        } else {
            Cow::Borrowed(source)
        }
    }

    pub(super) fn count(self) -> u32 {
        u32::from(self.count & Self::MAX_COUNT)
    }

    /// Keeps the first `count` names only. It is a fault if the chain has fewer names.
    pub(super) fn keep_first(&mut self, count: u32) -> Result<(), Fault> {
        let kept = u8::try_from(count).ok().filter(|_| count <= self.count());
        self.count = self.count & Self::UPPER | kept.ok_or(Fault)?;
        Ok(())
    }
}
