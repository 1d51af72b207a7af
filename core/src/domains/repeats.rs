//! The search for names that were added more than once.

use alloc::vec::Vec;
use core::iter;

use super::insert::Lower;
use super::recent::RecentNames;
use super::{CHAINS_PER_BLOCK, Domains};
use crate::bytes::bits::Bits;
use crate::bytes::distinct::{Folded, equal_groups, hash, item, tag};
use crate::bytes::{narrow, rest};
use crate::fault::Fault;

impl Domains {
    /// Removes repeated names. Each name stays at its first use. It is a fault if a name was added without its parents.
    pub(crate) fn finish(&mut self, body: &str) -> Result<(), Fault> {
        if self.chains.len() > CHAINS_PER_BLOCK {
            self.index();
        }
        if self.recent.has_forgotten {
            let repeats = self.repeats(body)?;
            if !repeats.is_empty() {
                self.drop_names(&repeats)?;
                self.index();
            }
        }
        // The numbers may have changed, and no more names are looked up.
        self.recent = RecentNames::default();
        Ok(())
    }

    /// Records the number of the first name of every [`CHAINS_PER_BLOCK`]th chain.
    fn index(&mut self) {
        self.blocks.clear();
        let mut first = 0_u32;
        for (index, chain) in self.chains.iter().enumerate() {
            if index % CHAINS_PER_BLOCK == 0 {
                self.blocks.push(first);
            }
            first += chain.count();
        }
    }

    /// The names that repeat an earlier one. The earliest of several equal names gets the roles of all.
    fn repeats(&mut self, body: &str) -> Result<Bits, Fault> {
        let mut repeats = Bits::below(self.len());
        let mut tags: Vec<u64> = Vec::with_capacity(self.len());
        let mut lower = Lower::default();
        let mut numbers = 0_u32..;
        for chain in &self.chains {
            let parents = self.parents(*chain, body);
            let mut text = parents.name();
            if chain.is_upper() {
                text = lower.of(text)?;
            }
            let starts = iter::once(0).chain(parents).take(chain.count() as usize);
            tags.extend(
                starts
                    .zip(&mut numbers)
                    .map(|(at, number)| tag(hash(rest(text, at)), number)),
            );
        }
        let mut roles = core::mem::take(&mut self.roles);
        let name = |number: u32| Some(Folded(self.source_of(number, body)?.1.as_bytes().into()));
        equal_groups(&mut tags, name, |group| {
            let [first, others @ ..] = group else {
                return;
            };
            for number in others.iter().copied().map(item) {
                repeats.insert(number as usize);
                let other = roles.get(number as usize).copied();
                let first = roles.get_mut(item(*first) as usize);
                if let Some((first, other)) = first.zip(other) {
                    *first |= other;
                }
            }
        });
        self.roles = roles;
        Ok(repeats)
    }

    /// Drops names. If a name was added before, its parents were, too. So the dropped names are the last ones of their
    /// chain.
    fn drop_names(&mut self, dropped: &Bits) -> Result<(), Fault> {
        let mut first = 0_u32;
        let mut kept = Ok(());
        self.chains.retain(|chain| {
            let names = first..first + chain.count();
            first = names.end;
            let stay = names
                .clone()
                .take_while(|number| !dropped.contains(*number as usize));
            let count = narrow(stay.count());
            let mut last = names.skip(count as usize);
            if last.any(|number| !dropped.contains(number as usize))
                || chain.keep_first(count).is_err()
            {
                kept = Err(Fault);
            }
            count > 0
        });
        self.chains.shrink_to_fit();
        let mut numbers = 0_u32..;
        self.roles.retain(|_| {
            numbers
                .next()
                .is_some_and(|number| !dropped.contains(number as usize))
        });
        self.roles.shrink_to_fit();
        kept
    }
}
