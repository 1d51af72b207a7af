//! Finds names that are repeated in one object. Their hashes are sorted, so no choice of names makes the search slow.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::json::{Name, Reader};
use crate::bytes::distinct::{equal_groups, hash, item, tag};
use crate::bytes::narrow;

/// Collects the names of the objects that are open, and the repeats found in those that were closed.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// A hash and the offset of each name of the open objects, the innermost last.
    names: Vec<u64>,
    /// The offset of the second value of every repeated name.
    values: Vec<u32>,
    /// The first name of each open object, the innermost last.
    open: SmallVec<[u32; 2]>,
}

impl Repeats {
    /// Begins an object.
    pub(crate) fn open(&mut self) {
        self.open.push(narrow(self.names.len()));
    }

    /// Adds a name of the innermost object.
    #[inline]
    pub(crate) fn name(&mut self, name: &Name<'_>) {
        self.names.push(tag(hash(&name.text()), narrow(name.at)));
    }

    /// Ends the innermost object, and collects its repeats.
    pub(crate) fn close(&mut self, body: &[u8]) {
        let Some(start) = self.open.pop() else {
            return;
        };
        let Some(own) = self.names.get_mut(start as usize..) else {
            return;
        };
        let name = |at: u32| member_at(body, at).0;
        equal_groups(own, name, |group| {
            let second = group.get(1).copied().map(item);
            self.values
                .extend(second.map(|second| member_at(body, second).1));
        });
        self.names.truncate(start as usize);
    }

    /// Adds the repetition of a field. `value_at` is the offset of its second value.
    pub(crate) fn field(&mut self, value_at: usize) {
        self.values.push(narrow(value_at));
    }

    /// The offsets of all second values, by position.
    // Takes `&mut self`: moving `self` would copy what was just written, and wait for it (store forwarding).
    pub(crate) fn finish(&mut self) -> Vec<u32> {
        self.values.sort_unstable();
        core::mem::take(&mut self.values)
    }
}

/// The name at this offset, and the offset of its value. The name was read before, so it has no error.
fn member_at(body: &[u8], at: u32) -> (Cow<'_, [u8]>, u32) {
    let mut reader = Reader::at(body, at as usize);
    let name = match reader.next_name(true) {
        Ok(Some(name)) => name.text(),
        _ => Cow::Borrowed(&[][..]),
    };
    (name, narrow(reader.position()))
}
