//! Where names were last seen.

use super::chain::Chain;
use crate::bytes::distinct::{Folded, Table, hash};

/// The largest number of names that are remembered. When there are more, all are forgotten.
const MOST: usize = if cfg!(test) { 56 } else { 14_336 };

/// The names that were seen last, in a table of a size that no call can choose.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent(Table<Place>);

/// Where a name was seen, and its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// As that of a [`Chain`].
    pub(super) start: u32,
    pub(super) length: u32,
    /// Whether it has upper-case letters there.
    pub(super) is_upper: bool,
    pub(super) number: u32,
}

impl Place {
    /// What lies there.
    #[inline]
    fn text<'a>(&self, body: &'a [u8], arena: &'a str) -> Option<&'a [u8]> {
        let is_in_body = self.start & Chain::IN_BODY != 0;
        let source = if is_in_body { body } else { arena.as_bytes() };
        let start = (self.start & !Chain::IN_BODY) as usize;
        source.get(start..start.saturating_add(self.length as usize))
    }

    #[inline]
    fn holds(&self, name: &[u8], body: &[u8], arena: &str) -> bool {
        match self.text(body, arena) {
            Some(text) if self.is_upper => text.eq_ignore_ascii_case(name),
            text => text == Some(name),
        }
    }
}

impl Recent {
    /// Whether a name that was seen may not be found.
    pub(super) fn has_forgotten(&self) -> bool {
        self.0.has_forgotten()
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.0.forget();
    }

    /// Notes where a name is that was not found.
    pub(super) fn put(&mut self, name: &[u8], place: Place, body: &[u8], arena: &str) {
        if self.0.len() >= MOST {
            self.0.forget();
        }
        self.0.insert(hash(name), place, |place| {
            place
                .text(body, arena)
                .map_or(0, |text| Folded(text.into()).hash())
        });
    }

    /// The number of a name in lower case.
    #[inline]
    pub(super) fn find(&mut self, name: &[u8], body: &[u8], arena: &str) -> Option<u32> {
        let place = self
            .0
            .find(hash(name), |place| place.holds(name, body, arena))?;
        Some(place.number)
    }
}
