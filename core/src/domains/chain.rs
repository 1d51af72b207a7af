//! A name and its parents, as a place and a number.

use alloc::borrow::Cow;

/// A name, and those of its parents that no earlier name has. It is packed, because a call can hold millions.
#[derive(Clone, Copy, Debug)]
#[repr(Rust, packed)]
pub(super) struct Chain {
    /// Where the name starts. The high bit says in the body, not in the arena.
    pub(super) start: u32,
    /// How long the name is. [`Chain::LONG`]: longer than any domain, and up to a mark in the arena.
    pub(super) length: u8,
    /// The number of names: the first, and its parents. The high bit says that the name has upper-case letters in the
    /// body.
    pub(super) count: u8,
}

impl Chain {
    /// Of no names.
    pub(super) const NONE: Self = Self {
        start: 0,
        length: 0,
        count: 0,
    };
    pub(super) const IN_BODY: u32 = 1 << 31;
    pub(super) const LONG: u8 = u8::MAX;
    pub(super) const UPPER: u8 = 1 << 7;
    /// A domain of 253 octets has no more labels.
    pub(super) const MAX_COUNT: u8 = Self::UPPER - 1;

    pub(super) fn is_in_body(self) -> bool {
        self.start & Self::IN_BODY != 0
    }

    pub(super) fn start(self) -> u32 {
        self.start & !Self::IN_BODY
    }

    pub(super) fn is_upper(self) -> bool {
        self.count & Self::UPPER != 0
    }

    /// A name of the chain in the form in which the host is asked, from the bytes that lie in the source.
    pub(super) fn asked(self, source: &[u8]) -> Cow<'_, [u8]> {
        if self.is_upper() {
            Cow::Owned(source.to_ascii_lowercase())
        } else {
            Cow::Borrowed(source)
        }
    }

    pub(super) fn count(self) -> u32 {
        u32::from(self.count & Self::MAX_COUNT)
    }

    pub(super) fn set_count(&mut self, count: u32) {
        let count = u8::try_from(count).unwrap_or(u8::MAX).min(Self::MAX_COUNT);
        self.count = self.count & Self::UPPER | count;
    }
}
