//! A cache of the names that were added last.

use alloc::boxed::Box;

use super::chain::Chain;
use crate::bytes::distinct::hash;

/// The number of slots. The hash of a name selects its slot, and a slot holds the last name that was put there.
const CACHE_SLOTS: usize = if cfg!(test) { 16 } else { 256 };

/// The names that were added last. Most repetitions are found here. A look-up compares one slot only, so it does the same
/// work whatever the names are.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentNames {
    slots: Option<Box<[Option<CachedName>; CACHE_SLOTS]>>,
    /// Whether a name was overwritten, so that a look-up does not find it.
    pub(super) has_forgotten: bool,
}

/// The location of a name, and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedName {
    /// The offset, with the same high bit as in a [`Chain`].
    pub(super) start: u32,
    pub(super) length: u32,
    pub(super) number: u32,
    /// The hash of the name in lower case.
    pub(super) hash: u32,
    /// Whether the name has upper-case letters in the body.
    pub(super) is_upper: bool,
}

impl CachedName {
    /// Whether `name` is the text at this location.
    #[inline]
    fn holds(&self, name: &[u8], body: &str, arena: &str) -> bool {
        let is_in_body = self.start & Chain::IN_BODY != 0;
        let source = if is_in_body { body } else { arena };
        let start = (self.start & !Chain::IN_BODY) as usize;
        match source.as_bytes().get(start..start + self.length as usize) {
            Some(text) if self.is_upper => text.eq_ignore_ascii_case(name),
            text => text == Some(name),
        }
    }
}

impl RecentNames {
    /// Whether no name was put in yet.
    #[inline]
    pub(super) fn is_new(&self) -> bool {
        self.slots.is_none()
    }

    /// Puts in a name that was not found.
    pub(super) fn put(&mut self, cached: CachedName) {
        let slots = self
            .slots
            .get_or_insert_with(|| Box::new([None; CACHE_SLOTS]));
        if let Some(slot) = slots.get_mut(cached.hash as usize % CACHE_SLOTS) {
            self.has_forgotten |= slot.replace(cached).is_some();
        }
    }

    /// The number of a name, which is given in lower case.
    #[inline]
    pub(super) fn find_name(&self, name: &[u8], body: &str, arena: &str) -> Option<u32> {
        let hash = hash(name);
        let cached = self
            .slots
            .as_ref()?
            .get(hash as usize % CACHE_SLOTS)?
            .as_ref()?;
        (cached.hash == hash && cached.holds(name, body, arena)).then_some(cached.number)
    }
}
