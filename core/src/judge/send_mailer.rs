//! What the host's facts break of a sendMailer call.

use crate::check::member;
use crate::check::order::{judged, rules};
use crate::check::send_mailer::SendMailerCheck;
use crate::facts::Subscriber;
use crate::known::View;
use crate::operation::Operation;
use crate::roles::Roles;
use crate::rule::{Phase, Rule};
use crate::violation::{Found, Place};
use crate::wire::field::SendMailerField as Field;

/// A sendMailer call with the host's facts.
#[derive(Clone, Copy)]
pub(crate) struct SendMailerFacts<'c> {
    pub(crate) view: View<'c>,
    pub(crate) check: SendMailerCheck<'c>,
}

impl<'c> SendMailerFacts<'c> {
    /// `None` for a call of httpSendMail.
    // Inlined, so that it is made where it stays: copied, it waits for its own parts.
    #[inline(always)]
    pub(crate) fn new(view: View<'c>) -> Option<Self> {
        let check = view.send_mailer()?;
        Some(Self { view, check })
    }

    /// The subscriber that `subID` or `email` matches.
    fn subscriber(&self) -> Option<Subscriber<'c>> {
        self.view.matched(&self.check)
    }

    /// The violation of phase 5 that wins.
    pub(crate) fn first(&self) -> Option<Found> {
        rules(Operation::SendMailer, Phase::Facts)
            .iter()
            .find_map(|rule| {
                Some(Found {
                    rule: *rule,
                    request: None,
                    place: self.judge(*rule)?,
                })
            })
    }

    fn judge(&self, rule: Rule) -> Option<Place> {
        judged! { SendMailer Facts of_call, rule;
            SenderDomainBlacklisted => self.sender_domain_blacklisted(),
            RecipientDomainBlacklisted => self.recipient_domain_blacklisted(),
            SubscriberInactive => self.subscriber_inactive(),
            SubscriberUnknown => self.subscriber_unknown(),
            SenderUnknown => self.sender_unknown(),
            MailerUnknown => self.mailer_unknown(),
            ListUnknown => self.list_unknown(),
        }
    }

    fn member(&self, field: Field) -> Place {
        member(field, self.check.get(field))
    }

    /// The field that names the recipient.
    fn recipient(&self) -> Place {
        self.member(if self.check.is_by_id() {
            Field::SubId
        } else {
            Field::Email
        })
    }

    fn sender_domain_blacklisted(&self) -> Option<Place> {
        if !self.check.get(Field::From).is_absent() {
            let is_listed = self
                .view
                .is_address_listed(|| self.check.trimmed(Field::From), Roles::SENDER);
            return is_listed.then(|| self.member(Field::From));
        }
        let mailer = self.view.known.facts.mailers.get(0)?;
        (mailer.blacklisted == Some(true)).then(|| self.member(Field::MailerId))
    }

    fn recipient_domain_blacklisted(&self) -> Option<Place> {
        let is_listed = match self.subscriber() {
            Some(subscriber) => subscriber.blacklisted == Some(true),
            None if self.check.is_by_id() => false,
            None => self
                .view
                .is_address_listed(|| self.check.trimmed(Field::Email), Roles::RECIPIENT),
        };
        is_listed.then(|| self.recipient())
    }

    fn subscriber_inactive(&self) -> Option<Place> {
        self.subscriber()?.inactive.then(|| self.recipient())
    }

    fn subscriber_unknown(&self) -> Option<Place> {
        (self.check.is_by_id() && self.subscriber().is_none()).then(|| self.recipient())
    }

    fn sender_unknown(&self) -> Option<Place> {
        let is_active = *self.view.known.facts.senders.first()?;
        (!is_active).then(|| self.member(Field::From))
    }

    fn mailer_unknown(&self) -> Option<Place> {
        let mailer = self.view.known.facts.mailers.get(0);
        mailer.is_none().then(|| self.member(Field::MailerId))
    }

    fn list_unknown(&self) -> Option<Place> {
        let exists = *self.view.known.facts.lists.first()?;
        (!exists && self.subscriber().is_none()).then(|| self.member(Field::ListName))
    }
}
