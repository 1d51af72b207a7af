//! The domains that the host has found on its blacklists, for quick look-ups.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::Domains;
use crate::bytes::distinct::{hash, item, tag};
use crate::roles::DomainRoles;
use crate::text::domain;

/// The domains that the host has found on its blacklists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListedDomains {
    /// All roles for which anything is listed.
    roles: DomainRoles,
    /// The listed names, each as a tag of its hash and its number in the question. They are sorted by hash, and by text
    /// where hashes are equal.
    names: Vec<u64>,
    /// For the hash of each host in HTML, a tag with the item 1 if the host or a parent of it is listed for content, and
    /// with the item 0 if not. A hash that hosts of both kinds share has both tags.
    content: Vec<u64>,
}

/// The hash by which a host in HTML is looked up. The host has to be one of the domains.
pub(crate) fn content_hash(host: &str) -> u32 {
    hash(host.trim_end_matches('.').as_bytes())
}

/// The names that were asked about, the answers, and the names that are listed.
#[derive(Clone, Copy)]
pub(crate) struct Blacklisted<'c> {
    pub(crate) sent: &'c str,
    pub(crate) domains: &'c Domains,
    pub(crate) answers: &'c [DomainRoles],
    pub(crate) listed: &'c ListedDomains,
}

impl ListedDomains {
    /// `hosts` are the hashes of the hosts in HTML ([`content_hash`]).
    pub(crate) fn new(
        domains: &Domains,
        answers: &[DomainRoles],
        sent: &str,
        hosts: &[u32],
    ) -> Self {
        // In most calls nothing is listed.
        if answers.iter().all(|roles| roles.is_empty()) {
            return Self::default();
        }
        let numbers = domains.listed(answers);
        let roles = numbers.iter().fold(DomainRoles::NONE, |roles, number| {
            roles | domains.listed_roles(answers, *number)
        });
        let name = |tag: u64| domains.name(item(tag), sent);
        let tags = numbers.into_iter().filter_map(|number| {
            let name = domains.name(number, sent)?;
            Some(tag(hash(name.as_bytes()), number))
        });
        let mut names: Vec<u64> = tags.collect();
        names.sort_unstable();
        let alike = names.chunk_by_mut(|left, right| left >> 32 == right >> 32);
        for alike in alike.filter(|alike| alike.len() > 1) {
            alike.sort_unstable_by_key(|tag| name(*tag));
        }
        let mut listed = Self {
            roles,
            names,
            content: Vec::new(),
        };
        if roles.contains(DomainRoles::CONTENT) {
            listed.content = listed.of_content(domains, answers, sent, hosts);
        }
        listed
    }

    fn of_content(
        &self,
        domains: &Domains,
        answers: &[DomainRoles],
        sent: &str,
        hosts: &[u32],
    ) -> Vec<u64> {
        let mut hosts = hosts.to_vec();
        hosts.sort_unstable();
        hosts.dedup();
        let blacklisted = Blacklisted {
            sent,
            domains,
            answers,
            listed: self,
        };
        let names = domains.iter(sent);
        let asked = names.filter(|(_, roles)| roles.contains(DomainRoles::CONTENT));
        let tags = asked.filter_map(|(name, _)| {
            let hash = content_hash(&name);
            // Most names are only parents of hosts. They need no tag, because the look-up of a host includes its parents.
            hosts.binary_search(&hash).ok()?;
            let is_listed = blacklisted.has(&name, DomainRoles::CONTENT);
            Some(tag(hash, is_listed.into()))
        });
        let mut content: Vec<u64> = tags.collect();
        content.sort_unstable();
        content.dedup();
        content
    }
}

impl<'c> Blacklisted<'c> {
    /// Whether anything is listed for the role.
    #[inline]
    pub(crate) fn is_any(self, role: DomainRoles) -> bool {
        self.listed.roles.contains(role)
    }

    /// The name by which `host` is listed for the role: its own or a parent's.
    pub(crate) fn find<'h>(self, host: &'h str, role: DomainRoles) -> Option<Cow<'h, str>> {
        if !self.is_any(role) {
            return None;
        }
        let ListedDomains { names, .. } = self.listed;
        domain::walk(host).find_map(|candidate| {
            let hash = u64::from(hash(candidate.as_bytes()));
            let found = names.binary_search_by(|tag| {
                (tag >> 32).cmp(&hash).then_with(|| {
                    let name = self.domains.name(item(*tag), self.sent);
                    name.as_deref().cmp(&Some(&*candidate))
                })
            });
            let number = item(*names.get(found.ok()?)?);
            let roles = self.domains.listed_roles(self.answers, number);
            roles.contains(role).then_some(candidate)
        })
    }

    /// Whether the host in HTML with this [`content_hash`], or a parent of it, is listed for content. `None` means that the
    /// hash does not tell.
    pub(crate) fn has_content(self, hash: u32) -> Option<bool> {
        let ListedDomains { content, .. } = self.listed;
        let is_there = |is_listed: u32| content.binary_search(&tag(hash, is_listed)).is_ok();
        let is_listed = is_there(1);
        (!is_listed || !is_there(0)).then_some(is_listed)
    }

    /// Whether `host` or a parent of it is listed for the role.
    #[inline]
    pub(crate) fn has(self, host: &str, role: DomainRoles) -> bool {
        self.find(host, role).is_some()
    }
}
