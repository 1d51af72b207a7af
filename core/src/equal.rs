//! Finding equal items among many, in time that no choice of items can make worse than a sort's.
//!
//! Hash tables with a fixed seed can be filled with colliding keys by whoever chooses the keys, and the core has no
//! randomness. So items are sorted by a hash, and those of equal hash are compared in full.

use core::hash::{BuildHasher, Hasher};

/// A 32-bit hash, the same on every machine and in every run.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    hasher.write(bytes);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// An item as [`equal_groups`] takes it.
#[inline]
pub(crate) fn tag(hash: u32, item: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(item)
}

/// The item of a tag.
#[inline]
pub(crate) fn item(tag: u64) -> u32 {
    tag as u32
}

/// As many keys are made anew for each comparison: a cache would cost an allocation.
const FEW: usize = 8;

/// Sorts the tags and visits every group of two or more items with equal keys, in ascending order of the items.
pub(crate) fn equal_groups<K: Ord>(
    tags: &mut [u64],
    key: impl Fn(u32) -> K,
    mut visit: impl FnMut(&[u64]),
) {
    tags.sort_unstable();
    for run in tags.chunk_by_mut(|left, right| left >> 32 == right >> 32) {
        let [first, others @ ..] = &*run else {
            continue;
        };
        if others.is_empty() {
            continue;
        }
        let first_key = key(item(*first));
        if others.iter().all(|other| key(item(*other)) == first_key) {
            visit(run);
            continue;
        }
        // Different keys of one hash: rare by chance, and no worse than a sort by intent.
        if run.len() <= FEW {
            run.sort_unstable_by_key(|tag| (key(item(*tag)), item(*tag)));
        } else {
            run.sort_by_cached_key(|tag| (key(item(*tag)), item(*tag)));
        }
        for group in run.chunk_by(|left, right| key(item(*left)) == key(item(*right))) {
            if group.len() > 1 {
                visit(group);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn equal_items_are_grouped_also_when_other_items_share_their_hash() {
        let items = ["b", "a", "b", "c", "a", "a"];
        let mut tags: Vec<u64> = (0..6).map(|item| tag(7, item)).collect();
        let mut groups = vec![];
        equal_groups(
            &mut tags,
            |item| items[item as usize],
            |group| {
                groups.push(group.iter().map(|tag| item(*tag)).collect::<Vec<_>>());
            },
        );
        assert_eq!(groups, [vec![1, 4, 5], vec![0, 2]]);
    }
}
