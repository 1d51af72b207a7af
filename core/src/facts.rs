//! What the host is asked, in columns, and the shape of its answers, in parallel columns.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub use crate::domains::Roles;

/// What the host knows of an account (interface, section 2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Sending is blocked: code 404.
    pub blocked: bool,
    /// The account has expired: code 405.
    pub expired: bool,
    /// The account is deactivated: code 448.
    pub deactivated: bool,
    /// How many subscribers may still be created (code 444); `None` for no limit; zero and below for none.
    pub subscriber_credit: Option<i64>,
    /// How many emails may still be sent (code 445); `None` for no limit; zero and below for none.
    pub email_credit: Option<i64>,
}

/// What the host knows of a stored email (interface, section 2.2). Debug shows no address and no name.
#[derive(Clone, PartialEq, Eq)]
pub struct Mailer {
    /// The assigned sender address, which stands in for `from`.
    pub from: String,
    /// The assigned sender name, which stands in for `fromName`.
    pub from_name: Option<String>,
    /// Whether the domain of `from`, or a parent of it, is on the blacklist for senders.
    pub blacklisted: bool,
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer")
            .field("blacklisted", &self.blacklisted)
            .finish_non_exhaustive()
    }
}

/// What the host knows of a subscriber (interface, section 2.3). Debug shows no address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Subscriber<'a> {
    /// The subscriber's id, 1 to 2^63-1.
    pub id: u64,
    /// The stored address.
    pub email: &'a str,
    /// The subscriber is INACTIVE: code 443.
    pub inactive: bool,
    /// Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients.
    pub blacklisted: bool,
}

impl fmt::Debug for Subscriber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscriber")
            .field("id", &self.id)
            .field("inactive", &self.inactive)
            .field("blacklisted", &self.blacklisted)
            .finish_non_exhaustive()
    }
}

/// A column of subscribers, some of which do not exist, kept without an allocation for each. Debug shows the length.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Subscribers {
    rows: Vec<Row>,
    /// The stored addresses, one after the other.
    emails: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Row {
    /// 0 for none.
    id: u64,
    /// Where the address ends in `emails`.
    end: u32,
    flags: u8,
}

const INACTIVE: u8 = 1;
const BLACKLISTED: u8 = 2;

impl Subscribers {
    /// How many answers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Makes room for `count` answers.
    pub fn reserve(&mut self, count: usize) {
        self.rows.reserve(count);
    }

    /// Answers for the next member of the question: `None` when there is no such subscriber.
    pub fn push(&mut self, subscriber: Option<Subscriber<'_>>) {
        let Some(subscriber) = subscriber else {
            self.rows.push(Row {
                end: self.end(),
                ..Row::default()
            });
            return;
        };
        let inactive = if subscriber.inactive { INACTIVE } else { 0 };
        let blacklisted = if subscriber.blacklisted {
            BLACKLISTED
        } else {
            0
        };
        // 0 stands for none: as an id it is kept as one that cannot be, and found when the answer is given.
        let id = if subscriber.id == 0 {
            u64::MAX
        } else {
            subscriber.id
        };
        self.emails.push_str(subscriber.email);
        self.rows.push(Row {
            id,
            end: self.end(),
            flags: inactive | blacklisted,
        });
    }

    fn end(&self) -> u32 {
        u32::try_from(self.emails.len()).unwrap_or(u32::MAX)
    }

    /// The answer for one member; `None` when there is no such subscriber.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Subscriber<'_>> {
        let Row { id, end, flags } = *self.rows.get(index)?;
        if id == 0 {
            return None;
        }
        let before = index
            .checked_sub(1)
            .and_then(|before| self.rows.get(before));
        let start = before.map_or(0, |before| before.end);
        Some(Subscriber {
            id,
            email: self
                .emails
                .get(start as usize..end as usize)
                .unwrap_or_default(),
            inactive: flags & INACTIVE != 0,
            blacklisted: flags & BLACKLISTED != 0,
        })
    }

    /// The answers, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<Subscriber<'_>>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The id alone, without looking for the address.
    pub(crate) fn id(&self, index: usize) -> Option<u64> {
        self.rows.get(index).map(|row| row.id).filter(|id| *id != 0)
    }

    pub(crate) fn is_inactive(&self, index: usize) -> bool {
        self.rows
            .get(index)
            .is_some_and(|row| row.id != 0 && row.flags & INACTIVE != 0)
    }

    pub(crate) fn any_inactive(&self) -> bool {
        self.rows
            .iter()
            .any(|row| row.id != 0 && row.flags & INACTIVE != 0)
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = Option<u64>> {
        self.rows
            .iter()
            .map(|row| Some(row.id).filter(|id| *id != 0))
    }

    /// Whether an answer has an id that cannot be.
    pub(crate) fn wrong_id(&self) -> bool {
        self.rows.iter().any(|row| row.id > i64::MAX as u64)
    }
}

impl fmt::Debug for Subscribers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscribers")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// The host's answer to [`Questions`](crate::Questions): one entry for each member of each column, in the same order.
///
/// What does not exist is answered by `None` or `false`. A host that could not look does not answer: it drops the
/// call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The stored emails.
    pub mailers: Vec<Option<Mailer>>,
    /// Whether each address is that of an active sender of the account.
    pub senders: Vec<bool>,
    /// The subscribers with these ids.
    pub subscriber_ids: Subscribers,
    /// The subscribers with these addresses.
    pub subscribers: Subscribers,
    /// Whether each list exists.
    pub lists: Vec<bool>,
    /// The roles for which each domain is on a blacklist. Domains are compared by plain equality: the library has
    /// asked about the parents.
    pub domains: Vec<Roles>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_that_was_made_is_there() {
        let mut column = Subscribers::default();
        column.reserve(100);
        assert!(column.rows.capacity() >= 100);
        assert!(column.is_empty());
    }
}
