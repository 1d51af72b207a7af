//! Finds equal items among many. No choice of items makes the search much slower.
//!
//! The core has no randomness, so an attacker can choose items whose hashes are equal. A hash table would then compare each
//! item with all others. [`equal_groups`] sorts instead, which is fast for any items.

use alloc::borrow::Cow;
use core::cmp::Ordering;
use core::hash::{BuildHasher, Hasher};

/// A 32-bit hash, the same on every machine and in every run. A simpler hash, such as Fx, too often gives the parents of
/// one long name equal hashes, and items with equal hashes are compared.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    hasher.write(bytes);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// A hash and an item in the form that [`equal_groups`] takes.
#[inline]
pub(crate) fn tag(hash: u32, item: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(item)
}

/// The item of a tag.
#[inline]
pub(crate) fn item(tag: u64) -> u32 {
    tag as u32
}

/// A text that is compared without regard to ASCII case. It is compared in place, because a lower-case copy would cost an
/// allocation for each comparison.
#[derive(Clone, Debug)]
pub(crate) struct Folded<'k>(pub(crate) Cow<'k, [u8]>);

impl Folded<'_> {
    fn lower(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(u8::to_ascii_lowercase)
    }
}

impl PartialEq for Folded<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Folded<'_> {}

impl PartialOrd for Folded<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Folded<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.lower().cmp(other.lower())
    }
}

/// Sorts the tags and visits every group of two or more items with equal keys, in ascending order of the items.
pub(crate) fn equal_groups<K: Ord>(
    tags: &mut [u64],
    key: impl Fn(u32) -> K,
    mut visit: impl FnMut(&mut [u64]),
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
        // Different keys seldom share a hash by chance. An attacker who makes them collide causes no more work than this
        // sort.
        run.sort_by_cached_key(|tag| (key(item(*tag)), item(*tag)));
        for group in run.chunk_by_mut(|left, right| key(item(*left)) == key(item(*right))) {
            if group.len() > 1 {
                visit(group);
            }
        }
    }
}

#[cfg(test)]
mod tests;
