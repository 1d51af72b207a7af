//! The subscribers that a plan creates or updates.

use alloc::borrow::Cow;

use super::API_LIST;
use crate::by_operation::ByOperation;
use crate::debug::debug_shows;
use crate::http_send_mail::NewRecipient;
use crate::send_mailer::{Created, Updated};

/// A subscriber to create. Debug shows nothing of it.
#[derive(Clone)]
pub struct NewSubscriber<'c>(pub(super) ByOperation<Created<'c>, NewRecipient<'c>>);

impl<'c> NewSubscriber<'c> {
    /// The address, as sent, without white space around it.
    #[must_use]
    pub fn email(&self) -> Cow<'c, str> {
        match self.0 {
            ByOperation::SendMailer(created) => created.email(),
            ByOperation::HttpSendMail(created) => created.email(),
        }
    }

    /// The match key of the address, by which the subscriber was asked about and is to be found again.
    #[must_use]
    pub fn match_key(&self) -> Cow<'c, str> {
        match self.0 {
            ByOperation::SendMailer(created) => created.match_key(),
            ByOperation::HttpSendMail(created) => created.match_key(),
        }
    }

    /// The name of the list to put the subscriber into.
    #[must_use]
    pub fn list(&self) -> Cow<'c, str> {
        match self.0 {
            ByOperation::SendMailer(created) => created.list(),
            ByOperation::HttpSendMail(_) => Cow::Borrowed(API_LIST),
        }
    }

    /// The personalization that was sent, by the names of the interface (section 2.3), in its order.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        let created = self.0.send_mailer();
        created.into_iter().flat_map(Created::fields)
    }
}

debug_shows!(NewSubscriber<'_> {});

/// A subscriber whose personalization is updated. Debug shows the id only.
#[derive(Clone)]
pub struct Update<'c>(pub(super) Updated<'c>);

impl<'c> Update<'c> {
    /// The subscriber's id.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.0.id()
    }

    /// The fields to overwrite, by the names of the interface (section 2.3), in its order; `""` clears one.
    pub fn fields(&self) -> impl Iterator<Item = (&'static str, Cow<'c, str>)> + use<'c> {
        self.0.fields()
    }
}

debug_shows!(Update<'_> { id() });
