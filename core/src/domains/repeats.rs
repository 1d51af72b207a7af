//! Finding the names that were noted more than once.

use alloc::vec::Vec;

use super::insert::Lower;
use super::{BLOCK, DomainRoles, Domains, MANY, RANGES, room};
use crate::bytes::bits::Bits;
use crate::bytes::distinct::{Folded, Ranges, equal_groups, hash, item, tag};
use crate::bytes::rest;

impl Domains {
    pub(super) fn clean_up_now_and_then(&mut self, body: &[u8]) {
        if self.len() > self.clean.saturating_mul(2).saturating_add(0x1_0000) {
            self.finish(body);
        }
    }

    /// Leaves each name once, where it was first used.
    pub(crate) fn finish(&mut self, body: &[u8]) {
        if self.chains.len() > BLOCK {
            self.index();
        }
        if self.recent.has_forgotten() {
            let repeats = self.repeats(body);
            if !repeats.is_empty() {
                self.drop_names(&repeats);
                self.index();
                // The numbers have moved.
                self.recent.forget();
            }
        }
        self.clean = self.len();
    }

    /// Notes where every [`BLOCK`]th chain starts.
    fn index(&mut self) {
        self.blocks.clear();
        let mut first = 0_u32;
        for (index, chain) in self.chains.iter().enumerate() {
            if index % BLOCK == 0 {
                self.blocks.push(first);
            }
            first = first.saturating_add(chain.count());
        }
    }

    /// The names that stand a second time; the first gets all their roles.
    fn repeats(&mut self, body: &[u8]) -> Bits {
        let mut repeats = Bits::below(self.len());
        let ranges = Ranges::new(self.len(), MANY, RANGES);
        let mut tags: Vec<u64> = Vec::new();
        let mut lower = Lower::default();
        let mut roles = core::mem::take(&mut self.roles);
        for range in ranges.numbers() {
            tags.clear();
            let mut number = 0_u32;
            for chain in &self.chains {
                let mut parents = self.parents(*chain, body);
                let mut text = parents.name();
                if chain.is_upper() {
                    text = lower.of(text);
                }
                let mut at = 0;
                for _ in 0..chain.count() {
                    let hash = hash(rest(text, at));
                    if ranges.has(range, hash) {
                        if let Some(more) = room(tags.len(), tags.capacity(), 1) {
                            tags.reserve_exact(more);
                        }
                        tags.push(tag(hash, number));
                    }
                    number = number.saturating_add(1);
                    at = parents.next().unwrap_or(text.len());
                }
            }
            let name = |number: u32| Some(Folded(self.source_of(number, body)?.into()));
            equal_groups(&mut tags, name, |group| {
                let mut all = DomainRoles::NONE;
                for number in group.iter().copied().map(item) {
                    repeats.insert(number);
                    all |= roles.get(number as usize).copied().unwrap_or(all);
                }
                if let Some(first) = group.first().copied().map(item) {
                    repeats.remove(first);
                    if let Some(first) = roles.get_mut(first as usize) {
                        *first = all;
                    }
                }
            });
        }
        self.roles = roles;
        repeats
    }

    /// Drops names. With a name its parents are known, so those that go are the last of their chain.
    fn drop_names(&mut self, dropped: &Bits) {
        let mut numbers = 0_u32..;
        self.chains.retain(|chain| {
            let names = numbers.by_ref().take(chain.count() as usize);
            chain.set_count(
                names
                    .map(|number| u32::from(!dropped.contains(number)))
                    .sum(),
            );
            chain.count() > 0
        });
        self.chains.shrink_to_fit();
        let mut numbers = 0_u32..;
        self.roles.retain(|_| {
            numbers
                .next()
                .is_some_and(|number| !dropped.contains(number))
        });
        self.roles.shrink_to_fit();
    }
}
