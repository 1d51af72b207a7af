//! Finds recipients that are the same address.

use alloc::vec::Vec;

use crate::bytes::bits::Bits;
use crate::bytes::distinct::{Folded, equal_groups, item, tag};

/// The index that means that an entry is equal to none of the earlier ones.
pub(super) const NONE: u32 = u32::MAX;

/// Returns for each entry the first entry that is equal to it, or [`NONE`] if that is the entry itself. Also returns the
/// entries that are equal to an earlier entry of the same request.
///
/// Entries are told apart by the hashes of their keys, and by the keys where hashes are equal. `ends` has the end of each
/// request's range of entries, ascending.
pub(super) fn firsts<'b>(
    hashes: Vec<u32>,
    ends: &[u32],
    key: impl Fn(u32) -> Folded<'b>,
) -> (Vec<u32>, Bits) {
    let request_of = |entry: u32| ends.partition_point(|end| *end <= entry);
    let tagged = (0..).zip(&hashes).map(|(entry, hash)| tag(*hash, entry));
    let mut tags: Vec<u64> = tagged.collect();
    let mut repeats = Bits::below(hashes.len());
    let mut firsts = hashes;
    firsts.fill(NONE);
    equal_groups(&mut tags, key, |group| {
        let [first, others @ ..] = &*group else {
            return;
        };
        let first = item(*first);
        let mut before = request_of(first);
        for entry in others.iter().copied().map(item) {
            let request = request_of(entry);
            if request == before {
                repeats.insert(entry as usize);
            }
            before = request;
            if let Some(slot) = firsts.get_mut(entry as usize) {
                *slot = first;
            }
        }
    });
    (firsts, repeats)
}
