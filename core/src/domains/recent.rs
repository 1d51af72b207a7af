//! Where names were last seen.

use super::chain::Chain;
use crate::bytes::distinct::{Table, hash};

/// The largest number of names that are remembered. When there are more, all are forgotten.
const MOST: usize = if cfg!(test) { 56 } else { 14_336 };

/// The number of names for which there is room at first.
const ROOM: usize = 56;

/// The names that were seen last, in a table of a size that no call can choose.
pub(super) type Recent = Table<Place>;

/// Where a name was seen, and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// As that of a [`Chain`].
    pub(super) start: u32,
    pub(super) length: u32,
    pub(super) number: u32,
    /// Of the name in lower case.
    pub(super) hash: u32,
    /// Whether it has upper-case letters there.
    pub(super) is_upper: bool,
}

impl Place {
    /// Whether a name lies there.
    #[inline]
    fn holds(&self, name: &[u8], body: &[u8], arena: &str) -> bool {
        let is_in_body = self.start & Chain::IN_BODY != 0;
        let source = if is_in_body { body } else { arena.as_bytes() };
        let start = (self.start & !Chain::IN_BODY) as usize;
        match source.get(start..start + self.length as usize) {
            Some(text) if self.is_upper => text.eq_ignore_ascii_case(name),
            text => text == Some(name),
        }
    }
}

impl Recent {
    /// Notes where a name is that was not found.
    pub(super) fn put(&mut self, place: Place) {
        if self.is_new() {
            *self = Table::with_capacity(ROOM);
        } else if self.len() >= MOST {
            self.forget();
        }
        self.insert(place.hash, place, |place| place.hash);
    }

    /// The number of a name in lower case.
    #[inline]
    pub(super) fn find_name(&mut self, name: &[u8], body: &[u8], arena: &str) -> Option<u32> {
        let hash = hash(name);
        let is_name = |place: &Place| place.hash == hash && place.holds(name, body, arena);
        self.find(hash, is_name).map(|place| place.number)
    }
}
