//! Blacklists that a host keeps in memory, and the columns of facts that they answer.

use core::borrow::Borrow;

use crate::facts::Facts;
use crate::questions::Questions;
use crate::roles::DomainRoles;
use crate::text::domain_set::{DomainSet, EntryError};

/// One set of domains for each role in which a domain can be blacklisted. Debug shows how many entries each has.
///
/// [`Blacklists::answer`] answers every question about domains: about those of the call, and about those of addresses
/// that the host has stored.
///
/// ```
/// use franking::{Blacklists, DomainSet};
///
/// let phishing = DomainSet::from_entries(["phishing.example"])?;
/// let blacklists = Blacklists {
///     sender: phishing.clone(),
///     content: phishing,
///     ..Blacklists::default()
/// };
/// assert!(blacklists.content.is_listed("www.phishing.example"));
/// assert!(blacklists.recipient.is_empty());
/// # Ok::<(), franking::domain::EntriesError>(())
/// ```
///
/// The sets may be shared: `Blacklists<Arc<DomainSet>>` and `Blacklists<&DomainSet>` let one set serve several roles.
#[derive(Clone, Debug)]
pub struct Blacklists<S = DomainSet> {
    /// Domains that nobody may send from: code 414.
    pub sender: S,
    /// Domains that no reply address may have: code 415.
    pub reply_to: S,
    /// Domains to which nothing is sent: code 416.
    pub recipient: S,
    /// Domains that no link in an HTML body may lead to: code 413.
    pub content: S,
}

// Only for owned sets, so that the type of `Blacklists::default()` can be inferred.
impl Default for Blacklists {
    fn default() -> Self {
        Self {
            sender: DomainSet::default(),
            reply_to: DomainSet::default(),
            recipient: DomainSet::default(),
            content: DomainSet::default(),
        }
    }
}

impl<S: Borrow<DomainSet>> Blacklists<S> {
    /// Fills the column of domains, and sets `blacklisted` of every stored email and subscriber in `facts` that has no value
    /// for it yet.
    ///
    /// Call it after the other columns are filled: rows that are pushed later are not looked at. An address whose domain
    /// cannot be read gets no value. If the call is judged by that address, the facts are then a misuse.
    pub fn answer(&self, questions: &Questions<'_>, facts: &mut Facts) {
        facts.domains.clear();
        let domains = questions.domains();
        facts
            .domains
            .extend(domains.map(|(domain, roles)| self.roles_of(&domain, roles)));
        let is_sender_listed = |address: &str| is_address_listed(self.sender.borrow(), address);
        facts.mailers.say(is_sender_listed);
        let is_recipient_listed =
            |address: &str| is_address_listed(self.recipient.borrow(), address);
        facts.subscriber_ids.say(is_recipient_listed);
        facts.subscribers.say(is_recipient_listed);
    }

    /// Returns those of `roles` whose set has `domain` itself as an entry. Its parents are members of the question as well.
    fn roles_of(&self, domain: &str, roles: DomainRoles) -> DomainRoles {
        let sets = [
            (DomainRoles::SENDER, &self.sender),
            (DomainRoles::REPLY_TO, &self.reply_to),
            (DomainRoles::RECIPIENT, &self.recipient),
            (DomainRoles::CONTENT, &self.content),
        ];
        let listed = sets
            .into_iter()
            .filter(|(role, set)| roles.contains(*role) && Borrow::borrow(*set).contains(domain));
        listed.fold(DomainRoles::NONE, |listed, (role, _)| listed | role)
    }
}

/// Whether the domain of a stored address, or a parent of it, is in the set; `None` when the address has no valid domain.
fn is_address_listed(set: &DomainSet, address: &str) -> Option<bool> {
    let at = memchr::memrchr(b'@', address.as_bytes())?;
    let domain = address.get(at + 1..)?;
    match set.try_listed(domain) {
        Ok(entry) => Some(entry.is_some()),
        // No entry has a label `*`, but a parent of the name may be an entry.
        Err(EntryError::Wildcard) => Some(set.is_listed(domain)),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests;
