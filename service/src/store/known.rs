//! What a database knows about the questions, on its way to the library's columns.

use std::collections::HashMap;

use franking::{DomainRoles, Facts, Mailer, Subscriber, domain};

use super::asked::Asked;

/// Rows as they come, each with the place of its question; what has no row does not exist.
#[derive(Default)]
pub(super) struct Known {
    pub(super) mailers: HashMap<usize, MailerFact>,
    pub(super) senders: Vec<usize>,
    pub(super) subscriber_ids: HashMap<usize, SubscriberFact>,
    pub(super) subscribers: HashMap<usize, SubscriberFact>,
    pub(super) lists: Vec<usize>,
    pub(super) domains: Vec<(usize, DomainRoles)>,
    /// The roles of the domains of stored addresses, by name: see [`Known::stored_domains`].
    pub(super) stored: HashMap<String, DomainRoles>,
}

pub(super) struct MailerFact {
    pub(super) from: String,
    pub(super) from_name: Option<String>,
}

pub(super) struct SubscriberFact {
    pub(super) id: i64,
    /// Empty where the call is not judged by it.
    pub(super) email: String,
    pub(super) inactive: bool,
}

impl Known {
    /// The domains of stored addresses with their parents: what is left to be looked up on the blacklists.
    pub(super) fn stored_domains(&self) -> Vec<String> {
        let mailers = self.mailers.values().map(|mailer| mailer.from.as_str());
        let subscribers = self
            .subscriber_ids
            .values()
            .chain(self.subscribers.values());
        let addresses = mailers.chain(subscribers.map(|subscriber| subscriber.email.as_str()));
        addresses.flat_map(walk).collect()
    }

    /// Whether the domain of a stored address, or a parent of it, is listed for a role.
    fn is_listed(&self, address: &str, role: DomainRoles) -> bool {
        let roles = |name: &String| self.stored.get(name).copied().unwrap_or_default();
        walk(address).iter().any(|name| roles(name).contains(role))
    }

    /// The library's columns.
    pub(super) fn into_facts(self, asked: &Asked) -> Facts {
        let mut facts = Facts::default();
        for place in 0..asked.mailers.len() {
            let mailer = self.mailers.get(&place).map(|mailer| Mailer {
                from: &mailer.from,
                from_name: mailer.from_name.as_deref(),
                blacklisted: Some(self.is_listed(&mailer.from, DomainRoles::SENDER)),
            });
            facts.mailers.push(mailer);
        }
        facts.senders = marked(asked.senders.len(), &self.senders).into();
        for place in 0..asked.subscriber_ids.len() {
            facts
                .subscriber_ids
                .push(self.subscriber(self.subscriber_ids.get(&place)));
        }
        facts.subscribers.reserve(asked.subscribers.len());
        for place in 0..asked.subscribers.len() {
            facts
                .subscribers
                .push(self.subscriber(self.subscribers.get(&place)));
        }
        facts.lists = marked(asked.lists.len(), &self.lists).into();
        let mut domains = vec![DomainRoles::NONE; asked.domains.len()];
        for (place, roles) in &self.domains {
            let asked = asked.domains.get(*place).map(|(_, roles)| *roles);
            if let Some(answer) = domains.get_mut(*place) {
                *answer = roles.intersection(asked.unwrap_or_default());
            }
        }
        facts.domains = domains.into();
        facts
    }

    fn subscriber<'a>(&self, subscriber: Option<&'a SubscriberFact>) -> Option<Subscriber<'a>> {
        subscriber.map(|subscriber| Subscriber {
            id: u64::try_from(subscriber.id).unwrap_or_default(),
            email: &subscriber.email,
            inactive: subscriber.inactive,
            blacklisted: Some(self.is_listed(&subscriber.email, DomainRoles::RECIPIENT)),
        })
    }
}

/// The domain of a stored address, and its parents; none of one that was not read.
fn walk(address: &str) -> Vec<String> {
    match franking::address::parse(address) {
        Ok(address) => domain::walk(&address.domain()).map(Into::into).collect(),
        Err(_) => Vec::new(),
    }
}

fn marked(len: usize, places: &[usize]) -> Vec<bool> {
    let mut column = vec![false; len];
    for place in places {
        if let Some(answer) = column.get_mut(*place) {
            *answer = true;
        }
    }
    column
}
