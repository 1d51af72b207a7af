//! The messages of a plan, and their recipients.

use alloc::borrow::Cow;

use serde::Serialize;

use super::{RecipientRole, SinglePlan};
use crate::by_operation::ByOperation;
use crate::debug::debug_shows;
use crate::http_send_mail::{MessageView, RequestCheck};
pub use crate::text::form::Encoding;
use crate::wire::field::RequestField;

/// The content, sender and recipients of an email. Debug shows only the request.
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

    /// The subject; `None` on sendMailer, where the stored email has it.
    #[must_use]
    pub fn subject(&self) -> Option<Cow<'c, str>> {
        self.of_request()?.check.text(RequestField::Subject)
    }

    /// The decoded HTML to deliver, exactly as it was checked; `None` on sendMailer. It is borrowed, unless it was sent
    /// as plain text with escapes of JSON, which are then resolved again.
    #[must_use]
    pub fn html(&self) -> Option<Cow<'c, str>> {
        self.of_request()?.check.html()
    }

    /// How the HTML was encoded; `None` on sendMailer.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.of_request()?.check.request.encoding()
    }

    /// The effective sender address: `from`, else the address assigned to the stored email.
    #[must_use]
    pub fn from(&self) -> Cow<'c, str> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.from(),
            ByOperation::HttpSendMail(message) => Cow::Borrowed(message.from),
        }
    }

    /// The effective sender name: `fromName`, else on sendMailer the name assigned to the stored email.
    #[must_use]
    pub fn from_name(&self) -> Option<Cow<'c, str>> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.from_name(),
            ByOperation::HttpSendMail(message) => message.check.text(RequestField::FromName),
        }
    }

    /// The reply address, if one was sent.
    #[must_use]
    pub fn reply_to(&self) -> Option<Cow<'c, str>> {
        let RequestCheck { request, sent, .. } = self.of_request()?.check;
        let address = request.reply_to.as_ref()?;
        Some(Cow::Borrowed(address.text(sent)))
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

    /// `customField`, if it was sent: a text that the caller uses for tracking of its own.
    #[must_use]
    pub fn custom_field(&self) -> Option<Cow<'c, str>> {
        match self.0 {
            ByOperation::SendMailer(plan) => plan.custom_field(),
            ByOperation::HttpSendMail(message) => message.check.text(RequestField::CustomField),
        }
    }

    /// The recipients, in order of `to`, `cc` and `bcc`. Each gets a separate email.
    pub fn recipients(&self) -> impl Iterator<Item = Recipient<'c>> + use<'c> {
        match self.0 {
            ByOperation::SendMailer(plan) => ByOperation::SendMailer(core::iter::once(Recipient {
                to: plan.to(),
                role: None,
                subscriber: plan.subscriber(),
            })),
            ByOperation::HttpSendMail(message) => {
                ByOperation::HttpSendMail(message.recipients().map(|(to, list, subscriber)| {
                    Recipient {
                        to,
                        role: list.and_then(RecipientRole::of),
                        subscriber,
                    }
                }))
            }
        }
    }
}

debug_shows!(Message<'_> { request() });

/// The recipient of one email. Debug shows only the role.
#[derive(Clone, Serialize)]
pub struct Recipient<'c> {
    to: Cow<'c, str>,
    role: Option<RecipientRole>,
    subscriber: Option<u64>,
}

impl<'c> Recipient<'c> {
    /// The address to send to: on sendMailer a matched subscriber's stored address, else the address as sent.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        self.to.clone()
    }

    /// The first list of the request that has the address; `None` on sendMailer.
    #[must_use]
    pub fn role(&self) -> Option<RecipientRole> {
        self.role
    }

    /// The id of the matched subscriber; `None` for one that the plan creates.
    #[must_use]
    pub fn subscriber(&self) -> Option<u64> {
        self.subscriber
    }
}

debug_shows!(Recipient<'_> { role() });
