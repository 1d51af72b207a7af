//! Names that stand twice in one object, found in linear time whatever the names.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::json::{Name, Reader};
use crate::equal::{equal_groups, hash, tag};

/// Collects the names of the objects that are open, and the repeats found in those that were closed.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// A hash and the offset of each name of the open objects, the innermost last.
    names: Vec<u64>,
    /// The offset of the second value of every name that stands twice.
    values: Vec<u32>,
}

impl Repeats {
    /// An object is opened: what [`Repeats::close`] wants back.
    pub(crate) fn open(&self) -> usize {
        self.names.len()
    }

    /// A name of the innermost object.
    pub(crate) fn name(&mut self, name: &Name<'_>) {
        self.names.push(tag(
            hash(&name.text()),
            u32::try_from(name.at).unwrap_or(u32::MAX),
        ));
    }

    /// The innermost object ends.
    pub(crate) fn close(&mut self, opened: usize, body: &[u8]) {
        let Self { names, values } = self;
        let Some(own) = names.get_mut(opened..) else {
            return;
        };
        if own.len() > 1 {
            equal_groups(
                own,
                |at| name_at(body, at),
                |group| {
                    if let [_, second, ..] = group {
                        values.push(value_of_name_at(body, *second as u32));
                    }
                },
            );
        }
        names.truncate(opened);
    }

    /// A field of the interface stands a second time, here.
    pub(crate) fn field(&mut self, value_at: usize) {
        self.values
            .push(u32::try_from(value_at).unwrap_or(u32::MAX));
    }

    /// The offsets of all second values, by position.
    pub(crate) fn finish(mut self) -> Vec<u32> {
        self.values.sort_unstable();
        self.values
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
    // The name was read before: it is read again only for the place behind it.
    let _ = reader.next_name(true);
    u32::try_from(reader.position()).unwrap_or(u32::MAX)
}
