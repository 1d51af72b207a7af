//! The names in order.

use alloc::borrow::Cow;

use super::chain::Chain;
use super::{DomainRoles, Domains, Parents};

/// The iterator that [`Domains::iter`] returns.
#[derive(Clone)]
pub(crate) struct Names<'a> {
    pub(super) domains: &'a Domains,
    pub(super) body: &'a str,
    pub(super) chains: core::slice::Iter<'a, Chain>,
    /// The chain that is being read. `parents` has the offsets of its next names, and `left` is how many of its names
    /// remain.
    pub(super) chain: Chain,
    pub(super) parents: Parents<'a>,
    pub(super) left: u32,
    pub(super) number: usize,
}

impl<'a> Iterator for Names<'a> {
    type Item = (Cow<'a, str>, DomainRoles);

    fn next(&mut self) -> Option<Self::Item> {
        let (chain, at) = if self.left == 0 {
            let chain = *self.chains.next()?;
            self.chain = chain;
            self.left = chain.count();
            if self.left > 1 {
                self.parents = self.domains.parents(chain, self.body);
            }
            (chain, 0)
        } else {
            (self.chain, self.parents.next()?)
        };
        self.left -= 1;
        let roles = *self.domains.roles.get(self.number)?;
        self.number += 1;
        let name = self.domains.source(chain, at, self.body);
        // Each arm returns on its own: a common return would copy the name and stall on store forwarding.
        if chain.is_upper() {
            return Some((Cow::Owned(name.to_ascii_lowercase()), roles));
        }
        Some((Cow::Borrowed(name), roles))
    }

    /// Passes over whole chains without reading their names, so that a host that looks up a part of the names at a time can
    /// cheaply continue where it stopped.
    fn nth(&mut self, count: usize) -> Option<Self::Item> {
        let mut passed = 0;
        let left = self.left as usize;
        if left <= count {
            passed = left;
            self.left = 0;
            while let Some(chain) = self.chains.as_slice().first() {
                let end = passed + chain.count() as usize;
                if end > count {
                    break;
                }
                passed = end;
                self.chains.next();
            }
            self.number += passed;
        }
        for _ in passed..count {
            self.next()?;
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.domains.len() - self.number;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Names<'_> {}
