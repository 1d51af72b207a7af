//! The host's answers about subscribers.

use alloc::string::String;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{OutOfMemory, reserve_text, text_at};
use crate::debug::debug_shows;

/// What the host knows of a subscriber (interface, section 2.3). Debug shows no address.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subscriber<'a> {
    /// The subscriber's id, 1 to 2^63-1.
    pub id: u64,
    /// The stored address. On sendMailer the email goes to it, and an empty one is a misuse. On httpSendMail emails go to
    /// the addresses as sent, so a host may leave it empty and need not read it.
    pub email: &'a str,
    /// Whether the subscriber is INACTIVE: code 443.
    #[serde(default)]
    pub inactive: bool,
    /// Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients. A host may leave
    /// this `None` for [`Blacklists::answer`](crate::Blacklists::answer) to fill in; if it stays `None` on sendMailer, that
    /// is a misuse. httpSendMail is judged by the addresses as sent, and does not use it.
    pub blacklisted: Option<bool>,
}

debug_shows!(Subscriber<'_> { id, inactive, blacklisted });

/// A column of answers about subscribers, some of which may not exist. It does not allocate for each subscriber. Debug
/// shows the length.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Subscribers {
    rows: SmallVec<[SubscriberRow; 1]>,
    /// The stored addresses, one after the other.
    emails: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct SubscriberRow {
    /// 0 when the subscriber does not exist.
    id: u64,
    /// The end of the address in the texts.
    email_end: u32,
    inactive: bool,
    blacklisted: Option<bool>,
}

impl Subscribers {
    /// Reserves capacity for `count` more answers.
    // Not inlined: most columns are short and have the capacity already.
    #[inline(never)]
    pub fn reserve(&mut self, count: usize) {
        self.rows.reserve(count);
    }

    /// Like [`Subscribers::reserve`], with `email_bytes` bytes of stored addresses in all, but returns an error instead of
    /// aborting.
    ///
    /// # Errors
    /// [`OutOfMemory`] when there is not enough memory.
    pub fn try_reserve(&mut self, count: usize, email_bytes: usize) -> Result<(), OutOfMemory> {
        self.rows.try_reserve(count).map_err(|_| OutOfMemory)?;
        self.emails
            .try_reserve(email_bytes)
            .map_err(|_| OutOfMemory)
    }

    /// Adds the answer for the next member of the question: `None` when the subscriber does not exist.
    #[inline]
    pub fn push(&mut self, subscriber: Option<Subscriber<'_>>) {
        let mut row = SubscriberRow::default();
        if let Some(subscriber) = subscriber {
            reserve_text(&mut self.emails, subscriber.email.len());
            self.emails.push_str(subscriber.email);
            // In a row, 0 means that there is no subscriber. The invalid id 0 is therefore kept as the largest number,
            // which is invalid as well. `wrong_id` finds it when the answer is given.
            row.id = match subscriber.id {
                0 => u64::MAX,
                id => id,
            };
            row.inactive = subscriber.inactive;
            row.blacklisted = subscriber.blacklisted;
        }
        // Beyond 4 GB, the end is before the start, so the address reads as empty. That is a misuse where it is used.
        row.email_end = u32::try_from(self.emails.len()).unwrap_or(0);
        self.rows.push(row);
    }

    /// Returns the answer for the member at `index`, counted from 0. It is `None` if the subscriber does not exist, and also
    /// before the answer was added.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Subscriber<'_>> {
        let row = self.rows.get(index)?;
        Some(Subscriber {
            id: self.id(index)?,
            email: self.email(index),
            inactive: row.inactive,
            blacklisted: row.blacklisted,
        })
    }

    /// The stored address of a subscriber.
    pub(crate) fn email(&self, index: usize) -> &str {
        let end = |row: usize| self.rows.get(row).map_or(0, |row| row.email_end as usize);
        let start = index.checked_sub(1).map_or(0, end);
        text_at(&self.emails, start..end(index).max(start))
    }

    /// The id of a subscriber. It does not look for the address.
    #[inline]
    pub(crate) fn id(&self, index: usize) -> Option<u64> {
        let row = self.rows.get(index)?;
        (row.id != 0).then_some(row.id)
    }

    pub(crate) fn is_inactive(&self, index: usize) -> bool {
        self.rows.get(index).is_some_and(|row| row.inactive)
    }

    /// Sets each `blacklisted` that has no value to the result of `is_listed` for the subscriber's address.
    pub(crate) fn say(&mut self, mut is_listed: impl FnMut(&str) -> Option<bool>) {
        let mut start = 0;
        for row in &mut self.rows {
            let end = row.email_end as usize;
            if row.id != 0 && row.blacklisted.is_none() {
                row.blacklisted = is_listed(text_at(&self.emails, start..end));
            }
            start = end;
        }
    }

    /// The number of subscribers that do not exist.
    pub(crate) fn none_count(&self) -> usize {
        self.rows.iter().filter(|row| row.id == 0).count()
    }

    /// Whether an answer has an invalid id.
    pub(crate) fn wrong_id(&self) -> bool {
        // The loop never ends early, so the compiler turns it into vector instructions.
        let highest = self.rows.iter().fold(0, |bits, row| bits | row.id);
        highest > i64::MAX as u64
    }
}

column!(Subscribers Subscriber);

#[cfg(test)]
mod tests;
