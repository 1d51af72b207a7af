//! The emails of a plan, and who gets them.

use alloc::borrow::Cow;

use super::{RecipientRole, SinglePlan};
use crate::by_operation::ByOperation;
use crate::debug::debug_shows;
use crate::http_send_mail::{MessageView, RecipientView};
pub use crate::text::form::Encoding;
use crate::wire::field::RequestField;

/// An email's content and sender, and who gets it. Debug shows nothing of it.
#[derive(Clone)]
pub struct Message<'c>(pub(super) ByOperation<SinglePlan<'c>, MessageView<'c>>);

impl<'c> Message<'c> {
    fn of_request(&self) -> Option<MessageView<'c>> {
        self.0.http_send_mail()
    }

    /// The position in `requests`, from 0; `None` on sendMailer.
    #[must_use]
    pub fn request(&self) -> Option<u32> {
        Some(self.of_request()?.check.index)
    }

    /// The id of the stored email to send; `None` on httpSendMail.
    #[must_use]
    pub fn mailer(&self) -> Option<u64> {
        Some(self.0.send_mailer()?.mailer())
    }

    /// The subject; `None` on sendMailer, whose stored email has one.
    #[must_use]
    pub fn subject(&self) -> Option<Cow<'c, str>> {
        self.of_request()?.text(RequestField::Subject)
    }

    /// The HTML to deliver, decoded: exactly what was checked. `None` on sendMailer. It is lent
    /// unless it was sent plain and with escapes of JSON, which are then resolved anew.
    #[must_use]
    pub fn html(&self) -> Option<Cow<'c, str>> {
        self.of_request()?.check.html()
    }

    /// How the HTML was sent; `None` on sendMailer.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.of_request()?.check.request.encoding()
    }

    /// The effective sender address: `from`, else the one assigned to the stored email.
    #[must_use]
    pub fn from(&self) -> Cow<'c, str> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.from(),
            ByOperation::HttpSendMail(message) => Cow::Borrowed(message.from()),
        }
    }

    /// The effective sender name: `fromName`, else on sendMailer the one assigned to the stored email.
    #[must_use]
    pub fn from_name(&self) -> Option<Cow<'c, str>> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.from_name(),
            ByOperation::HttpSendMail(message) => message.text(RequestField::FromName),
        }
    }

    /// The reply address, if one was sent.
    #[must_use]
    pub fn reply_to(&self) -> Option<Cow<'c, str>> {
        self.of_request()?.reply_to().map(Cow::Borrowed)
    }

    /// Whether opens are to be tracked.
    #[must_use]
    pub fn track_opens(&self) -> bool {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.track_opens(),
            ByOperation::HttpSendMail(message) => message.check.flag(RequestField::TrackOpens),
        }
    }

    /// Whether clicks are to be tracked.
    #[must_use]
    pub fn track_clicks(&self) -> bool {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.track_clicks(),
            ByOperation::HttpSendMail(message) => message.check.flag(RequestField::TrackClicks),
        }
    }

    /// The caller's text for its own tracking, if one was sent.
    #[must_use]
    pub fn custom_field(&self) -> Option<Cow<'c, str>> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.custom_field(),
            ByOperation::HttpSendMail(message) => message.text(RequestField::CustomField),
        }
    }

    /// Who gets the email, each separately, in order of to, cc and bcc.
    pub fn recipients(&self) -> impl Iterator<Item = Recipient<'c>> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(plan) => {
                ByOperation::SendMailer(core::iter::once(ByOperation::SendMailer(plan)))
            }
            ByOperation::HttpSendMail(message) => {
                ByOperation::HttpSendMail(message.recipients().map(ByOperation::HttpSendMail))
            }
        }
        .map(Recipient)
    }
}

debug_shows!(Message<'_> { request() });

/// One email's recipient. Debug shows nothing of it.
#[derive(Clone)]
pub struct Recipient<'c>(ByOperation<SinglePlan<'c>, RecipientView<'c>>);

impl<'c> Recipient<'c> {
    /// The address to send to: a matched subscriber's stored one on sendMailer, else as sent.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.to(),
            ByOperation::HttpSendMail(recipient) => recipient.to(),
        }
    }

    /// The list in which the address first stands; `None` on sendMailer.
    #[must_use]
    pub fn role(&self) -> Option<RecipientRole> {
        Some(RecipientRole::of(self.0.http_send_mail()?.list()))
    }

    /// The id of the subscriber with this address; `None` for one that the plan creates.
    #[must_use]
    pub fn subscriber(&self) -> Option<u64> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.subscriber(),
            ByOperation::HttpSendMail(recipient) => recipient.subscriber(),
        }
    }
}

debug_shows!(Recipient<'_> { role() });
