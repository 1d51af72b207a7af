//! Adds domains. Most domains that a call uses were added before.

use core::iter;
use core::ops::Range;

use super::chain::{Chain, NameLocation};
use super::recent::{CachedName, RecentNames};
use super::{DomainRoles, Domains, MAX_UNCACHED_NAMES, Parents};
use crate::bytes::distinct::hash;
use crate::bytes::{narrow, rest, text_part};
use crate::fault::Fault;
use crate::text::address::{self, Scan, scan_ascii};
use crate::text::domain::{self, MAX_DOMAIN_LEN};
use crate::wire::address::SentAddress;
use crate::wire::entries::Entry;

/// The location of the text of a name.
#[derive(Clone, Copy)]
enum NameText<'a> {
    /// At this offset of the body.
    Body { start: usize, is_upper: bool },
    /// A text that has yet to be copied into the arena.
    Host(&'a str),
}

/// The result of adding roles to a name.
enum Noted {
    /// The name had the roles before, and so had its parents.
    Before,
    /// The name was known and has the roles now. Its parents may lack them.
    Now,
    /// The name was not found. It is new, or the cache has lost it.
    Not,
}

impl Domains {
    /// Adds the ASCII domain at `span` of the body. `is_upper` says that it has upper-case letters.
    #[inline]
    pub(crate) fn insert_body(
        &mut self,
        span: Range<usize>,
        is_upper: bool,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let text = text_part(body, span.clone());
        if !is_upper && self.was_seen(text.as_bytes(), body, roles) {
            return Ok(());
        }
        self.insert_new(span, is_upper, body, roles)
    }

    /// Whether a name in lower case is known to have these roles. Then its parents have them, too.
    #[inline]
    fn was_seen(&mut self, name: &[u8], body: &str, roles: DomainRoles) -> bool {
        // Without a cache there is nothing to find, and hashing the name would cost a call of sendMailer one per cent.
        if self.recent.is_new() {
            return false;
        }
        self.recent
            .find_name(name, body, &self.arena)
            .and_then(|number| self.roles.get(number as usize))
            .is_some_and(|known| known.contains(roles))
    }

    #[inline(never)]
    fn insert_new(
        &mut self,
        span: Range<usize>,
        is_upper: bool,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let start = span.start;
        let parents = Parents::of(rest(body.as_bytes(), start), span.len());
        let mut lower = Lower::default();
        let name = if is_upper {
            lower.of(parents.name())?
        } else {
            parents.name()
        };
        self.insert(
            name,
            parents,
            NameText::Body { start, is_upper },
            body,
            roles,
        )
    }

    /// Adds a name and its parents. `name` is in lower case, even if the body has upper-case letters.
    #[inline]
    fn insert(
        &mut self,
        name: &[u8],
        mut parents: Parents<'_>,
        text: NameText<'_>,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let mut name_at = 0;
        // The start of the chain of new names, and their number.
        let mut new: Option<(usize, usize)> = None;
        loop {
            match self.note(rest(name, name_at), body, roles) {
                Noted::Before => break,
                Noted::Now => {
                    if let Some((at, count)) = new.take() {
                        self.push(name, at, count, text, body, roles)?;
                    }
                }
                Noted::Not => {
                    new = Some(match new {
                        Some((at, count)) => (at, count + 1),
                        None => (name_at, 1),
                    });
                }
            }
            match parents.next() {
                Some(parent) => name_at = parent,
                None => break,
            }
        }
        match new {
            Some((at, count)) => self.push(name, at, count, text, body, roles),
            None => Ok(()),
        }
    }

    /// Adds the domain of the ordinary address that starts at `start` of the body.
    #[inline]
    pub(crate) fn insert_scanned(
        &mut self,
        start: usize,
        scan: Scan,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let domain = start + scan.at() + 1..start + scan.len();
        self.insert_body(domain, scan.upper_domain(), body, roles)
    }

    /// Adds the domain of an entry of an address list. It is a fault if the entry is not valid.
    pub(crate) fn insert_entry(
        &mut self,
        entry: &Entry<'_>,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let text = &*entry.text;
        let is_in_body = text_part(body, entry.span.clone()) == text;
        match scan_ascii(text.as_bytes()).filter(|_| is_in_body) {
            Some(scan) => self.insert_scanned(entry.span.start, scan, body, roles),
            None => {
                let address = address::parse(text).map_err(|_| Fault)?;
                self.insert_host(&address.domain(), body, roles)
            }
        }
    }

    /// Adds the domain of an address that was read before.
    pub(crate) fn insert_sent(
        &mut self,
        address: &SentAddress,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        match address {
            SentAddress::Plain { start, scan } => {
                self.insert_scanned(*start as usize, *scan, body, roles)
            }
            SentAddress::Other(texts) => self.insert_host(&texts.domain, body, roles),
        }
    }

    /// Adds a host in canonical form. It is a fault if the host does not fit into DNS.
    pub(crate) fn insert_host(
        &mut self,
        host: &str,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let host = host.trim_end_matches('.');
        if domain::is_numeric(host) {
            for name in domain::walk(host) {
                let alone = Parents::NONE;
                self.insert(name.as_bytes(), alone, NameText::Host(&name), body, roles)?;
            }
        } else {
            let name = host.as_bytes();
            let parents = Parents::of(name, name.len());
            self.insert(name, parents, NameText::Host(host), body, roles)?;
        }
        Ok(())
    }

    /// Adds a chain of `count` new names, the first of which starts at byte `at` of `name`.
    fn push(
        &mut self,
        name: &[u8],
        at: usize,
        count: usize,
        text: NameText<'_>,
        body: &str,
        roles: DomainRoles,
    ) -> Result<(), Fault> {
        let source = match text {
            NameText::Body { start, is_upper } => NameLocation::Body {
                start: start + at,
                is_upper,
            },
            NameText::Host(host) => NameLocation::Arena {
                start: self.keep(host.get(at..).ok_or(Fault)?),
            },
        };
        let name = rest(name, at);
        let chain = Chain::new(source, name.len(), count)?;
        let number = self.roles.len();
        self.chains.push(chain);
        match count {
            1 => self.roles.push(roles),
            count => self.roles.resize(number + count, roles),
        }
        if self.roles.len() > MAX_UNCACHED_NAMES {
            if self.recent.is_new() {
                self.remember_all(body);
            } else {
                remember(&mut self.recent, chain, narrow(number), name);
            }
        }
        Ok(())
    }

    /// Copies a name into the arena and returns its offset there.
    fn keep(&mut self, name: &str) -> usize {
        let start = self.arena.len();
        self.arena.push_str(name);
        start
    }

    fn remember_all(&mut self, body: &str) {
        let mut recent = RecentNames::default();
        let mut number = 0;
        for chain in &self.chains {
            let text = chain.asked(self.source(*chain, 0, body));
            remember(&mut recent, *chain, number, text.as_bytes());
            number += chain.count();
        }
        self.recent = recent;
    }

    /// Finds the number of a name by comparing it with all names. This is faster than the cache while there are few names.
    fn find_uncached(&self, name: &[u8], body: &str) -> Option<u32> {
        let mut first = 0_u32;
        for chain in &self.chains {
            let next = first + chain.count();
            let text = chain.asked(self.source(*chain, 0, body));
            if let Some(labels) = text.as_bytes().strip_suffix(name)
                && labels.last().is_none_or(|last| *last == b'.')
            {
                let above = labels.iter().filter(|byte| **byte == b'.').count();
                let number = first + narrow(above);
                if number < next {
                    return Some(number);
                }
            }
            first = next;
        }
        None
    }

    /// Adds the roles to a name that was added before, if it is found.
    #[inline]
    fn note(&mut self, name: &[u8], body: &str, roles: DomainRoles) -> Noted {
        let number = if self.recent.is_new() {
            self.find_uncached(name, body)
        } else {
            self.recent.find_name(name, body, &self.arena)
        };
        let Some(known) = number.and_then(|number| self.roles.get_mut(number as usize)) else {
            return Noted::Not;
        };
        if known.contains(roles) {
            return Noted::Before;
        }
        *known |= roles;
        Noted::Now
    }
}

/// Puts the names of a chain into the cache. `text` is the first name in lower case, and `first` its number.
fn remember(recent: &mut RecentNames, chain: Chain, first: u32, text: &[u8]) {
    let starts = iter::once(0).chain(Parents::of(text, text.len()));
    for (at, number) in starts.zip(first..first + chain.count()) {
        let name = rest(text, at);
        let cached = CachedName {
            start: chain.start + narrow(at),
            length: narrow(name.len()),
            number,
            hash: hash(name),
            is_upper: chain.is_upper(),
        };
        recent.put(cached);
    }
}

/// A buffer for a domain in lower case.
pub(super) struct Lower([u8; MAX_DOMAIN_LEN]);

impl Default for Lower {
    fn default() -> Self {
        Self([0; MAX_DOMAIN_LEN])
    }
}

impl Lower {
    /// The domain in lower case. It is a fault if the text is longer than any domain.
    pub(super) fn of(&mut self, domain: &[u8]) -> Result<&[u8], Fault> {
        let lower = self.0.get_mut(..domain.len()).ok_or(Fault)?;
        lower.copy_from_slice(domain);
        lower.make_ascii_lowercase();
        Ok(lower)
    }
}
