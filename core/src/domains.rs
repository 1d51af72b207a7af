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
use core::ops::Range;

use chain::Chain;
pub(crate) use listed::{Blacklisted, ListedDomains, content_hash};
pub(crate) use names::Names;
use parents::Parents;
use recent::RecentNames;
use smallvec::SmallVec;

use crate::bytes::{part, rest};
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

    /// The text from the start of a chain's first name on, as it is in the body or the arena.
    #[inline]
    fn text_at<'a>(&'a self, chain: Chain, body: &'a [u8]) -> &'a [u8] {
        let text = if chain.is_in_body() {
            body
        } else {
            self.arena.as_bytes()
        };
        rest(text, chain.start())
    }

    /// A chain's first name, as it is in the body or the arena.
    fn source<'a>(&'a self, chain: Chain, body: &'a [u8]) -> &'a [u8] {
        part(self.text_at(chain, body), 0..chain.length())
    }

    /// The parents of a chain's first name.
    #[inline]
    fn parents<'a>(&'a self, chain: Chain, body: &'a [u8]) -> Parents<'a> {
        Parents::of(self.text_at(chain, body), chain.length())
    }

    /// The range in the body of the name that starts `at` bytes into a chain's text; `None` unless the body has it in lower
    /// case.
    #[inline]
    fn plain(&self, chain: Chain, at: usize) -> Option<Range<usize>> {
        let is_plain = chain.is_in_body() && !chain.is_upper();
        is_plain.then(|| chain.start() + at..chain.start() + chain.length())
    }

    /// A name in the form in which the host is asked about it.
    fn name<'a>(&'a self, number: u32, body: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let (chain, first) = self.chain_of(number)?;
        let source = self.source_from(chain, number.checked_sub(first)?, body)?;
        Some(chain.asked(source))
    }

    /// A name, as it is in the body or the arena.
    fn source_of<'a>(&'a self, number: u32, body: &'a [u8]) -> Option<&'a [u8]> {
        let (chain, first) = self.chain_of(number)?;
        self.source_from(chain, number.checked_sub(first)?, body)
    }

    /// The name `offset` names after a chain's first name, as it is in the body or the arena.
    fn source_from<'a>(&'a self, chain: Chain, offset: u32, body: &'a [u8]) -> Option<&'a [u8]> {
        let mut parents = self.parents(chain, body);
        let start = match offset.checked_sub(1) {
            Some(before) => parents.nth(before as usize)?,
            None => 0,
        };
        parents.name().get(start..)
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

    /// All names and their roles, in order. `text` is the same body as a `str`, or empty.
    pub(crate) fn iter<'a>(&'a self, body: &'a [u8], text: &'a str) -> Names<'a> {
        Names {
            domains: self,
            body,
            text,
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
