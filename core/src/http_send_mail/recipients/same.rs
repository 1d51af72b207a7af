//! Finds recipients that are the same address.

use alloc::vec::Vec;

use crate::bytes::bits::Bits;
use crate::bytes::distinct::{Folded, equal_groups, item, tag};

/// The entries that are equal to an earlier entry.
pub(super) struct Equal {
    /// The entries that are equal to an earlier entry of the same request.
    pub(super) repeats: Bits,
    /// For each entry, the first entry that is equal to it; [`Equal::NONE`] if that is the entry itself.
    pub(super) firsts: Vec<u32>,
    /// The number of entries that are equal to an earlier entry of the same request.
    pub(super) repeated: u32,
    /// The number of entries that are equal to earlier entries of other requests only.
    pub(super) again: usize,
}

impl Equal {
    pub(super) const NONE: u32 = u32::MAX;

    /// Judges all entries by the hashes of their keys. `ends` has the end of each request's range of entries, ascending.
    pub(super) fn judge<'b>(
        hashes: Vec<u32>,
        ends: &[u32],
        key: impl Fn(u32) -> Folded<'b>,
    ) -> Self {
        let request_of = |entry: u32| ends.partition_point(|end| *end <= entry);
        let tagged = (0..).zip(&hashes).map(|(entry, hash)| tag(*hash, entry));
        let mut tags: Vec<u64> = tagged.collect();
        let mut equal = Self {
            repeats: Bits::below(hashes.len()),
            firsts: hashes,
            repeated: 0,
            again: 0,
        };
        equal.firsts.fill(Self::NONE);
        equal_groups(&mut tags, key, |group| {
            let [first, others @ ..] = &*group else {
                return;
            };
            let first = item(*first);
            let mut before = request_of(first);
            for entry in others.iter().copied().map(item) {
                let request = request_of(entry);
                equal.found(entry, first, request == before);
                before = request;
            }
        });
        equal
    }

    fn found(&mut self, entry: u32, first: u32, is_repeat: bool) {
        if is_repeat {
            self.repeats.insert(entry as usize);
            self.repeated += 1;
        } else {
            self.again += 1;
        }
        if let Some(slot) = self.firsts.get_mut(entry as usize) {
            *slot = first;
        }
    }
}
