//! The host's answers about stored emails.

use alloc::string::String;
use core::ops::Range;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::{OutOfMemory, reserve_text, text_at};
use crate::debug::debug_shows;

/// What the host knows of a stored email (interface, section 2.2). Debug shows no address and no name.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mailer<'a> {
    /// The assigned sender address, used when the call has no `from`. When the call has a `from`
    /// ([`Questions::sender_count`](crate::Questions::sender_count) is 1), a host may leave this empty and need not read it.
    /// Otherwise an empty address is a misuse.
    pub from: &'a str,
    /// The assigned sender name, used when the call has no `fromName`.
    pub from_name: Option<&'a str>,
    /// Whether the domain of `from`, or a parent of it, is on the blacklist for senders. A host may leave this `None` for
    /// [`Blacklists::answer`](crate::Blacklists::answer) to fill in. If it stays `None` and the call has no `from`, that is
    /// a misuse.
    pub blacklisted: Option<bool>,
}

debug_shows!(Mailer<'_> { blacklisted });

/// A column of answers about stored emails, some of which may not exist. It does not allocate for each text. Debug shows the
/// length.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Mailers {
    rows: SmallVec<[MailerRow; 1]>,
    /// The addresses and the names, one after the other.
    texts: String,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct MailerRow {
    exists: bool,
    has_name: bool,
    blacklisted: Option<bool>,
    /// The end of the address in the texts.
    from_end: usize,
    /// The end of the name in the texts.
    name_end: usize,
}

impl Mailers {
    /// Reserves capacity for `count` more answers, with `text_bytes` bytes of addresses and names in all.
    ///
    /// # Errors
    /// [`OutOfMemory`] when there is not enough memory.
    pub fn try_reserve(&mut self, count: usize, text_bytes: usize) -> Result<(), OutOfMemory> {
        self.rows.try_reserve(count).map_err(|_| OutOfMemory)?;
        self.texts.try_reserve(text_bytes).map_err(|_| OutOfMemory)
    }

    /// Adds the answer for the next member of the question: `None` when the stored email does not exist.
    pub fn push(&mut self, mailer: Option<Mailer<'_>>) {
        let mut row = MailerRow::default();
        if let Some(mailer) = mailer {
            let name = mailer.from_name.unwrap_or_default();
            reserve_text(&mut self.texts, mailer.from.len() + name.len());
            self.texts.push_str(mailer.from);
            row.from_end = self.texts.len();
            self.texts.push_str(name);
            row.exists = true;
            row.has_name = mailer.from_name.is_some();
            row.blacklisted = mailer.blacklisted;
        }
        row.name_end = self.texts.len();
        self.rows.push(row);
    }

    /// Returns the answer for the member at `index`, counted from 0. It is `None` if the stored email does not exist, and also
    /// before the answer was added.
    // Inlined, so that a caller who does not read a text does not pay for finding it.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Mailer<'_>> {
        let row = self.rows.get(index).filter(|row| row.exists)?;
        let start = match index.checked_sub(1) {
            Some(before) => self.rows.get(before)?.name_end,
            None => 0,
        };
        let text = |range: Range<usize>| text_at(&self.texts, range);
        Some(Mailer {
            from: text(start..row.from_end),
            from_name: row.has_name.then(|| text(row.from_end..row.name_end)),
            blacklisted: row.blacklisted,
        })
    }

    /// Sets each `blacklisted` that has no value to the result of `is_listed` for the stored email's address.
    pub(crate) fn say(&mut self, mut is_listed: impl FnMut(&str) -> Option<bool>) {
        let mut start = 0;
        for row in &mut self.rows {
            if row.exists && row.blacklisted.is_none() {
                row.blacklisted = is_listed(text_at(&self.texts, start..row.from_end));
            }
            start = row.name_end;
        }
    }
}

column!(Mailers Mailer);

#[cfg(test)]
mod tests;
