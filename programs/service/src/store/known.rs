//! The answers of a database to the questions of a call, and their conversion to the library's columns.

use std::collections::HashMap;

use franking::{DomainRoles, Facts, Mailer, Subscriber, domain};

use super::asked::Asked;
use super::error::{Cause, StoreError};

/// The facts of a call, and the revision of the stored email, which its plan has to find unchanged.
#[derive(Debug)]
pub struct Found {
    /// The library's columns.
    pub facts: Facts,
    /// The revision of the mailer that was asked about, if it exists.
    pub mailer_revision: Option<i64>,
}

/// The rows of the answers, each with the position of its question. If a question has no row, the thing that it asks about
/// does not exist.
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
    pub(super) revision: i64,
    pub(super) from: String,
    pub(super) from_name: Option<String>,
}

pub(super) struct SubscriberFact {
    pub(super) id: i64,
    /// `None` if the call is not judged by the address, so that it was not read.
    pub(super) email: Option<String>,
    pub(super) inactive: bool,
}

impl Known {
    /// Returns the domains of stored addresses and their parents, which still have to be looked up on the blacklists.
    pub(super) fn stored_domains(&self) -> Result<Vec<String>, StoreError> {
        let mailers = self.mailers.values().map(|mailer| mailer.from.as_str());
        let subscribers = self.subscriber_ids.values();
        let subscribers = subscribers.chain(self.subscribers.values());
        let emails = subscribers.filter_map(|subscriber| subscriber.email.as_deref());
        let mut all = Vec::new();
        for address in mailers.chain(emails) {
            all.extend(walk(address)?);
        }
        Ok(all)
    }

    /// Whether the domain of a stored address, or a parent of it, is listed for a role.
    fn is_listed(&self, address: &str, role: DomainRoles) -> Result<bool, StoreError> {
        let names = walk(address)?;
        let mut roles = names.iter().filter_map(|name| self.stored.get(name));
        Ok(roles.any(|roles| roles.contains(role)))
    }

    /// Converts the answers to the library's columns.
    pub(super) fn into_found(self, asked: &Asked) -> Result<Found, StoreError> {
        let mut facts = Facts::default();
        for place in 0..asked.mailers.len() {
            let mailer = match self.mailers.get(&place) {
                None => None,
                Some(mailer) => Some(Mailer {
                    from: &mailer.from,
                    from_name: mailer.from_name.as_deref(),
                    blacklisted: Some(self.is_listed(&mailer.from, DomainRoles::SENDER)?),
                }),
            };
            facts.mailers.push(mailer);
        }
        facts.senders = marked(asked.senders.len(), &self.senders)?;
        for place in 0..asked.subscriber_ids.len() {
            let found = self.subscriber_ids.get(&place);
            facts.subscriber_ids.push(self.subscriber(found)?);
        }
        facts.subscribers.reserve(asked.subscribers.len());
        for place in 0..asked.subscribers.len() {
            let found = self.subscribers.get(&place);
            facts.subscribers.push(self.subscriber(found)?);
        }
        facts.lists = marked(asked.lists.len(), &self.lists)?;
        let mut domains = vec![DomainRoles::NONE; asked.domains.len()];
        for (place, listed) in &self.domains {
            let (Some(answer), Some((_, asked))) =
                (domains.get_mut(*place), asked.domains.get(*place))
            else {
                return Err(fault("the database answered what was not asked"));
            };
            *answer = listed.intersection(*asked);
        }
        facts.domains = domains;
        Ok(Found {
            facts,
            mailer_revision: self.mailers.get(&0).map(|mailer| mailer.revision),
        })
    }

    fn subscriber<'a>(
        &self,
        found: Option<&'a SubscriberFact>,
    ) -> Result<Option<Subscriber<'a>>, StoreError> {
        let Some(found) = found else {
            return Ok(None);
        };
        let blacklisted = match &found.email {
            None => None,
            Some(email) => Some(self.is_listed(email, DomainRoles::RECIPIENT)?),
        };
        let id = found.id.try_into();
        Ok(Some(Subscriber {
            id: id.map_err(|_| fault("the stored id of a subscriber is not valid"))?,
            // The library expects an empty text for an address that was not read.
            email: found.email.as_deref().unwrap_or(""),
            inactive: found.inactive,
            blacklisted,
        }))
    }
}

/// Returns the domain of a stored address, and its parents.
pub(super) fn walk(address: &str) -> Result<Vec<String>, StoreError> {
    let address =
        franking::address::parse(address).map_err(|_| fault("a stored address can be none"))?;
    Ok(domain::walk(&address.domain()).map(Into::into).collect())
}

fn marked(len: usize, places: &[usize]) -> Result<Vec<bool>, StoreError> {
    let mut column = vec![false; len];
    for place in places {
        let answer = column.get_mut(*place);
        *answer.ok_or_else(|| fault("the database answered what was not asked"))? = true;
    }
    Ok(column)
}

/// The error for data or an answer of the database that is impossible.
fn fault(what: &'static str) -> StoreError {
    StoreError::Failed(Cause::with_code("looking facts up", what))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(id: i64, email: Option<&str>) -> Result<Facts, StoreError> {
        let mut known = Known::default();
        let email = email.map(Into::into);
        let inactive = false;
        let subscriber = SubscriberFact {
            id,
            email,
            inactive,
        };
        known.subscribers.insert(0, subscriber);
        known.stored_domains()?;
        let asked = Asked {
            subscribers: vec!["a@reader.example".into()],
            ..Asked::default()
        };
        known.into_found(&asked).map(|found| found.facts)
    }

    #[test]
    fn an_address_that_was_not_read_is_not_said_to_be_unlisted() {
        let facts = found(1, None).unwrap_or_default();
        let said = facts.subscribers.get(0).map(|found| found.blacklisted);
        assert_eq!(said, Some(None));
        let facts = found(1, Some("a@reader.example")).unwrap_or_default();
        let said = facts.subscribers.get(0).map(|found| found.blacklisted);
        assert_eq!(said, Some(Some(false)));
    }

    #[test]
    fn an_invalid_stored_address_or_id_is_a_failure_of_the_database() {
        assert!(found(1, Some("none")).is_err());
        assert!(found(-1, Some("a@reader.example")).is_err());
    }

    #[test]
    fn an_answer_to_what_was_not_asked_is_a_failure_of_the_database() {
        for known in [
            Known {
                lists: vec![0],
                ..Known::default()
            },
            Known {
                domains: vec![(0, DomainRoles::SENDER)],
                ..Known::default()
            },
        ] {
            assert!(known.into_found(&Asked::default()).is_err());
        }
    }
}
