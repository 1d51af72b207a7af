//! Finding equal items among many, in time that no choice of items can make much worse.
//!
//! The core has no randomness, so whoever chooses the items can choose them to share their hashes. A [`Table`] finds an
//! equal item at once and gives up when it compares too much; [`equal_groups`] sorts, and is quick whatever the items are.

use alloc::borrow::Cow;
use core::cmp::Ordering;
use core::hash::{BuildHasher, Hasher};
use core::ops::Range;

use hashbrown::HashTable;

/// A 32-bit hash, the same on every machine and in every run. A simpler one, such as Fx, gives the parents of one long name
/// hashes that are equal too often, and equal hashes are compared.
#[inline]
pub(crate) fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = foldhash::fast::FixedState::with_seed(0).build_hasher();
    hasher.write(bytes);
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// A hash as [`HashTable`] takes it, which looks at the lowest and at the highest bits.
#[inline]
fn wide(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// Items that are found by their hash. It may forget them, and tells when it did.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    items: HashTable<T>,
    /// How many items may still be compared that turn out to be others. At 0 nothing is found any more.
    patience: usize,
    has_forgotten: bool,
}

/// The number of other items that may be compared before any is found.
const PATIENCE: usize = 64;
/// The number of other items that a search may compare on average: without intent it is one in eight searches.
const MOST_OTHERS: usize = 4;

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl<T> Table<T> {
    /// An empty one, with room for this many items.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self {
            items: HashTable::with_capacity(count),
            patience: PATIENCE,
            has_forgotten: false,
        }
    }

    /// Whether nothing was put in yet.
    #[inline]
    pub(crate) fn is_new(&self) -> bool {
        self.items.capacity() == 0
    }

    /// How many items it holds.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether an item that was put in may not be found.
    pub(crate) fn has_forgotten(&self) -> bool {
        self.has_forgotten || self.patience == 0
    }

    /// Forgets everything.
    #[cold]
    pub(crate) fn forget(&mut self) {
        self.items.clear();
        self.patience = PATIENCE;
        self.has_forgotten = true;
    }

    /// The item of this hash that is equal to the one that is looked for.
    #[inline]
    pub(crate) fn find(&mut self, hash: u32, is_equal: impl Fn(&T) -> bool) -> Option<&mut T> {
        let Self {
            items, patience, ..
        } = self;
        if *patience == 0 {
            return None;
        }
        *patience += MOST_OTHERS;
        let found = items.find_mut(wide(hash), |item| {
            let is_equal = is_equal(item);
            *patience -= usize::from(!is_equal);
            // Without patience any item ends the search.
            is_equal || *patience == 0
        });
        found.filter(|_| *patience > 0)
    }

    /// Puts an item in that was not found. `hash_of` is asked for the hashes of others when the table grows.
    pub(crate) fn insert(&mut self, hash: u32, item: T, hash_of: impl Fn(&T) -> u32) {
        if self.patience == 0 {
            self.forget();
        }
        self.items
            .insert_unique(wide(hash), item, |item| wide(hash_of(item)));
    }
}

/// Hashes divided into ranges of equal width. A finder that has to look at millions of items looks at one range after the
/// other: its table then holds one range at a time, which saves memory.
#[derive(Clone, Copy)]
pub(crate) struct Ranges(u64);

impl Ranges {
    /// One for every `each` of `count` items, but at most `most`: each costs a look at all hashes.
    pub(crate) fn new(count: usize, each: usize, most: usize) -> Self {
        Self((count / each + 1).min(most) as u64)
    }

    /// Their numbers.
    pub(crate) fn numbers(self) -> Range<u64> {
        0..self.0
    }

    /// Whether the range of that number has the hash.
    #[inline]
    pub(crate) fn has(self, range: u64, hash: u32) -> bool {
        (u64::from(hash) * self.0) >> 32 == range
    }
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

/// A text whose case does not matter, compared in ASCII lower case where it lies: a copy in lower case would cost an
/// allocation for each comparison.
#[derive(Clone, Debug)]
pub(crate) struct Folded<'k>(pub(crate) Cow<'k, [u8]>);

impl Folded<'_> {
    fn lower(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(u8::to_ascii_lowercase)
    }

    /// The [`hash`] of the text in lower case.
    pub(crate) fn hash(&self) -> u32 {
        if self.0.iter().any(u8::is_ascii_uppercase) {
            return hash(&self.0.to_ascii_lowercase());
        }
        hash(&self.0)
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

/// A tag of no item: it takes the place of one that is not needed any more.
pub(crate) const GONE: u64 = u64::MAX;

/// Leaves the first and the last of a group, which tell all that is to be known of it when equal items follow.
pub(crate) fn leave_two(group: &mut [u64]) {
    if let [_, between @ .., _] = group {
        between.fill(GONE);
    }
}

/// The number of keys that are made anew for each comparison: a cache would cost an allocation.
const FEW: usize = 8;

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
        // Different keys seldom share a hash by chance. If they do so by intent, this sort is what it costs.
        if run.len() <= FEW {
            run.sort_unstable_by_key(|tag| (key(item(*tag)), item(*tag)));
        } else {
            run.sort_by_cached_key(|tag| (key(item(*tag)), item(*tag)));
        }
        for group in run.chunk_by_mut(|left, right| key(item(*left)) == key(item(*right))) {
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
    fn folded_texts_are_equal_and_ordered_as_in_lower_case() {
        let texts: [&[u8]; 6] = [b"a", b"B", b"b", b"Ab", b"aB", b"a_"];
        for (left, right) in texts
            .iter()
            .flat_map(|left| texts.map(|right| (left, right)))
        {
            let lower = (left.to_ascii_lowercase(), right.to_ascii_lowercase());
            let folded = (Folded((*left).into()), Folded(right.into()));
            assert_eq!(folded.0 == folded.1, lower.0 == lower.1);
            assert_eq!(folded.0.cmp(&folded.1), lower.0.cmp(&lower.1));
        }
    }

    /// Puts numbers in and looks for them; how many were found at once.
    fn found_at_once(count: u32, hash: impl Fn(u32) -> u32) -> (u32, Table<u32>) {
        let mut table = Table::default();
        let mut found = 0;
        for number in 0..count {
            if table.find(hash(number), |there| *there == number).is_none() {
                table.insert(hash(number), number, |there| hash(*there));
            }
            let again = table.find(hash(number), |there| *there == number);
            found += u32::from(again.copied() == Some(number));
        }
        (found, table)
    }

    #[test]
    fn a_table_finds_every_item_that_was_put_in() {
        let (found, mut table) = found_at_once(5000, |number| hash(&number.to_le_bytes()));
        assert_eq!((found, table.len()), (5000, 5000));
        assert!(!table.has_forgotten());
        for number in 0..6000_u32 {
            let there = table.find(hash(&number.to_le_bytes()), |there| *there == number);
            assert_eq!(there.is_some(), number < 5000);
        }
        table.forget();
        assert!(table.has_forgotten() && table.len() == 0);
    }

    #[test]
    fn a_table_forgets_items_that_share_their_hash_and_says_so() {
        let (_, table) = found_at_once(5000, |_| 7);
        assert!(table.has_forgotten());
        assert!(table.len() < 100, "{}", table.len());
    }

    #[test]
    fn a_table_of_items_that_share_their_hash_compares_few_for_each() {
        let compared = core::cell::Cell::new(0);
        let mut table = Table::default();
        for number in 0..5000_u32 {
            let is_equal = |there: &u32| {
                compared.set(compared.get() + 1);
                *there == number
            };
            if table.find(7, is_equal).is_none() {
                table.insert(7, number, |_| 7);
            }
        }
        assert!(
            compared.get() < 5000 * (MOST_OTHERS + 8),
            "{}",
            compared.get()
        );
    }

    #[test]
    fn every_hash_is_in_one_range() {
        for count in [0, 10, 95, 1000] {
            let ranges = Ranges::new(count, 10, 16);
            assert_eq!(ranges.numbers().count(), (count / 10 + 1).min(16));
            for hash in [0, 1, u32::MAX / 2, u32::MAX / 16 * 15 + 99, u32::MAX] {
                let of_it = ranges.numbers().filter(|range| ranges.has(*range, hash));
                assert_eq!(of_it.count(), 1);
            }
        }
    }

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
