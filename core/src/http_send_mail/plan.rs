//! The plan of an httpSendMail call: for all requests, or for those that remain of a partial batch.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use super::partial::View;
use super::recipients::KeptRecipient;
use super::request::{RequestCheck, Standing};
use crate::debug::debug_shows;
use crate::violation::pointer_of;
use crate::wire::entries::Entry;
use crate::wire::field::{Field as _, RequestField as Field};

impl<'c> View<'c> {
    /// Whether each request is known to be accepted or refused, and each accepted request has a message. If not, the library
    /// contradicts itself.
    pub(crate) fn is_sound(self) -> bool {
        self.checks().all(|check| match self.standing(check) {
            Some(Standing::Stands) => self.message_of(check).is_some(),
            standing => standing.is_some(),
        })
    }

    /// The message of an accepted request. `None` if it has no sender: a plan is handed out only when each request has one.
    fn message_of(self, check: RequestCheck<'c>) -> Option<MessageView<'c>> {
        Some(MessageView {
            view: self,
            check,
            from: check.from()?.text(),
        })
    }

    fn entry(self, entry: u32) -> Entry<'c> {
        self.content().recipients.entry(self.sent, entry)
    }

    fn subscriber(self, kept: KeptRecipient) -> Option<u64> {
        self.judged.facts.subscribers.id(kept.distinct as usize)
    }

    /// The subscribers to create.
    pub(crate) fn create(self) -> impl Iterator<Item = NewRecipient<'c>> {
        self.used()
            .filter(move |kept| self.subscriber(*kept).is_none())
            .map(move |kept| NewRecipient { view: self, kept })
    }

    /// The ids of the existing subscribers that get an email.
    pub(crate) fn enlist(self) -> impl Iterator<Item = u64> {
        self.used().filter_map(move |kept| self.subscriber(kept))
    }

    pub(crate) fn messages(self) -> impl Iterator<Item = MessageView<'c>> {
        self.standing_requests()
            .filter_map(move |check| self.message_of(check))
    }

    /// The message of a request; `None` when the request is left out.
    pub(crate) fn message(self, request: u32) -> Option<MessageView<'c>> {
        let check = self.content().check(self.sent, self.policy, request)?;
        let stands = self.standing(check) == Some(Standing::Stands);
        self.message_of(check).filter(|_| stands)
    }

    pub(crate) fn collapsed(self) -> impl Iterator<Item = Collapsed<'c>> {
        let view = self;
        view.standing_requests().flat_map(move |check| {
            let repeated = view.repeated_of(check);
            repeated.map(move |entry| Collapsed(Repetition { view, check, entry }))
        })
    }
}

/// A subscriber to create.
#[derive(Clone, Copy)]
pub(crate) struct NewRecipient<'c> {
    view: View<'c>,
    kept: KeptRecipient,
}

impl<'c> NewRecipient<'c> {
    pub(crate) fn email(self) -> Cow<'c, str> {
        self.view.entry(self.kept.entry).text
    }

    pub(crate) fn match_key(self) -> Cow<'c, str> {
        let recipients = &self.view.content().recipients;
        recipients.key(self.view.sent, self.kept.entry)
    }
}

/// The email of one request.
#[derive(Clone, Copy)]
pub(crate) struct MessageView<'c> {
    view: View<'c>,
    pub(crate) check: RequestCheck<'c>,
    pub(crate) from: &'c str,
}

impl<'c> MessageView<'c> {
    pub(crate) fn reply_to(self) -> Option<&'c str> {
        Some(self.check.reply_to()?.text())
    }

    pub(crate) fn text(self, field: Field) -> Option<Cow<'c, str>> {
        self.check.text(field)
    }

    pub(crate) fn recipients(self) -> impl Iterator<Item = RecipientView<'c>> {
        let Self { view, check, .. } = self;
        view.recipients_of(check)
            .map(move |kept| RecipientView { view, check, kept })
    }
}

/// The recipient of one email of a request.
#[derive(Clone, Copy)]
pub(crate) struct RecipientView<'c> {
    view: View<'c>,
    check: RequestCheck<'c>,
    kept: KeptRecipient,
}

impl<'c> RecipientView<'c> {
    pub(crate) fn to(self) -> Cow<'c, str> {
        self.view.entry(self.kept.entry).text
    }

    /// The first list of the request that has the address.
    pub(crate) fn list(self) -> Option<Field> {
        let recipients = &self.view.content().recipients;
        self.check.list_at(recipients.offset(self.kept.entry))
    }

    pub(crate) fn subscriber(self) -> Option<u64> {
        self.view.subscriber(self.kept)
    }
}

/// A repeated address that is left out. Debug shows nothing of the address.
#[derive(Clone)]
pub struct Collapsed<'c>(Repetition<'c>);

#[derive(Clone, Copy)]
struct Repetition<'c> {
    view: View<'c>,
    check: RequestCheck<'c>,
    entry: u32,
}

impl<'c> Collapsed<'c> {
    /// The position in `requests`, from 0.
    #[must_use]
    pub fn request(&self) -> u32 {
        self.0.check.index
    }

    /// The address as sent, without white space around it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        self.0.view.entry(self.0.entry).text
    }

    /// The address list that has the repetition, as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        let Repetition { view, check, entry } = self.0;
        let list = check.list_at(view.content().recipients.offset(entry));
        pointer_of(Some(self.request()), list.map(|list| list.name()))
    }

    /// The bytes of the entry in the body.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.0.view.entry(self.0.entry).span
    }
}

debug_shows!(Collapsed<'_> { request() });
