//! The plan of a sendMailer call: one email to one recipient.

use alloc::borrow::Cow;

use super::content::Recipient;
use super::facts::JudgedSingle;
use super::personalization::Personalization;
use crate::debug::debug_shows;
use crate::facts::Debit;
use crate::wire::address::SentAddress;
use crate::wire::field::SendMailerField as Field;

/// The plan of a sendMailer call: the email, and what happens to the one subscriber who gets it. Debug shows nothing of it.
#[derive(Clone, Copy)]
pub struct SinglePlan<'c> {
    judged: &'c JudgedSingle,
    sent: &'c str,
    recipient: WhoGetsIt<'c>,
    /// The effective sender address.
    from: &'c str,
    empty_clears: bool,
}

#[derive(Clone, Copy)]
enum WhoGetsIt<'c> {
    /// The subscriber with this id, which `subID` or `email` matches.
    Matched(u64),
    /// A subscriber to create.
    New(&'c SentAddress),
}

impl<'c> SinglePlan<'c> {
    /// The plan of a call that no rule refuses. `None` when it lacks something that a rule should have asked for.
    // Inlined, so that it is built in place.
    #[inline(always)]
    pub(crate) fn new(judged: &'c JudgedSingle, sent: &'c str, empty_clears: bool) -> Option<Self> {
        let recipient = match (judged.subscribers().id(0), &judged.checked.recipient) {
            (Some(id), _) => WhoGetsIt::Matched(id),
            (None, Recipient::ById(_)) => return None,
            (None, Recipient::ByAddress(address)) => WhoGetsIt::New(address),
        };
        let from = match &judged.checked.sender {
            Some(sender) => sender.text(sent),
            None => judged.mailer()?.from,
        };
        Some(Self {
            judged,
            sent,
            recipient,
            from,
            empty_clears,
        })
    }

    /// The id of the subscriber whose personalization the plan overwrites, if any.
    pub(crate) fn updated(&self) -> Option<u64> {
        let id = self.subscriber()?;
        self.fields().next().map(|_| id)
    }

    pub(crate) fn debit(&self) -> Debit {
        Debit {
            email: 1,
            subscriber: u64::from(self.subscriber().is_none()),
        }
    }

    /// The id of the stored email to send.
    #[must_use]
    pub fn mailer(&self) -> u64 {
        self.judged.checked.mailer
    }

    /// The id of the subscriber who gets it; `None` for one that the plan creates.
    #[must_use]
    pub fn subscriber(&self) -> Option<u64> {
        match self.recipient {
            WhoGetsIt::Matched(id) => Some(id),
            WhoGetsIt::New(_) => None,
        }
    }

    /// The address to send to: a matched subscriber's stored address, else the address as sent, without white space around
    /// it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        Cow::Borrowed(match self.recipient {
            WhoGetsIt::Matched(_) => self.judged.subscribers().email(0),
            WhoGetsIt::New(address) => address.text(self.sent),
        })
    }

    /// The match key of the address of the subscriber that the plan creates; `None` when it creates none.
    #[must_use]
    pub fn match_key(&self) -> Option<Cow<'c, str>> {
        match self.recipient {
            WhoGetsIt::Matched(_) => None,
            WhoGetsIt::New(address) => Some(address.key(self.sent)),
        }
    }

    /// The list for the subscriber that the plan creates; `None` when it creates none.
    #[must_use]
    pub fn list(&self) -> Option<Cow<'c, str>> {
        match self.recipient {
            WhoGetsIt::Matched(_) => None,
            WhoGetsIt::New(_) => Some(Cow::Borrowed(self.judged.checked.list(self.sent))),
        }
    }

    /// The personalization to store with the new or the matched subscriber, with the interface's names (section 2.3) and in
    /// its order. For a matched subscriber, `""` clears a field.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        let is_matched = matches!(self.recipient, WhoGetsIt::Matched(_));
        let clears = is_matched && self.empty_clears;
        Personalization::new(&self.judged.checked.body, self.sent, clears)
    }

    /// The effective sender address: `from`, else the address assigned to the stored email.
    #[must_use]
    pub fn from(&self) -> Cow<'c, str> {
        Cow::Borrowed(self.from)
    }

    /// The effective sender name: `fromName`, else the name assigned to the stored email.
    #[must_use]
    pub fn from_name(&self) -> Option<Cow<'c, str>> {
        match self.text(Field::FromName) {
            Some(sent) => Some(sent),
            None => self.judged.mailer()?.from_name.map(Cow::Borrowed),
        }
    }

    /// `customField`, if it was sent: a text that the caller uses for tracking of its own.
    #[must_use]
    pub fn custom_field(&self) -> Option<Cow<'c, str>> {
        self.text(Field::CustomField)
    }

    /// Whether opens are to be tracked.
    #[must_use]
    pub fn track_opens(&self) -> bool {
        self.judged.checked.flag(Field::TrackOpens, self.sent)
    }

    /// Whether clicks are to be tracked.
    #[must_use]
    pub fn track_clicks(&self) -> bool {
        self.judged.checked.flag(Field::TrackClicks, self.sent)
    }

    fn text(&self, field: Field) -> Option<Cow<'c, str>> {
        self.judged
            .checked
            .text(field, self.sent)
            .map(Cow::Borrowed)
    }
}

debug_shows!(SinglePlan<'_> {});
