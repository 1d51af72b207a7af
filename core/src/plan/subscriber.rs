//! The subscribers that a plan creates or updates.

use alloc::borrow::Cow;
use core::fmt;

use super::API_LIST;
use crate::check::send_mailer::SendMailerCheck;
use crate::known::View;
use crate::personalization::Personalization;
use crate::recipients::Kept;
use crate::wire::field::SendMailerField;

/// A subscriber to create. Debug shows nothing of it.
#[derive(Clone)]
pub struct NewSubscriber<'c> {
    pub(super) view: View<'c>,
    pub(super) source: NewSubscriberSource<'c>,
}

#[derive(Clone)]
pub(super) enum NewSubscriberSource<'c> {
    SendMailer(SendMailerCheck<'c>),
    HttpSendMail(Kept),
}

impl<'c> NewSubscriber<'c> {
    /// The address, as sent, without white space around it.
    #[must_use]
    pub fn email(&self) -> Cow<'c, str> {
        match &self.source {
            NewSubscriberSource::SendMailer(check) => check.email(),
            NewSubscriberSource::HttpSendMail(kept) => self.view.entry_text(kept.entry),
        }
    }

    /// The match key of the address, by which the subscriber was asked about and is to be found again.
    #[must_use]
    pub fn match_key(&self) -> Cow<'c, str> {
        match &self.source {
            NewSubscriberSource::SendMailer(check) => check.key(SendMailerField::Email),
            NewSubscriberSource::HttpSendMail(kept) => self.view.match_key(kept.distinct),
        }
    }

    /// The name of the list to put the subscriber into.
    #[must_use]
    pub fn list(&self) -> Cow<'c, str> {
        match &self.source {
            NewSubscriberSource::SendMailer(check) => check.list(),
            NewSubscriberSource::HttpSendMail(_) => Cow::Borrowed(API_LIST),
        }
    }

    /// The personalization that was sent, by the names of the interface (section 2.3), in its order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        let check = match &self.source {
            NewSubscriberSource::SendMailer(check) => Some(*check),
            NewSubscriberSource::HttpSendMail(_) => None,
        };
        check
            .into_iter()
            .flat_map(|check| Personalization::new(check, false))
    }
}

impl fmt::Debug for NewSubscriber<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewSubscriber").finish_non_exhaustive()
    }
}

/// A subscriber whose personalization is updated. Debug shows the id only.
#[derive(Clone)]
pub struct Update<'c> {
    pub(super) check: SendMailerCheck<'c>,
    pub(super) id: u64,
    pub(super) empty_clears: bool,
}

impl<'c> Update<'c> {
    /// The subscriber's id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The fields to overwrite, by the names of the interface (section 2.3), in its order; `""` clears one.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        Personalization::new(self.check, self.empty_clears)
    }
}

impl fmt::Debug for Update<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
