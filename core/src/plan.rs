//! What the host is to do for a call that is accepted: a view of the call, iterated and never copied as a whole.

mod collapsed;
mod message;
mod single;
mod subscriber;

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use crate::check::request::Standing;
use crate::facts::Debit;
use crate::known::View;
use crate::operation::API_LIST;
use crate::personalization::Personalization;
use crate::wire::field::RequestField;
pub use collapsed::Collapsed;
use message::MessageSource;
pub use message::{Encoding, Message, Recipient};
pub use single::SinglePlan;
use subscriber::NewSubscriberSource;
pub use subscriber::{NewSubscriber, Update};

/// What to do for an accepted call, all of it in one transaction of the host's.
///
/// Texts are data: they may hold any character, NUL and line breaks included, and have to be encoded for wherever
/// they are put. Debug shows counts only.
#[derive(Clone, Copy)]
pub struct Plan<'c> {
    pub(crate) view: View<'c>,
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
        let one = view
            .send_mailer()
            .filter(|check| view.matched_id(check).is_none())
            .map(NewSubscriberSource::SendMailer);
        let many = view.used().filter(move |kept| {
            view.known
                .facts
                .subscribers
                .id(kept.distinct as usize)
                .is_none()
        });
        let many = many.map(NewSubscriberSource::HttpSendMail);
        one.into_iter()
            .chain(many)
            .map(move |source| NewSubscriber { view, source })
    }

    /// The subscribers whose stored personalization is overwritten, field by field, with what was sent.
    pub fn update(&self) -> impl Iterator<Item = Update<'c>> + use<'c> {
        let view = self.view;
        let subscriber = view
            .send_mailer()
            .and_then(|check| Some((check, view.matched_id(&check)?)));
        subscriber
            .into_iter()
            .map(move |(check, id)| Update {
                check,
                id,
                empty_clears: view.known.sent.policy.empty_clears(),
            })
            .filter(|update| !Personalization::new(update.check, update.empty_clears).is_empty())
    }

    /// The ids of existing subscribers to add to the list [`API_LIST`], those that are in it already included, in
    /// order of first use.
    pub fn enlist(&self) -> impl Iterator<Item = u64> + use<'c> {
        let view = self.view;
        view.used()
            .filter_map(move |kept| view.known.facts.subscribers.id(kept.distinct as usize))
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

    /// All of a plan of sendMailer's at once; `None` on httpSendMail. The shortest way through it.
    #[must_use]
    pub fn single(&self) -> Option<SinglePlan<'c>> {
        SinglePlan::new(self.view)
    }

    /// One of [`Plan::messages`] by its [`Message::request`], found without going through those before it.
    #[must_use]
    pub fn message(&self, request: Option<u32>) -> Option<Message<'c>> {
        let view = self.view;
        let source = match (view.send_mailer(), request) {
            (Some(check), None) => MessageSource::SendMailer(check),
            (None, Some(index)) => {
                let check =
                    view.http_send_mail()?
                        .request(view.bytes, &view.known.sent.policy, index)?;
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
        let known = self.view.known;
        let subscriber = match (self.view.send_mailer(), &known.parts) {
            (Some(check), _) => usize::from(self.view.matched_id(&check).is_none()),
            // Every distinct address is used: what is created is what was not found.
            (None, None) => known.facts.subscribers.none_count(),
            (None, Some(_)) => self.create().count(),
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
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("debit", &self.debit())
            .finish_non_exhaustive()
    }
}

impl<'c> View<'c> {
    pub(super) fn entry_text(self, entry: u32) -> Cow<'c, str> {
        let recipients = self.http_send_mail().map(|content| &content.recipients);
        recipients
            .map(|recipients| recipients.entry(self.bytes, entry).text)
            .unwrap_or_default()
    }

    /// The match key of a distinct address.
    pub(super) fn match_key(self, distinct: u32) -> Cow<'c, str> {
        let content = self.http_send_mail();
        content
            .map(|content| content.recipients.key(self.bytes, distinct))
            .unwrap_or_default()
    }
}
