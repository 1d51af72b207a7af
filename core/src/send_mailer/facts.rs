//! Phase 5 of a sendMailer call: it is judged by the host's facts.

use alloc::boxed::Box;

use super::content::{CheckedSingle, Recipient};
use crate::check::order::{judged, rules};
use crate::domains::{Blacklisted, ListedDomains};
use crate::facts::{Facts, Mailer, Subscriber, Subscribers};
use crate::operation::Operation;
use crate::roles::DomainRoles;
use crate::rule::{Phase, Rule};
use crate::violation::{BodyPlace, FoundViolation};
use crate::wire::address::SentAddress;
use crate::wire::field::SendMailerField as Field;

/// A sendMailer call with the host's facts, whose columns are as long as those of the questions.
#[derive(Clone)]
pub(crate) struct JudgedSingle {
    pub(crate) checked: Box<CheckedSingle>,
    pub(crate) facts: Box<Facts>,
}

impl JudgedSingle {
    /// The violation of phase 5 that wins.
    pub(crate) fn first(&self, sent: &str) -> Option<FoundViolation> {
        let Self { checked, facts } = self;
        let listed = ListedDomains::new(&checked.domains, &facts.domains, sent, &[]);
        let check = FactsCheck {
            sent,
            judged: self,
            subscriber: self.subscribers().get(0),
            blacklisted: Blacklisted {
                sent,
                domains: &checked.domains,
                answers: &facts.domains,
                listed: &listed,
            },
        };
        rules(Operation::SendMailer, Phase::Facts)
            .iter()
            .find_map(|rule| Some(FoundViolation::of_call(*rule, check.judge(*rule)?)))
    }

    /// The column that was asked about the recipient. It has one member.
    pub(super) fn subscribers(&self) -> &Subscribers {
        match self.checked.recipient {
            Recipient::ById(_) => &self.facts.subscriber_ids,
            Recipient::ByAddress(_) => &self.facts.subscribers,
        }
    }

    /// The host's answer about the stored email.
    pub(super) fn mailer(&self) -> Option<Mailer<'_>> {
        self.facts.mailers.get(0)
    }
}

/// A sendMailer call and its facts, as rules see them.
struct FactsCheck<'c> {
    sent: &'c str,
    judged: &'c JudgedSingle,
    /// The subscriber that `subID` or `email` matches.
    subscriber: Option<Subscriber<'c>>,
    blacklisted: Blacklisted<'c>,
}

impl FactsCheck<'_> {
    fn judge(&self, rule: Rule) -> Option<BodyPlace> {
        judged! { SendMailer Facts Call, rule;
            SenderDomainBlacklisted => self.sender_domain_blacklisted(),
            RecipientDomainBlacklisted => self.recipient_domain_blacklisted(),
            SubscriberInactive => self.subscriber?.inactive.then(|| self.recipient()),
            SubscriberUnknown => self.subscriber_unknown(),
            SenderUnknown => (!*self.judged.facts.senders.first()?).then(|| self.member(Field::From)),
            MailerUnknown => self.judged.mailer().is_none().then(|| self.member(Field::MailerId)),
            ListUnknown => self.list_unknown(),
        }
    }

    fn member(&self, field: Field) -> BodyPlace {
        self.judged.checked.member(field)
    }

    /// The field that names the recipient.
    fn recipient(&self) -> BodyPlace {
        self.member(match self.judged.checked.recipient {
            Recipient::ById(_) => Field::SubId,
            Recipient::ByAddress(_) => Field::Email,
        })
    }

    fn is_listed(&self, address: &SentAddress, role: DomainRoles) -> bool {
        let blacklisted = &self.blacklisted;
        blacklisted.is_any(role) && blacklisted.has(&address.domain(self.sent), role)
    }

    fn sender_domain_blacklisted(&self) -> Option<BodyPlace> {
        if let Some(sender) = &self.judged.checked.sender {
            return self
                .is_listed(sender, DomainRoles::SENDER)
                .then(|| self.member(Field::From));
        }
        let mailer = self.judged.mailer()?;
        (mailer.blacklisted == Some(true)).then(|| self.member(Field::MailerId))
    }

    fn recipient_domain_blacklisted(&self) -> Option<BodyPlace> {
        let is_listed = match (self.subscriber, &self.judged.checked.recipient) {
            (Some(subscriber), _) => subscriber.blacklisted == Some(true),
            (None, Recipient::ById(_)) => false,
            (None, Recipient::ByAddress(address)) => {
                self.is_listed(address, DomainRoles::RECIPIENT)
            }
        };
        is_listed.then(|| self.recipient())
    }

    fn subscriber_unknown(&self) -> Option<BodyPlace> {
        let is_by_id = matches!(self.judged.checked.recipient, Recipient::ById(_));
        (is_by_id && self.subscriber.is_none()).then(|| self.recipient())
    }

    fn list_unknown(&self) -> Option<BodyPlace> {
        let exists = *self.judged.facts.lists.first()?;
        (!exists && self.subscriber.is_none()).then(|| self.member(Field::ListName))
    }
}
