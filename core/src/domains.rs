//! The domains that a call uses, each with its parents and the roles in which it appears, in order of first use.

mod chain;
mod insert;
mod listed;
mod names;
mod parents;
mod recent;
mod repeats;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use chain::Chain;
pub(crate) use listed::{Blacklisted, ListedDomains, content_hash};
pub(crate) use names::Names;
use parents::Parents;
use recent::RecentNames;
use smallvec::SmallVec;

use crate::bytes::{rest, text_part};
use crate::roles::DomainRoles;

/// A set of names in order of first use. Each name is directly followed by its parents, unless they were used before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    chains: SmallVec<[Chain; 2]>,
    /// The roles of each name, chain by chain.
    roles: SmallVec<[DomainRoles; 16]>,
    /// The number of the first name of every [`CHAINS_PER_BLOCK`]th chain, filled in by [`Domains::finish`].
    blocks: Vec<u32>,
    /// The texts of names that are not in the body.
    arena: String,
    /// A cache of recent names. It makes most repetitions cheap; [`Domains::finish`] finds the others.
    recent: RecentNames,
}

/// Up to this number of names, they are compared one by one. With more, the cache is worth its memory.
const MAX_UNCACHED_NAMES: usize = 8;
/// The number of chains in a block. To find a name's chain, at most one block is searched.
const CHAINS_PER_BLOCK: usize = 64;

impl Domains {
    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.roles.len()
    }

    /// The text that a chain's names are in.
    #[inline]
    fn text_of<'a>(&'a self, chain: Chain, body: &'a str) -> &'a str {
        if chain.is_in_body() {
            body
        } else {
            &self.arena
        }
    }

    /// The name that starts `at` bytes into a chain's first name, as it is in the body or the arena.
    #[inline]
    fn source<'a>(&'a self, chain: Chain, at: usize, body: &'a str) -> &'a str {
        let (start, end) = (chain.start() + at, chain.start() + chain.length());
        text_part(self.text_of(chain, body), start..end)
    }

    /// The parents of a chain's first name.
    #[inline]
    fn parents<'a>(&'a self, chain: Chain, body: &'a str) -> Parents<'a> {
        let text = self.text_of(chain, body).as_bytes();
        Parents::of(rest(text, chain.start()), chain.length())
    }

    /// A name in the form in which the host is asked about it.
    fn name<'a>(&'a self, number: u32, body: &'a str) -> Option<Cow<'a, str>> {
        let (chain, source) = self.source_of(number, body)?;
        Some(chain.asked(source))
    }

    /// The chain that has a name, and the name as it is in the body or the arena.
    fn source_of<'a>(&'a self, number: u32, body: &'a str) -> Option<(Chain, &'a str)> {
        let (chain, first) = self.chain_of(number)?;
        let start = match number.checked_sub(first)?.checked_sub(1) {
            Some(before) => self.parents(chain, body).nth(before as usize)?,
            None => 0,
        };
        Some((chain, self.source(chain, start, body)))
    }

    /// The chain that has a name, and the number of the chain's first name.
    fn chain_of(&self, number: u32) -> Option<(Chain, u32)> {
        if self.chains.len() == self.roles.len() {
            return Some((*self.chains.get(number as usize)?, number));
        }
        // Without blocks, all chains are searched.
        let blocks = self.blocks.partition_point(|first| *first <= number);
        let (block, mut first) = match blocks.checked_sub(1) {
            Some(block) => (block, *self.blocks.get(block)?),
            None => (0, 0),
        };
        for chain in self.chains.get(block * CHAINS_PER_BLOCK..)? {
            let next = first + chain.count();
            if number < next {
                return Some((*chain, first));
            }
            first = next;
        }
        None
    }

    /// All names and their roles, in order.
    pub(crate) fn iter<'a>(&'a self, body: &'a str) -> Names<'a> {
        Names {
            domains: self,
            body,
            chains: self.chains.iter(),
            chain: Chain::NONE,
            parents: Parents::NONE,
            left: 0,
            number: 0,
        }
    }

    /// The numbers of the names that are listed for a role that was asked about. A name is left out if its parents, which
    /// follow it, are listed for the same roles.
    pub(crate) fn listed(&self, answers: &[DomainRoles]) -> Vec<u32> {
        let listed_roles = |number: u32| self.listed_roles(answers, number);
        let visit = |visit: &mut dyn FnMut(u32)| {
            let mut first = 0_u32;
            for chain in &self.chains {
                let end = first + chain.count();
                let mut above = DomainRoles::NONE;
                for number in (first..end).rev() {
                    let roles = listed_roles(number);
                    if !above.contains(roles) {
                        visit(number);
                        above |= roles;
                    }
                }
                first = end;
            }
        };
        let mut count = 0_usize;
        visit(&mut |_| count += 1);
        let mut numbers = Vec::with_capacity(count);
        visit(&mut |number| numbers.push(number));
        numbers
    }

    /// The roles for which the host found a name listed. Roles that were not asked about are ignored.
    pub(crate) fn listed_roles(&self, answers: &[DomainRoles], number: u32) -> DomainRoles {
        let asked = self.roles.get(number as usize);
        let answer = answers.get(number as usize);
        match (asked, answer) {
            (Some(asked), Some(answer)) => answer.intersection(*asked),
            _ => DomainRoles::NONE,
        }
    }
}

#[cfg(test)]
mod tests;
