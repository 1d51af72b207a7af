//! The names in order.

use alloc::borrow::Cow;

use super::chain::Chain;
use super::{DomainRoles, Domains, Parents, as_text};

/// The iterator that [`Domains::iter`] returns.
#[derive(Clone)]
pub(crate) struct Names<'a> {
    pub(super) domains: &'a Domains,
    pub(super) body: &'a [u8],
    pub(super) text: &'a str,
    pub(super) chains: core::slice::Iter<'a, Chain>,
    /// The chain that is being read, where its next names start, and how many of its names are left.
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
            (self.chain, self.parents.next().unwrap_or(usize::MAX))
        };
        self.left = self.left.saturating_sub(1);
        let roles = self.domains.roles.get(self.number).copied();
        let roles = roles.unwrap_or_default();
        self.number = self.number.saturating_add(1);
        let plain = self.domains.plain(chain, at);
        // Each is returned where it is found: store forwarding.
        match plain.and_then(|plain| self.text.get(plain)) {
            Some(name) => Some((Cow::Borrowed(name), roles)),
            None => Some((self.made(chain, at), roles)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.domains.len().saturating_sub(self.number);
        (left, Some(left))
    }
}

impl<'a> Names<'a> {
    /// The name that starts so far into a chain's text, of one that does not lie in the body as text. Apart from
    /// [`Names::next`], which then is short for calls that have few.
    #[inline(never)]
    fn made(&self, chain: Chain, at: usize) -> Cow<'a, str> {
        let source = self.domains.source(chain, self.body);
        let name = chain.asked(source.get(at..).unwrap_or_default());
        as_text(name).unwrap_or_default()
    }
}

impl ExactSizeIterator for Names<'_> {}
