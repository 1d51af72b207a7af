//! What the host is to do for a call that is accepted: a view of the call, iterated and never copied as a whole.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::check::facts::SendMailerFacts;
use crate::check::request::{RequestCheck, Standing};
use crate::check::send_mailer::SendMailerCheck;
use crate::content::View;
use crate::personalization::Personalization;
use crate::recipients::Kept;
pub use crate::text::form::Encoding;
use crate::violation::pointer_of;
use crate::wire::field::{RequestField, SendMailerField};
use crate::wire::value::flag;

/// The list into which sendMailer puts a new subscriber unless `listName` names another (interface, section 2.4). It
/// need not exist beforehand.
pub const DEFAULT_LIST: &str = "RealTime_Via_API";

/// The list into which httpSendMail puts every address used (interface, section 2.4). It need not exist beforehand.
pub const API_LIST: &str = "API_EMAILS";

/// What to do for an accepted call, all of it in one transaction of the host's.
///
/// Texts are data: they may hold any character, NUL and line breaks included, and have to be encoded for wherever
/// they are put. Debug shows counts only.
#[derive(Clone, Copy)]
pub struct Plan<'c> {
    pub(crate) view: View<'c>,
}

/// The credits that a plan costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Debit {
    /// One for each email.
    pub email: u64,
    /// One for each subscriber that is created.
    pub subscriber: u64,
}

/// The address list in which a recipient stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// `to`.
    To,
    /// `cc`, carbon copy.
    Cc,
    /// `bcc`, blind carbon copy.
    Bcc,
}

impl Role {
    /// `to`, `cc` or `bcc`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::To => "to",
            Self::Cc => "cc",
            Self::Bcc => "bcc",
        }
    }

    const fn of(field: RequestField) -> Self {
        match field {
            RequestField::Cc => Self::Cc,
            RequestField::Bcc => Self::Bcc,
            _ => Self::To,
        }
    }
}

impl<'c> Plan<'c> {
    /// The subscribers to create, in order of first use.
    pub fn create(&self) -> impl Iterator<Item = NewSubscriber<'c>> + use<'c> {
        let view = self.view;
        let one = self
            .send_mailer()
            .filter(|facts| facts.subscriber().is_none())
            .map(|facts| NewSubscriberSource::SendMailer(facts.check));
        let many = view
            .used()
            .filter(move |kept| view.facts.subscribers.id(kept.distinct as usize).is_none());
        let many = many.map(NewSubscriberSource::HttpSendMail);
        one.into_iter()
            .chain(many)
            .map(move |source| NewSubscriber { view, source })
    }

    /// The subscribers whose stored personalization is overwritten, field by field, with what was sent.
    pub fn update(&self) -> impl Iterator<Item = Update<'c>> + use<'c> {
        let view = self.view;
        let subscriber = self
            .send_mailer()
            .and_then(|facts| Some((facts.check, facts.subscriber()?.id)));
        subscriber
            .into_iter()
            .map(move |(check, id)| Update {
                check,
                id,
                empty_clears: view.policy.empty_clears(),
            })
            .filter(|update| !Personalization::new(update.check, update.empty_clears).is_empty())
    }

    /// The ids of existing subscribers to add to the list [`API_LIST`], those that are in it already included, in
    /// order of first use.
    pub fn enlist(&self) -> impl Iterator<Item = u64> + use<'c> {
        let view = self.view;
        view.used()
            .filter_map(move |kept| view.facts.subscribers.id(kept.distinct as usize))
    }

    /// The messages, one for each request; each of its recipients gets an email of its own.
    pub fn messages(&self) -> impl Iterator<Item = Message<'c>> + use<'c> {
        let view = self.view;
        let one = view.send_mailer().map(MessageSource::SendMailer);
        let many = view.standing_requests().map(MessageSource::HttpSendMail);
        one.into_iter()
            .chain(many)
            .map(move |source| Message { view, source })
    }

    /// One of [`Plan::messages`] by its [`Message::request`], found without going through those before it.
    #[must_use]
    pub fn message(&self, request: Option<u32>) -> Option<Message<'c>> {
        let view = self.view;
        let source = match (self.send_mailer(), request) {
            (Some(facts), None) => MessageSource::SendMailer(facts.check),
            (None, Some(index)) => {
                let check = view
                    .http_send_mail()?
                    .request(view.bytes, view.policy, index)?;
                if view.standing(check) != Standing::Stands {
                    return None;
                }
                MessageSource::HttpSendMail(check)
            }
            _ => return None,
        };
        Some(Message { view, source })
    }

    /// The repeated addresses that are left out, in order of requests, then of to, cc and bcc.
    pub fn collapsed(&self) -> impl Iterator<Item = Collapsed<'c>> + use<'c> {
        let view = self.view;
        view.standing_requests().flat_map(move |check| {
            view.repeated_of(check)
                .map(move |entry| Collapsed { view, check, entry })
        })
    }

    /// What the plan costs.
    #[must_use]
    pub fn debit(&self) -> Debit {
        let subscriber = match self.view.http_send_mail() {
            Some(_) if self.view.selection.parts.is_none() => {
                // Every distinct address is used: what is created is what was not found.
                self.view.facts.subscribers.none_count()
            }
            _ => self.create().count(),
        };
        Debit {
            email: self.view.email_count(),
            subscriber: subscriber as u64,
        }
    }

    /// How many emails the plan sends.
    #[must_use]
    pub fn email_count(&self) -> u64 {
        self.view.email_count()
    }

    /// The lists that the plan names, each once.
    #[must_use]
    pub fn lists(&self) -> Vec<Cow<'c, str>> {
        match self.view.http_send_mail() {
            Some(_) => alloc::vec![Cow::Borrowed(API_LIST)],
            None => self.create().map(|subscriber| subscriber.list()).collect(),
        }
    }

    fn send_mailer(&self) -> Option<SendMailerFacts<'c>> {
        Some(SendMailerFacts {
            view: self.view,
            check: self.view.send_mailer()?,
        })
    }
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("debit", &self.debit())
            .finish_non_exhaustive()
    }
}

/// A subscriber to create. Debug shows nothing of it.
#[derive(Clone)]
pub struct NewSubscriber<'c> {
    view: View<'c>,
    source: NewSubscriberSource<'c>,
}

#[derive(Clone)]
enum NewSubscriberSource<'c> {
    SendMailer(SendMailerCheck<'c>),
    HttpSendMail(Kept),
}

impl<'c> NewSubscriber<'c> {
    /// The address, as sent, without white space around it.
    #[must_use]
    pub fn email(&self) -> Cow<'c, str> {
        match &self.source {
            NewSubscriberSource::SendMailer(check) => {
                check.trimmed(SendMailerField::Email).unwrap_or_default()
            }
            NewSubscriberSource::HttpSendMail(kept) => self.view.entry_text(kept.entry),
        }
    }

    /// The name of the list to put the subscriber into.
    #[must_use]
    pub fn list(&self) -> Cow<'c, str> {
        match &self.source {
            NewSubscriberSource::SendMailer(check) => check
                .text(SendMailerField::ListName)
                .unwrap_or(Cow::Borrowed(DEFAULT_LIST)),
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
    check: SendMailerCheck<'c>,
    id: u64,
    empty_clears: bool,
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

/// An email's content and sender, and who gets it. Debug shows nothing of it.
#[derive(Clone)]
pub struct Message<'c> {
    view: View<'c>,
    source: MessageSource<'c>,
}

#[derive(Clone, Copy)]
enum MessageSource<'c> {
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
            MessageSource::SendMailer(check) => {
                let sent = check.trimmed(SendMailerField::From);
                let assigned = self.view.facts.mailers.first().and_then(Option::as_ref);
                sent.or(assigned.map(|mailer| Cow::Borrowed(&*mailer.from)))
                    .unwrap_or_default()
            }
            MessageSource::HttpSendMail(check) => {
                check.trimmed(RequestField::From).unwrap_or_default()
            }
        }
    }

    /// The effective sender name: `fromName`, else on sendMailer the one assigned to the stored email.
    #[must_use]
    pub fn from_name(&self) -> Option<Cow<'c, str>> {
        let sent = self.text(Some(SendMailerField::FromName), RequestField::FromName);
        sent.or_else(|| {
            let mailer = self.view.facts.mailers.first()?.as_ref()?;
            Some(Cow::Borrowed(mailer.from_name.as_deref()?))
        })
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
            MessageSource::SendMailer(check) => Some(Recipient {
                view,
                source: RecipientSource::SendMailer(check),
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
    SendMailer(SendMailerCheck<'c>),
    /// The address, too, unless it has escapes or is very long.
    HttpSendMail(RequestCheck<'c>, Kept, Option<&'c str>),
}

impl<'c> Recipient<'c> {
    /// The address to send to: a matched subscriber's stored one on sendMailer, else as sent.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        match self.source {
            RecipientSource::SendMailer(check) => match self.view.matched(check) {
                Some(subscriber) => Cow::Borrowed(subscriber.email),
                None => check.trimmed(SendMailerField::Email).unwrap_or_default(),
            },
            RecipientSource::HttpSendMail(_, _, Some(text)) => Cow::Borrowed(text),
            RecipientSource::HttpSendMail(_, kept, None) => self.view.entry_text(kept.entry),
        }
    }

    /// The list in which the address first stands; `None` on sendMailer.
    #[must_use]
    pub fn role(&self) -> Option<Role> {
        match self.source {
            RecipientSource::SendMailer(_) => None,
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
            RecipientSource::SendMailer(check) => {
                self.view.matched(check).map(|subscriber| subscriber.id)
            }
            RecipientSource::HttpSendMail(_, kept, _) => {
                self.view.facts.subscribers.id(kept.distinct as usize)
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

/// A repeated address that is left out. Debug shows nothing of the address.
#[derive(Clone)]
pub struct Collapsed<'c> {
    view: View<'c>,
    check: RequestCheck<'c>,
    entry: u32,
}

impl<'c> Collapsed<'c> {
    /// The position in `requests`, from 0.
    #[must_use]
    pub fn request(&self) -> u32 {
        self.check.index
    }

    /// The address as sent, without white space around it.
    #[must_use]
    pub fn to(&self) -> Cow<'c, str> {
        self.view.entry_text(self.entry)
    }

    /// The list in which the repetition stands, as a JSON Pointer (RFC 6901).
    #[must_use]
    pub fn pointer(&self) -> String {
        let field = self.check.list_at(self.span().start);
        pointer_of(Some(self.check.index), Some(field.name()))
    }

    /// The bytes of the entry in the body.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        let recipients = self
            .view
            .http_send_mail()
            .map(|content| &content.recipients);
        recipients
            .map(|recipients| recipients.entry(self.view.bytes, self.entry).span)
            .unwrap_or_default()
    }
}

impl fmt::Debug for Collapsed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collapsed")
            .field("request", &self.request())
            .finish_non_exhaustive()
    }
}

impl<'c> View<'c> {
    fn entry_text(self, entry: u32) -> Cow<'c, str> {
        let recipients = self.http_send_mail().map(|content| &content.recipients);
        recipients
            .map(|recipients| recipients.entry(self.bytes, entry).text)
            .unwrap_or_default()
    }
}
