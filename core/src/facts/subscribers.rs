//! Subscribers as the host answers them.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use smallvec::SmallVec;

use super::texts::Texts;
use crate::column::OutOfMemory;
use crate::debug::debug_shows;

/// What the host knows of a subscriber (interface, section 2.3). Debug shows no address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Subscriber<'a> {
    /// The subscriber's id, 1 to 2^63-1.
    pub id: u64,
    /// The stored address, to which sendMailer's email goes. On httpSendMail emails go to the addresses as sent: there a
    /// host may leave it empty, and need not read it.
    pub email: &'a str,
    /// The subscriber is INACTIVE: code 443.
    pub inactive: bool,
    /// Whether the domain of the stored address, or a parent of it, is on the blacklist for recipients. `None`, which says
    /// nothing, is misuse on sendMailer; [`Blacklists::answer`](crate::Blacklists::answer) says it instead. httpSendMail is
    /// judged by the addresses as sent, and does not look at it.
    pub blacklisted: Option<bool>,
}

debug_shows!(Subscriber<'_> { id, inactive, blacklisted });

/// A column of subscribers, some of which do not exist, kept without an allocation for each. Debug shows the length.
#[derive(Clone, Default)]
pub struct Subscribers {
    /// 0 for none.
    ids: SmallVec<[u64; 2]>,
    /// The stored addresses, one after the other.
    emails: Texts,
    rare: Option<Box<Rare>>,
}

impl PartialEq for Subscribers {
    /// Whether the answers are the same, in whatever way they were given.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Subscribers {}

/// What few subscribers have, kept apart so that a column of ordinary ones is small.
#[derive(Clone, Default)]
struct Rare {
    /// The flags of each subscriber, up to the last who has any.
    flags: Vec<u8>,
    /// The flags that anybody has.
    all_flags: u8,
    /// Where each address ends in `emails`, up to the last that is not empty, which ends with them.
    ends: Vec<u32>,
}

const INACTIVE: u8 = 1;
const BLACKLISTED: u8 = 2;
/// Whether the address is listed was not said.
const UNSAID: u8 = 4;

impl Subscribers {
    /// How many answers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Makes room for `count` answers.
    // Not inlined: a column of few has room.
    #[inline(never)]
    pub fn reserve(&mut self, count: usize) {
        self.ids.reserve(count);
    }

    /// As [`Subscribers::reserve`], with room for `email_bytes` bytes of stored addresses, all together, and for all that can
    /// be said of a subscriber.
    ///
    /// # Errors
    /// [`OutOfMemory`] when there is none.
    pub fn try_reserve(&mut self, count: usize, email_bytes: usize) -> Result<(), OutOfMemory> {
        self.ids.try_reserve(count).map_err(|_| OutOfMemory)?;
        self.emails.try_reserve(email_bytes)?;
        let rows = self.ids.len().checked_add(count).ok_or(OutOfMemory)?;
        let rare = self.rare.get_or_insert_default();
        let Rare { flags, ends, .. } = &mut **rare;
        let missing = rows.saturating_sub(flags.len());
        flags.try_reserve(missing).map_err(|_| OutOfMemory)?;
        if email_bytes > 0 {
            let missing = rows.saturating_sub(ends.len());
            ends.try_reserve(missing).map_err(|_| OutOfMemory)?;
        }
        Ok(())
    }

    /// Answers for the next member of the question: `None` when there is no such subscriber.
    #[inline]
    pub fn push(&mut self, subscriber: Option<Subscriber<'_>>) {
        let Some(subscriber) = subscriber else {
            self.ids.push(0);
            return;
        };
        if !subscriber.email.is_empty() {
            self.push_email(subscriber.email);
        }
        let inactive = if subscriber.inactive { INACTIVE } else { 0 };
        let blacklisted = match subscriber.blacklisted {
            Some(false) => 0,
            Some(true) => BLACKLISTED,
            None => UNSAID,
        };
        if inactive | blacklisted != 0 {
            let rare = self.rare.get_or_insert_default();
            rare.flags.resize(self.ids.len(), 0);
            rare.flags.push(inactive | blacklisted);
            rare.all_flags |= inactive | blacklisted;
        }
        // 0 stands for none, so the id 0 is kept as the largest number. That is no id either, and found when the answer
        // is given.
        self.ids.push(match subscriber.id {
            0 => u64::MAX,
            id => id,
        });
    }

    /// Keeps the address of the row that is next.
    fn push_email(&mut self, email: &str) {
        let row = self.ids.len();
        if row > 0 {
            let end = self.end();
            let ends = &mut self.rare.get_or_insert_default().ends;
            if ends.is_empty() {
                ends.reserve(self.ids.capacity());
            }
            ends.resize(row, end);
        }
        self.emails.push(email);
    }

    fn end(&self) -> u32 {
        u32::try_from(self.emails.len()).unwrap_or(u32::MAX)
    }

    /// The answer for one member; `None` when there is no such subscriber.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Subscriber<'_>> {
        Some(Subscriber {
            id: self.id(index)?,
            email: self.email(index),
            inactive: self.has(index, INACTIVE),
            blacklisted: (!self.has(index, UNSAID)).then(|| self.has(index, BLACKLISTED)),
        })
    }

    fn ends(&self) -> &[u32] {
        self.rare.as_ref().map_or(&[], |rare| &rare.ends)
    }

    fn flags(&self) -> &[u8] {
        self.rare.as_ref().map_or(&[], |rare| &rare.flags)
    }

    /// The stored address of a subscriber.
    pub(crate) fn email(&self, index: usize) -> &str {
        let start = match index.checked_sub(1) {
            Some(before) => self.end_of(before),
            None => Some(0),
        };
        match (start, self.end_of(index)) {
            (Some(start), Some(end)) => self.emails.get(start as usize..end as usize),
            // Behind the last that is not empty all are.
            _ => "",
        }
    }

    /// Where the address of a row ends, up to the last that is not empty.
    fn end_of(&self, row: usize) -> Option<u32> {
        let ends = self.ends();
        match row.cmp(&ends.len()) {
            Ordering::Less => ends.get(row).copied(),
            Ordering::Equal => Some(self.end()),
            Ordering::Greater => None,
        }
    }

    fn has(&self, index: usize, flag: u8) -> bool {
        let flags = self.flags().get(index);
        flags.is_some_and(|flags| flags & flag != 0)
    }

    /// Whether anybody has the flag.
    fn any(&self, flag: u8) -> bool {
        let rare = self.rare.as_ref();
        rare.is_some_and(|rare| rare.all_flags & flag != 0)
    }

    /// The answers, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<Subscriber<'_>>> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The id alone, without looking for the address.
    #[inline]
    pub(crate) fn id(&self, index: usize) -> Option<u64> {
        self.ids.get(index).copied().filter(|id| *id != 0)
    }

    pub(crate) fn is_inactive(&self, index: usize) -> bool {
        self.has(index, INACTIVE)
    }

    /// Whether there is somebody of whom the host did not say if the address is listed.
    pub(crate) fn any_unsaid(&self) -> bool {
        self.any(UNSAID)
    }

    /// Says by `is_listed`, which takes the address, what was not said.
    pub(crate) fn say(&mut self, mut is_listed: impl FnMut(&str) -> Option<bool>) {
        let mut all_flags = 0;
        for index in 0..self.flags().len() {
            let said = if self.has(index, UNSAID) {
                is_listed(self.email(index))
            } else {
                None
            };
            let flags = self
                .rare
                .as_mut()
                .and_then(|rare| rare.flags.get_mut(index));
            if let Some(flags) = flags {
                if let Some(is_listed) = said {
                    *flags &= !UNSAID;
                    *flags |= if is_listed { BLACKLISTED } else { 0 };
                }
                all_flags |= *flags;
            }
        }
        if let Some(rare) = &mut self.rare {
            rare.all_flags = all_flags;
        }
    }

    pub(crate) fn any_inactive(&self) -> bool {
        self.any(INACTIVE)
    }

    /// How many of the members do not exist.
    pub(crate) fn none_count(&self) -> usize {
        self.ids.iter().filter(|id| **id == 0).count()
    }

    /// Whether an answer has an id that cannot be.
    pub(crate) fn wrong_id(&self) -> bool {
        // A loop without an early end, which the compiler turns into vector instructions.
        let highest = self.ids.iter().fold(0, |bits, id| bits | id);
        highest > i64::MAX as u64
    }
}

impl<'a> FromIterator<Option<Subscriber<'a>>> for Subscribers {
    fn from_iter<I: IntoIterator<Item = Option<Subscriber<'a>>>>(answers: I) -> Self {
        let mut column = Self::default();
        for answer in answers {
            column.push(answer);
        }
        column
    }
}

debug_shows!(Subscribers { len() });

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn subscriber(id: u64, email: &str) -> Subscriber<'_> {
        Subscriber {
            id,
            email,
            inactive: id.is_multiple_of(3),
            blacklisted: (!id.is_multiple_of(7)).then_some(id.is_multiple_of(5)),
        }
    }

    #[test]
    fn every_answer_is_given_back_also_those_without_an_address() {
        // Bit n says of the answer in row n whether the subscriber exists, and whether it has an address.
        for exists in 0..64_u64 {
            for has_email in 0..64_u64 {
                let emails: Vec<String> = (0..6).map(|row| format!("{row}@b.example")).collect();
                let answers: Vec<Option<Subscriber<'_>>> = (0..6)
                    .zip(&emails)
                    .map(|(row, email)| {
                        let email = if has_email >> row & 1 == 1 { email } else { "" };
                        (exists >> row & 1 == 1).then(|| subscriber(row + 1, email))
                    })
                    .collect();
                let column: Subscribers = answers.iter().copied().collect();
                assert!(column.iter().eq(answers.iter().copied()));
                assert_eq!(column.get(6), None);
                let none = answers.iter().filter(|answer| answer.is_none()).count();
                assert_eq!(column.none_count(), none);
            }
        }
    }

    #[test]
    fn columns_with_the_same_answers_are_equal_in_whatever_way_they_were_given() {
        let ada = subscriber(1, "ada@b.example");
        let unsaid = Subscriber {
            blacklisted: None,
            ..ada
        };
        let given: Subscribers = [Some(ada), None].into_iter().collect();
        let mut said: Subscribers = [Some(unsaid), None].into_iter().collect();
        assert_ne!(given, said);
        said.say(|_| ada.blacklisted);
        assert_eq!(given, said);
        let mut reserved = Subscribers::default();
        reserved.try_reserve(9, 90).unwrap();
        reserved.push(Some(ada));
        assert_ne!(given, reserved);
        reserved.push(None);
        assert_eq!(given, reserved);
    }

    #[test]
    fn an_id_that_cannot_be_is_found_wherever_it_stands() {
        for (id, is_wrong) in [
            (0, true),
            (1, false),
            (1 << 63, true),
            ((1 << 63) - 1, false),
        ] {
            let mut column = Subscribers::default();
            column.push(Some(subscriber(7, "")));
            column.push(None);
            column.push(Some(subscriber(id, "")));
            column.push(Some(subscriber(8, "")));
            assert_eq!(column.wrong_id(), is_wrong);
        }
    }
}
