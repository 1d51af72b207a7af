//! Names that stand twice in one object, found in linear time whatever the names.

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
    /// The offset of the second value of every name that stands twice.
    values: Vec<u32>,
    /// The first name of each open object, the innermost last.
    open: SmallVec<[u32; 2]>,
}

impl Repeats {
    /// An object is opened.
    pub(crate) fn open(&mut self) {
        self.open.push(narrow(self.names.len()));
    }

    /// A name of the innermost object.
    #[inline]
    pub(crate) fn name(&mut self, name: &Name<'_>) {
        self.names.push(tag(hash(&name.text()), narrow(name.at)));
    }

    /// The innermost object ends.
    pub(crate) fn close(&mut self, body: &[u8]) {
        let Some(start) = self.open.pop() else {
            return;
        };
        let Some(own) = self.names.get_mut(start as usize..) else {
            return;
        };
        let name = |at: u32| name_at(body, at);
        equal_groups(own, name, |group| {
            let second = group.get(1).copied().map(item);
            self.values
                .extend(second.map(|second| value_of_name_at(body, second)));
        });
        self.names.truncate(start as usize);
    }

    /// A field of the interface stands a second time, here.
    pub(crate) fn field(&mut self, value_at: usize) {
        self.values.push(narrow(value_at));
    }

    /// The offsets of all second values, by position.
    // Of a reference: taking all of it would copy what was just written, and wait for it (store forwarding).
    pub(crate) fn finish(&mut self) -> Vec<u32> {
        self.values.sort_unstable();
        core::mem::take(&mut self.values)
    }
}

fn name_at(body: &[u8], at: u32) -> Cow<'_, [u8]> {
    let mut reader = Reader::at(body, at as usize);
    match reader.next_name(true) {
        Ok(Some(name)) => name.text(),
        _ => Cow::Borrowed(&[]),
    }
}

fn value_of_name_at(body: &[u8], at: u32) -> u32 {
    let mut reader = Reader::at(body, at as usize);
    // The name was read before, so it has no error. It is read again for the place behind it.
    let _ = reader.next_name(true);
    narrow(reader.position())
}
