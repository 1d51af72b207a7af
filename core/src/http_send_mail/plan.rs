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
            from: check.request.from.as_ref()?.text(self.sent),
        })
    }

    pub(super) fn entry(self, entry: u32) -> Entry<'c> {
        self.content().recipients.entry(self.sent, entry)
    }

    fn subscriber(self, kept: KeptRecipient) -> Option<u64> {
        self.judged.facts.subscribers.id(kept.distinct as usize)
    }

    /// The recipients that are not subscribers yet.
    pub(super) fn new_recipients(self) -> impl Iterator<Item = KeptRecipient> {
        self.used()
            .filter(move |kept| self.subscriber(*kept).is_none())
    }

    /// The address and the match key of each subscriber to create.
    pub(crate) fn create(self) -> impl Iterator<Item = (Cow<'c, str>, Cow<'c, str>)> {
        let recipients = &self.content().recipients;
        self.new_recipients().map(move |kept| {
            let key = recipients.key(self.sent, kept.entry);
            (self.entry(kept.entry).text, key)
        })
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
        self.standing_requests().flat_map(move |check| {
            self.repeated_of(check).map(move |entry| {
                let entry = self.entry(entry);
                Collapsed {
                    request: check.index,
                    list: check.list_at(entry.span.start),
                    entry,
                }
            })
        })
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
    /// Of each recipient the address, the first list of the request that has it, and the id of the subscriber.
    pub(crate) fn recipients(
        self,
    ) -> impl Iterator<Item = (Cow<'c, str>, Option<Field>, Option<u64>)> {
        let Self { view, check, .. } = self;
        view.recipients_of(check).map(move |kept| {
            let entry = view.entry(kept.entry);
            let list = check.list_at(entry.span.start);
            (entry.text, list, view.subscriber(kept))
        })
    }
}

/// A repeated address that is left out. Debug shows nothing of the address.
#[derive(Clone)]
pub struct Collapsed<'c> {
    request: u32,
    /// The list that has it.
    list: Option<Field>,
    entry: Entry<'c>,
}

impl<'c> Collapsed<'c> {
    /// The position in `requests`, from 0.
    #[must_use]
    pub fn request(&self) -> u32 {
        self.request
    }

    /// The address as sent, without white space around it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        self.entry.text.clone()
    }

    /// The address list that has the repetition, as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        pointer_of(Some(self.request), self.list.map(|list| list.name()))
    }

    /// The bytes of the entry in the body.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.entry.span.clone()
    }
}

debug_shows!(Collapsed<'_> { request() });
