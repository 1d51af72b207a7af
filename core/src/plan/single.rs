//! The plan of a call of sendMailer, which is one email to one recipient.

use alloc::borrow::Cow;
use core::fmt;

use super::message::{sender_address, sender_name};
use crate::check::send_mailer::SendMailerCheck;
use crate::facts::Subscriber;
use crate::known::{Known, View};
use crate::personalization::Personalization;
use crate::wire::field::SendMailerField;
use crate::wire::value::flag;

/// All of a plan of sendMailer's: the email, and what happens to the one subscriber who gets it. Debug shows nothing of it.
#[derive(Clone)]
pub struct SinglePlan<'c> {
    check: SendMailerCheck<'c>,
    known: &'c Known,
    /// Looked up once: most of the plan depends on it.
    matched: Option<Subscriber<'c>>,
}

impl<'c> SinglePlan<'c> {
    pub(super) fn new(view: View<'c>) -> Option<Self> {
        let View { known, .. } = view;
        let check = view.send_mailer()?;
        let matched = view.matched(&check);
        Some(Self {
            check,
            known,
            matched,
        })
    }

    fn view(&self) -> View<'c> {
        View {
            bytes: self.check.bytes,
            known: self.known,
        }
    }

    /// The id of the stored email to send.
    #[must_use]
    pub fn mailer(&self) -> u64 {
        let id = self.check.id(SendMailerField::MailerId);
        // Without one, the call would have been refused.
        id.unwrap_or_default()
    }

    /// The id of the subscriber who gets it; `None` for one that is to be created.
    #[must_use]
    pub fn subscriber(&self) -> Option<u64> {
        self.matched.map(|subscriber| subscriber.id)
    }

    /// The address to send to: the stored one of a matched subscriber, else as sent, without white space around it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        match self.matched {
            Some(subscriber) => Cow::Borrowed(subscriber.email),
            None => self.check.email(),
        }
    }

    /// The match key of the address of a subscriber that is created; `None` when none is.
    #[must_use]
    pub fn match_key(&self) -> Option<Cow<'c, str>> {
        let is_created = self.matched.is_none();
        is_created.then(|| self.check.key(SendMailerField::Email))
    }

    /// The list to put a subscriber into that is created; `None` when none is.
    #[must_use]
    pub fn list(&self) -> Option<Cow<'c, str>> {
        let is_created = self.matched.is_none();
        is_created.then(|| self.check.list())
    }

    /// The personalization to store, by the names of the interface (section 2.3), in its order: of a subscriber that is
    /// created, or to overwrite, where `""` clears a field.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        let clears = self.matched.is_some() && self.known.sent.policy.empty_clears();
        Personalization::new(self.check, clears)
    }

    /// The effective sender address: `from`, else the one assigned to the stored email.
    #[must_use]
    pub fn from(&self) -> Cow<'c, str> {
        sender_address(self.view(), self.check)
    }

    /// The effective sender name: `fromName`, else the one assigned to the stored email.
    #[must_use]
    pub fn from_name(&self) -> Option<Cow<'c, str>> {
        sender_name(self.view(), self.check)
    }

    /// The caller's text for its own tracking, if one was sent.
    #[must_use]
    pub fn custom_field(&self) -> Option<Cow<'c, str>> {
        self.check.text(SendMailerField::CustomField)
    }

    /// Whether opens are to be tracked.
    #[must_use]
    pub fn track_opens(&self) -> bool {
        self.flag(SendMailerField::TrackOpens)
    }

    /// Whether clicks are to be tracked.
    #[must_use]
    pub fn track_clicks(&self) -> bool {
        self.flag(SendMailerField::TrackClicks)
    }

    fn flag(&self, field: SendMailerField) -> bool {
        flag(self.check.get(field), self.check.bytes).unwrap_or(false)
    }
}

impl fmt::Debug for SinglePlan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SinglePlan").finish_non_exhaustive()
    }
}
