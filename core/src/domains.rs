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
pub(crate) use listed::{Blacklisted, ListedDomains};
pub(crate) use names::Names;
use parents::Parents;
use recent::Recent;
use smallvec::SmallVec;

use crate::bytes::{part, rest};
use crate::roles::DomainRoles;
use crate::wire::value::as_text;

/// A set of names in order of first use, each name's parents right behind it unless they were used before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    chains: SmallVec<[Chain; 2]>,
    /// The roles of each name, chain by chain.
    roles: SmallVec<[DomainRoles; 16]>,
    /// The number of the first name of every [`BLOCK`]th chain; made by [`Domains::finish`].
    blocks: Vec<u32>,
    arena: String,
    /// Where names were last seen: makes most repetitions cheap; [`Domains::finish`] finds the rest.
    recent: Recent,
    /// How many names there were after the last clean-up.
    clean: usize,
}

/// The number of names that are compared one by one before a table of them is worth its room.
const FEW: usize = 8;
/// The number of names from which on memory counts more than time. A call of more is made to cost, and equal names are
/// looked for in one range of hashes after the other.
const MANY: usize = if cfg!(test) { 32 } else { 1 << 19 };
/// The largest number of ranges of hashes.
const RANGES: usize = 16;
/// The number of chains in a block: a name's chain is looked for within one.
const BLOCK: usize = 64;

impl Domains {
    /// How many names there are.
    pub(crate) fn len(&self) -> usize {
        self.roles.len()
    }

    /// A chain's first name as it lies there, with what lies after it.
    #[inline]
    fn text_at<'a>(&'a self, chain: Chain, body: &'a [u8]) -> &'a [u8] {
        let text = if chain.is_in_body() {
            body
        } else {
            self.arena.as_bytes()
        };
        rest(text, chain.start())
    }

    /// A chain's first name as it lies there.
    fn source<'a>(&'a self, chain: Chain, body: &'a [u8]) -> &'a [u8] {
        part(self.text_at(chain, body), 0..chain.length())
    }

    /// The parents of that name.
    #[inline]
    fn parents<'a>(&'a self, chain: Chain, body: &'a [u8]) -> Parents<'a> {
        Parents::of(self.text_at(chain, body), chain.length())
    }

    /// Where in the body the name lies that starts `at` bytes into a chain's text, if it lies there in lower case.
    #[inline]
    fn plain(&self, chain: Chain, at: usize) -> Option<Range<usize>> {
        let is_plain = chain.is_in_body() && !chain.is_upper();
        is_plain.then(|| chain.start() + at..chain.start() + chain.length())
    }

    /// A name and its roles.
    pub(crate) fn get<'a>(
        &'a self,
        index: usize,
        body: &'a [u8],
    ) -> Option<(Cow<'a, str>, DomainRoles)> {
        let roles = *self.roles.get(index)?;
        let number = u32::try_from(index).ok()?;
        Some((as_text(self.name(number, body)?)?, roles))
    }

    /// A name in the form in which the host is asked.
    fn name<'a>(&'a self, number: u32, body: &'a [u8]) -> Option<Cow<'a, [u8]>> {
        let (chain, first) = self.chain_of(number)?;
        let source = self.source_from(chain, number.checked_sub(first)?, body)?;
        Some(chain.asked(source))
    }

    /// A name as it lies there.
    fn source_of<'a>(&'a self, number: u32, body: &'a [u8]) -> Option<&'a [u8]> {
        let (chain, first) = self.chain_of(number)?;
        self.source_from(chain, number.checked_sub(first)?, body)
    }

    /// The name `behind` places after a chain's first one, as it lies there.
    fn source_from<'a>(&'a self, chain: Chain, behind: u32, body: &'a [u8]) -> Option<&'a [u8]> {
        let mut parents = self.parents(chain, body);
        let start = match behind.checked_sub(1) {
            Some(before) => parents.nth(before as usize)?,
            None => 0,
        };
        parents.name().get(start..)
    }

    /// The chain in which a name stands, and the number of its first name.
    fn chain_of(&self, number: u32) -> Option<(Chain, u32)> {
        if self.chains.len() == self.roles.len() {
            return Some((*self.chains.get(number as usize)?, number));
        }
        // Where there are no blocks, all is one.
        let blocks = self.blocks.partition_point(|first| *first <= number);
        let (block, mut first) = match blocks.checked_sub(1) {
            Some(block) => (block, *self.blocks.get(block)?),
            None => (0, 0),
        };
        for chain in self.chains.get(block * BLOCK..)? {
            let next = first + chain.count();
            if number < next {
                return Some((*chain, first));
            }
            first = next;
        }
        None
    }

    /// All names and their roles, in order. `text` is the body once more, if it was kept as text.
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

    /// The numbers of the names for which the answer holds a role that was asked about. Left out is a name whose
    /// parent, the next name, is listed for the same roles.
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

    /// For which roles the host has found a name listed; one that was not asked about says nothing.
    pub(crate) fn listed_roles(&self, answers: &[DomainRoles], number: u32) -> DomainRoles {
        let asked = self.roles.get(number as usize);
        let answer = answers.get(number as usize);
        match (asked, answer) {
            (Some(asked), Some(answer)) => answer.intersection(*asked),
            _ => DomainRoles::NONE,
        }
    }
}

/// How many more items to make room for. `None`: the vector grows by itself. Doubling one of many items would take more
/// memory than the items.
fn room(len: usize, capacity: usize, more: usize) -> Option<usize> {
    let is_short = capacity - len < more;
    (is_short && len >= MANY).then(|| (len / 16).max(more))
}

#[cfg(test)]
mod tests;
