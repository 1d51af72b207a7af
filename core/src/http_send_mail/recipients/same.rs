//! Which recipients are the same address.

use alloc::vec::Vec;

use super::MANY;
use crate::bytes::bits::Bits;
use crate::bytes::distinct::{Folded, GONE, Ranges, Table, equal_groups, item, leave_two, tag};
use crate::bytes::narrow;

/// The number of entries that are compared at once. More are compared by ranges of their hashes.
const RANGE: usize = MANY / 4;

/// The largest number of ranges of hashes.
const RANGES: usize = 64;

/// Which entries are equal to an earlier one, as it is found out.
pub(super) struct Equal<'e> {
    /// Equal to an earlier entry of the same request.
    pub(super) repeats: Bits,
    /// At first the hash of each entry. Once it was judged, [`Equal::NONE`]; but for an entry that is equal to an
    /// earlier one of another request, and if all are numbered for every repetition: the first equal entry.
    pub(super) numbers: Vec<u32>,
    /// How many there are of either.
    pub(super) repeated: u32,
    pub(super) again: usize,
    pub(super) ends: &'e [u32],
    pub(super) numbers_all: bool,
}

impl<'e> Equal<'e> {
    pub(super) const NONE: u32 = u32::MAX;

    pub(super) fn new(hashes: Vec<u32>, ends: &'e [u32], numbers_all: bool) -> Self {
        Self {
            repeats: Bits::below(hashes.len()),
            numbers: hashes,
            repeated: 0,
            again: 0,
            ends,
            numbers_all,
        }
    }

    fn request_of(&self, entry: u32) -> usize {
        self.ends.partition_point(|end| *end <= entry)
    }

    /// Judges all entries.
    pub(super) fn judge_all<'b>(&mut self, key: impl Fn(u32) -> Folded<'b>) {
        if self.numbers.len() > MANY || !self.judge_by_table(&key) {
            self.judge_by_ranges(key);
        }
    }

    /// Judges all entries by a table of their hashes. If that gives up, it leaves everything as it was.
    fn judge_by_table<'b>(&mut self, key: &impl Fn(u32) -> Folded<'b>) -> bool {
        let count = self.numbers.len();
        // The last entry of each address.
        let mut table: Table<u32> = Table::with_capacity(count);
        for entry in 0..narrow(count) {
            let Some(slot) = self.numbers.get_mut(entry as usize) else {
                break;
            };
            let hash = core::mem::replace(slot, Self::NONE);
            let Some(slot) = table.find(hash, |last| key(*last) == key(entry)) else {
                if table.has_forgotten() {
                    self.take_back(key);
                    return false;
                }
                table.insert(hash, entry, |entry| key(*entry).hash());
                continue;
            };
            let last = core::mem::replace(slot, entry);
            let first = self.numbers.get(last as usize).copied();
            let first = first.filter(|first| *first != Self::NONE).unwrap_or(last);
            let is_repeat = self.request_of(last) == self.request_of(entry);
            self.found(entry, first, is_repeat);
            if let Some(number) = self.numbers.get_mut(entry as usize) {
                *number = first;
            }
        }
        true
    }

    /// Undoes what was judged.
    fn take_back<'b>(&mut self, key: &impl Fn(u32) -> Folded<'b>) {
        for (entry, slot) in (0..).zip(&mut self.numbers) {
            *slot = key(entry).hash();
        }
        self.repeats = Bits::below(self.numbers.len());
        self.repeated = 0;
        self.again = 0;
    }

    /// Judges the entries from `judged` on; those before were judged before, with the same firsts. Leaves the first and
    /// the last entry of each address.
    fn judge<'b>(&mut self, tags: &mut [u64], key: impl Fn(u32) -> Folded<'b>, judged: u32) {
        equal_groups(tags, key, |group| {
            let [first, others @ ..] = &*group else {
                return;
            };
            let first = item(*first);
            let mut before = self.request_of(first);
            for entry in others.iter().copied().map(item) {
                let request = self.request_of(entry);
                if entry >= judged {
                    self.found(entry, first, request == before);
                }
                before = request;
            }
            leave_two(group);
        });
    }

    fn found(&mut self, entry: u32, first: u32, is_repeat: bool) {
        if is_repeat {
            self.repeats.insert(entry);
            self.repeated += 1;
        } else {
            self.again += 1;
        }
        if is_repeat && !self.numbers_all {
            return;
        }
        if let Some(number) = self.numbers.get_mut(entry as usize) {
            *number = first;
        }
    }

    /// Judges all entries by ranges of hashes; of each address that stands often only the first and the last entry are
    /// kept meanwhile.
    fn judge_by_ranges<'b>(&mut self, key: impl Fn(u32) -> Folded<'b>) {
        let count = self.numbers.len();
        let ranges = Ranges::new(count, RANGE, RANGES);
        let mut taken = Bits::below(count);
        let mut tags: Vec<u64> = Vec::new();
        for range in ranges.numbers() {
            tags.clear();
            let mut limit = RANGE * 2;
            let mut judged = 0;
            for entry in 0..narrow(count) {
                let Some(slot) = self.numbers.get_mut(entry as usize) else {
                    break;
                };
                let hash = *slot;
                if !ranges.has(range, hash) || taken.contains(entry) {
                    continue;
                }
                taken.insert(entry);
                *slot = Self::NONE;
                if tags.len() >= limit {
                    self.judge(&mut tags, &key, judged);
                    tags.retain(|tag| *tag != GONE);
                    judged = entry;
                    limit = limit.max(tags.len() * 2);
                }
                if tags.len() == tags.capacity() {
                    tags.reserve_exact((tags.len() / 4).max(RANGE / 4));
                }
                tags.push(tag(hash, entry));
            }
            self.judge(&mut tags, &key, judged);
        }
    }
}
