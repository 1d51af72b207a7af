//! The domains that the host has found on its blacklists, for quick look-ups.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::Domains;
use crate::roles::DomainRoles;
use crate::text::domain;

/// The domains that the host has found on its blacklists.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListedDomains {
    /// All roles for which anything is listed.
    roles: DomainRoles,
    /// The listed names by their number in the question, ordered by their text.
    names: Vec<u32>,
}

/// The names that were asked about, what was answered, and which of them are listed.
#[derive(Clone, Copy)]
pub(crate) struct Blacklisted<'c> {
    pub(crate) bytes: &'c [u8],
    pub(crate) domains: &'c Domains,
    pub(crate) answers: &'c [DomainRoles],
    pub(crate) listed: &'c ListedDomains,
}

impl ListedDomains {
    pub(crate) fn new(domains: &Domains, answers: &[DomainRoles], bytes: &[u8]) -> Self {
        // In most calls nothing is listed.
        if answers.iter().all(|roles| roles.is_empty()) {
            return Self::default();
        }
        let mut names = domains.listed(answers);
        let roles = names.iter().fold(DomainRoles::NONE, |roles, number| {
            roles | domains.listed_roles(answers, *number)
        });
        names.sort_unstable_by(|left, right| {
            name(domains, *left, bytes).cmp(&name(domains, *right, bytes))
        });
        Self { roles, names }
    }
}

impl<'c> Blacklisted<'c> {
    /// Whether anything is listed for the role.
    #[inline]
    pub(crate) fn is_any(self, role: DomainRoles) -> bool {
        self.listed.roles.contains(role)
    }

    /// The name by which `host` is listed for the role: its own or a parent's.
    pub(crate) fn find(self, host: &str, role: DomainRoles) -> Option<Cow<'c, str>> {
        if !self.is_any(role) {
            return None;
        }
        let ListedDomains { names, .. } = self.listed;
        domain::walk(host).find_map(|candidate| {
            let found = names.binary_search_by(|number| {
                name(self.domains, *number, self.bytes)
                    .as_deref()
                    .cmp(&Some(&*candidate))
            });
            let number = *names.get(found.ok()?)?;
            let roles = self.domains.listed_roles(self.answers, number);
            let name = name(self.domains, number, self.bytes);
            name.filter(|_| roles.contains(role))
        })
    }

    /// Whether `host` or a parent of it is listed for the role.
    #[inline]
    pub(crate) fn has(self, host: &str, role: DomainRoles) -> bool {
        self.find(host, role).is_some()
    }
}

fn name<'a>(domains: &'a Domains, number: u32, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    let (name, _) = domains.get(number as usize, bytes)?;
    Some(name)
}
