//! The emails of a plan, and who gets them.

use alloc::borrow::Cow;
use core::fmt;

use super::{Plan, Role, SinglePlan};
use crate::check::request::RequestCheck;
use crate::check::send_mailer::SendMailerCheck;
use crate::facts::Mailer;
use crate::known::View;
use crate::recipients::Kept;
pub use crate::text::form::Encoding;
use crate::wire::field::{RequestField, SendMailerField};
use crate::wire::value::flag;

/// An email's content and sender, and who gets it. Debug shows nothing of it.
#[derive(Clone)]
pub struct Message<'c> {
    pub(super) view: View<'c>,
    pub(super) source: MessageSource<'c>,
}

#[derive(Clone, Copy)]
pub(super) enum MessageSource<'c> {
    SendMailer(SendMailerCheck<'c>),
    HttpSendMail(RequestCheck<'c>),
}

impl<'c> Message<'c> {
    fn text(
        &self,
        send_mailer: Option<SendMailerField>,
        request: RequestField,
    ) -> Option<Cow<'c, str>> {
        match self.source {
            MessageSource::SendMailer(check) => check.text(send_mailer?),
            MessageSource::HttpSendMail(check) => check.text(request),
        }
    }

    fn request_check(&self) -> Option<RequestCheck<'c>> {
        match self.source {
            MessageSource::SendMailer(_) => None,
            MessageSource::HttpSendMail(check) => Some(check),
        }
    }

    /// The position in `requests`, from 0; `None` on sendMailer.
    #[must_use]
    pub fn request(&self) -> Option<u32> {
        self.request_check().map(|check| check.index)
    }

    /// The id of the stored email to send; `None` on httpSendMail.
    #[must_use]
    pub fn mailer(&self) -> Option<u64> {
        match self.source {
            MessageSource::SendMailer(check) => check.id(SendMailerField::MailerId),
            MessageSource::HttpSendMail(_) => None,
        }
    }

    /// The subject; `None` on sendMailer, whose stored email has one.
    #[must_use]
    pub fn subject(&self) -> Option<Cow<'c, str>> {
        self.text(None, RequestField::Subject)
    }

    /// The HTML to deliver, decoded: exactly what was checked. `None` on sendMailer. Each call decodes anew.
    #[must_use]
    pub fn html(&self) -> Option<Cow<'c, str>> {
        self.request_check()?.html()
    }

    /// How the HTML was sent; `None` on sendMailer.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.request_check()?.request.encoding()
    }

    /// The effective sender address: `from`, else the one assigned to the stored email.
    #[must_use]
    pub fn from(&self) -> Cow<'c, str> {
        match self.source {
            MessageSource::SendMailer(check) => sender_address(self.view, check),
            MessageSource::HttpSendMail(check) => {
                check.trimmed(RequestField::From).unwrap_or_default()
            }
        }
    }

    /// The effective sender name: `fromName`, else on sendMailer the one assigned to the stored email.
    #[must_use]
    pub fn from_name(&self) -> Option<Cow<'c, str>> {
        match self.source {
            MessageSource::SendMailer(check) => sender_name(self.view, check),
            MessageSource::HttpSendMail(check) => check.text(RequestField::FromName),
        }
    }

    /// The reply address, if one was sent.
    #[must_use]
    pub fn reply_to(&self) -> Option<Cow<'c, str>> {
        self.request_check()?.trimmed(RequestField::ReplyTo)
    }

    /// Whether opens are to be tracked.
    #[must_use]
    pub fn track_opens(&self) -> bool {
        self.flag(SendMailerField::TrackOpens, RequestField::TrackOpens)
    }

    /// Whether clicks are to be tracked.
    #[must_use]
    pub fn track_clicks(&self) -> bool {
        self.flag(SendMailerField::TrackClicks, RequestField::TrackClicks)
    }

    fn flag(&self, send_mailer: SendMailerField, request: RequestField) -> bool {
        let value = match self.source {
            MessageSource::SendMailer(check) => check.get(send_mailer),
            MessageSource::HttpSendMail(check) => check.get(request),
        };
        flag(value, self.view.bytes).unwrap_or(false)
    }

    /// The caller's text for its own tracking, if one was sent.
    #[must_use]
    pub fn custom_field(&self) -> Option<Cow<'c, str>> {
        self.text(
            Some(SendMailerField::CustomField),
            RequestField::CustomField,
        )
    }

    /// Who gets the email, each separately, in order of to, cc and bcc.
    pub fn recipients(&self) -> impl Iterator<Item = Recipient<'c>> + use<'c> {
        let view = self.view;
        let mut one = match self.source {
            MessageSource::SendMailer(_) => Some(Recipient {
                view,
                source: RecipientSource::SendMailer,
            }),
            MessageSource::HttpSendMail(_) => None,
        };
        let mut many = self.request_check().and_then(|check| {
            let reader = view.http_send_mail()?.recipients.reader(view.bytes);
            Some((check, view.recipients_of(check), reader))
        });
        core::iter::from_fn(move || {
            let Some((check, kept, reader)) = &mut many else {
                return one.take();
            };
            let kept = kept.next()?;
            let text = reader.text(kept.entry);
            Some(Recipient {
                view,
                source: RecipientSource::HttpSendMail(*check, kept, text),
            })
        })
    }
}

/// The effective sender address of a sendMailer call.
pub(super) fn sender_address<'c>(view: View<'c>, check: SendMailerCheck<'c>) -> Cow<'c, str> {
    let sent = check.trimmed(SendMailerField::From);
    sent.or_else(|| Some(Cow::Borrowed(assigned(view)?.from)))
        .unwrap_or_default()
}

/// The effective sender name of a sendMailer call.
pub(super) fn sender_name<'c>(view: View<'c>, check: SendMailerCheck<'c>) -> Option<Cow<'c, str>> {
    let sent = check.text(SendMailerField::FromName);
    sent.or_else(|| Some(Cow::Borrowed(assigned(view)?.from_name?)))
}

/// What is known of the stored email that a sendMailer call names.
fn assigned(view: View<'_>) -> Option<Mailer<'_>> {
    view.known.facts.mailers.get(0)
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("request", &self.request())
            .finish_non_exhaustive()
    }
}

impl<'c> RequestCheck<'c> {
    /// The HTML as it is delivered.
    fn html(self) -> Option<Cow<'c, str>> {
        use crate::text::form::decode;
        match self.text(RequestField::Body)? {
            Cow::Borrowed(text) => decode(text, self.policy.html_encoding())
                .ok()
                .map(|decoded| decoded.html),
            Cow::Owned(text) => decode(&text, self.policy.html_encoding())
                .ok()
                .map(|decoded| Cow::Owned(decoded.html.into_owned())),
        }
    }
}

/// One email's recipient. Debug shows nothing of it.
#[derive(Clone)]
pub struct Recipient<'c> {
    view: View<'c>,
    source: RecipientSource<'c>,
}

#[derive(Clone, Copy)]
enum RecipientSource<'c> {
    /// The only one of the call.
    SendMailer,
    /// The address, too, unless it has escapes or is very long.
    HttpSendMail(RequestCheck<'c>, Kept, Option<&'c str>),
}

impl<'c> Recipient<'c> {
    fn only(&self) -> Option<SinglePlan<'c>> {
        Plan { view: self.view }.single()
    }

    /// The address to send to: a matched subscriber's stored one on sendMailer, else as sent.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        match self.source {
            RecipientSource::SendMailer => {
                let only = self.only();
                only.map(|only| only.to()).unwrap_or_default()
            }
            RecipientSource::HttpSendMail(_, _, Some(text)) => Cow::Borrowed(text),
            RecipientSource::HttpSendMail(_, kept, None) => self.view.entry_text(kept.entry),
        }
    }

    /// The list in which the address first stands; `None` on sendMailer.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        match self.source {
            RecipientSource::SendMailer => None,
            RecipientSource::HttpSendMail(check, kept, _) => {
                let content = self.view.http_send_mail()?;
                Some(Role::of(
                    check.list_at(content.recipients.offset(kept.entry)),
                ))
            }
        }
    }

    /// The id of the subscriber with this address; `None` for one that the plan creates.
    #[must_use]
    pub fn subscriber(&self) -> Option<u64> {
        match self.source {
            RecipientSource::SendMailer => self.only()?.subscriber(),
            RecipientSource::HttpSendMail(_, kept, _) => {
                self.view.known.facts.subscribers.id(kept.distinct as usize)
            }
        }
    }
}

impl fmt::Debug for Recipient<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recipient")
            .field("role", &self.role())
            .finish_non_exhaustive()
    }
}
