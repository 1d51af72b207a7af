//! What only the host knows of a call: one small function for each rule of phase 5, and the credit of phase 6.

use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;

use super::order::{judged, rules};
use super::request::RequestCheck;
use super::send_mailer::SendMailerCheck;
use super::{Broken, Cursor, first_in_order, in_order, member, once};
use crate::content::View;
use crate::domains::Domains;
use crate::facts::{Account, Debit, Subscriber, Subscribers};
use crate::operation::Operation;
use crate::recipients::Kept;
use crate::roles::Roles;
use crate::rule::{Phase, Rule};
use crate::text::{address, domain, links};
use crate::violation::{BlacklistedLink, Found, Place};
use crate::wire::field::{RequestField, SendMailerField as Field};

/// The domains that the host has found on its blacklists, for quick look-ups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    /// All roles for which anything is listed.
    roles: Roles,
    /// The listed names by their number in the question, ordered by their text.
    names: Vec<u32>,
}

impl Listed {
    pub(crate) fn new(domains: &Domains, answers: &[Roles], bytes: &[u8]) -> Self {
        // Mostly nothing is listed.
        if answers.iter().all(|roles| roles.is_empty()) {
            return Self::default();
        }
        let mut names = domains.listed(answers);
        let roles = names.iter().fold(Roles::NONE, |roles, number| {
            roles | domains.listed_roles(answers, *number)
        });
        names.sort_unstable_by(|left, right| {
            name(domains, *left, bytes).cmp(&name(domains, *right, bytes))
        });
        Self { roles, names }
    }

    /// Whether nothing is listed.
    pub(crate) fn is_empty(&self) -> bool {
        self.roles.is_empty()
    }

    /// The name by which `host` is listed for the role: its own or a parent's.
    fn find<'c>(&self, view: View<'c>, host: &str, role: Roles) -> Option<Cow<'c, str>> {
        if !self.roles.contains(role) {
            return None;
        }
        let domains = view.known.sent.content.domains();
        domain::walk(host).find_map(|candidate| {
            let found = self
                .names
                .binary_search_by(|number| name(domains, *number, view.bytes).cmp(&candidate));
            let number = *self.names.get(found.ok()?)?;
            domains
                .listed_roles(&view.known.facts.domains, number)
                .contains(role)
                .then(|| name(domains, number, view.bytes))
        })
    }
}

fn name<'a>(domains: &'a Domains, number: u32, bytes: &'a [u8]) -> Cow<'a, str> {
    domains
        .get(number as usize, bytes)
        .map(|(name, _)| name)
        .unwrap_or_default()
}

impl<'c> View<'c> {
    /// The subscriber that `subID` or `email` of a sendMailer call matches.
    #[inline]
    pub(crate) fn matched(&self, check: &SendMailerCheck<'_>) -> Option<Subscriber<'c>> {
        self.matching(check).get(0)
    }

    /// The id of [`View::matched`].
    #[inline]
    pub(crate) fn matched_id(&self, check: &SendMailerCheck<'_>) -> Option<u64> {
        self.matching(check).id(0)
    }

    /// The column that the one subscriber is in.
    fn matching(&self, check: &SendMailerCheck<'_>) -> &'c Subscribers {
        if check.is_by_id() {
            &self.known.facts.subscriber_ids
        } else {
            &self.known.facts.subscribers
        }
    }

    /// Whether anything is listed for the role.
    fn is_any_listed(&self, role: Roles) -> bool {
        self.known.selection.listed.roles.contains(role)
    }

    fn is_listed(&self, host: &str, role: Roles) -> bool {
        self.known
            .selection
            .listed
            .find(*self, host, role)
            .is_some()
    }

    /// Whether the domain of a valid address is listed.
    fn is_address_listed<'a>(
        &self,
        text: impl FnOnce() -> Option<Cow<'a, str>>,
        role: Roles,
    ) -> bool {
        if !self.is_any_listed(role) {
            return false;
        }
        let text = text();
        let address = text.as_deref().and_then(|text| address::parse(text).ok());
        address.is_some_and(|address| self.is_listed(&address.domain_ascii(), role))
    }
}

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

/// Whether nothing that the host said of an httpSendMail call can break a rule, so that no request needs to be judged.
pub(crate) fn is_all_clear(view: View<'_>) -> bool {
    let facts = &view.known.facts;
    let can_be_broken = |rule: &Rule| {
        judged! { HttpSendMail Facts of_request, rule;
            HtmlDomainBlacklisted => view.is_any_listed(Roles::CONTENT),
            SenderDomainBlacklisted => view.is_any_listed(Roles::SENDER),
            ReplyToDomainBlacklisted => view.is_any_listed(Roles::REPLY_TO),
            RecipientDomainBlacklisted => view.is_any_listed(Roles::RECIPIENT),
            SenderUnknown => facts.senders.contains(&false),
            SubscriberInactive => facts.subscribers.any_inactive(),
        }
    };
    !rules(Operation::HttpSendMail, Phase::Facts)
        .iter()
        .any(can_be_broken)
}

/// A request of an httpSendMail call with the host's facts.
#[derive(Clone, Copy)]
pub(crate) struct RequestFacts<'c> {
    pub(crate) view: View<'c>,
    pub(crate) check: RequestCheck<'c>,
}

impl<'c> RequestFacts<'c> {
    /// The violations of phase 5, in the order in which they win; of an address only the first.
    pub(crate) fn violations(self) -> impl Iterator<Item = Found> + 'c {
        in_order(Self::rules(), Some(self.check.index), move |rule, from| {
            self.judge(rule, from)
        })
    }

    /// The first of [`Self::violations`].
    pub(crate) fn first(&self) -> Option<Found> {
        let judge = |rule, from| self.judge(rule, from);
        first_in_order(Self::rules(), Some(self.check.index), judge)
    }

    fn rules() -> &'static [Rule] {
        rules(Operation::HttpSendMail, Phase::Facts)
    }

    fn judge(&self, rule: Rule, from: Cursor) -> Broken {
        judged! { HttpSendMail Facts of_request, rule;
            HtmlDomainBlacklisted => self.html_domain_blacklisted(from),
            SenderDomainBlacklisted => {
                self.address_listed(from, RequestField::From, Roles::SENDER)
            },
            ReplyToDomainBlacklisted => {
                self.address_listed(from, RequestField::ReplyTo, Roles::REPLY_TO)
            },
            RecipientDomainBlacklisted => self.recipient_domain_blacklisted(from),
            SenderUnknown => self.sender_unknown(from),
            SubscriberInactive => self.subscriber_inactive(from),
        }
    }

    fn html_domain_blacklisted(&self, from: Cursor) -> Broken {
        if from != Cursor::default() || !self.view.is_any_listed(Roles::CONTENT) {
            return None;
        }
        let mut is_listed = false;
        self.check.with_html(&mut Vec::new(), |html| {
            links::visit_hosts(html, &mut links::Scratch::default(), &mut |host| {
                is_listed = is_listed || self.view.is_listed(host, Roles::CONTENT);
            });
        });
        once(from, is_listed, || self.check.member(RequestField::Body))
    }

    /// The first link that leads to a listed domain, and that domain.
    pub(crate) fn blacklisted_link(&self) -> Option<BlacklistedLink> {
        let find = |html: &str| {
            links::links(html).find_map(|link| {
                let listed = &self.view.known.selection.listed;
                let domain = link
                    .hosts
                    .iter()
                    .find_map(|host| listed.find(self.view, host, Roles::CONTENT))?;
                Some(BlacklistedLink {
                    request: self.check.index,
                    place: link.place.to_string(),
                    url: link.url.into_owned(),
                    span: link.span,
                    domain: domain.to_string(),
                })
            })
        };
        self.check.with_html(&mut Vec::new(), find).1?
    }

    fn address_listed(&self, from: Cursor, field: RequestField, role: Roles) -> Broken {
        let is_listed = self
            .view
            .is_address_listed(|| self.check.trimmed(field), role);
        once(from, is_listed, || self.check.member(field))
    }

    fn sender_unknown(&self, from: Cursor) -> Broken {
        let is_active = self
            .view
            .known
            .facts
            .senders
            .get(self.check.request.sender as usize)
            .copied()
            .unwrap_or(true);
        once(from, !is_active, || self.check.member(RequestField::From))
    }

    fn recipient_domain_blacklisted(&self, from: Cursor) -> Broken {
        if !self.view.is_any_listed(Roles::RECIPIENT) {
            return None;
        }
        self.first_recipient(from, |kept| self.is_recipient_listed(kept))
    }

    fn subscriber_inactive(&self, from: Cursor) -> Broken {
        if !self.view.known.facts.subscribers.any_inactive() {
            return None;
        }
        // An address that is refused by its domain already has its violation.
        self.first_recipient(from, |kept| {
            self.is_recipient_inactive(kept) && !self.is_recipient_listed(kept)
        })
    }

    fn first_recipient(&self, from: Cursor, is_broken: impl Fn(Kept) -> bool) -> Broken {
        let recipients = &self.view.http_send_mail()?.recipients;
        let all = self.check.request.entries.clone();
        let start = all.start.max(u32::try_from(from.at).unwrap_or(u32::MAX));
        let kept = recipients
            .kept(start..all.end)
            .find(|kept| is_broken(*kept))?;
        let span = recipients.entry(self.view.bytes, kept.entry).span;
        Some((
            self.check.entry_place(span),
            Cursor {
                field: 0,
                at: kept.entry.saturating_add(1) as usize,
            },
        ))
    }

    fn is_recipient_listed(&self, kept: Kept) -> bool {
        if !self.view.is_any_listed(Roles::RECIPIENT) {
            return false;
        }
        let recipients = self
            .view
            .http_send_mail()
            .map(|content| &content.recipients);
        let entry = recipients.map(|recipients| recipients.entry(self.view.bytes, kept.entry));
        self.view
            .is_address_listed(|| entry.map(|entry| entry.text), Roles::RECIPIENT)
    }

    fn is_recipient_inactive(&self, kept: Kept) -> bool {
        self.view
            .known
            .facts
            .subscribers
            .is_inactive(kept.distinct as usize)
    }

    /// Whether this one recipient is refused in a partial batch.
    pub(crate) fn is_recipient_refused(&self, kept: Kept) -> bool {
        self.is_recipient_listed(kept) || self.is_recipient_inactive(kept)
    }
}

/// The first credit that the call needs more of than the account has.
pub(crate) fn credit(operation: Operation, account: &Account, debit: Debit) -> Option<Found> {
    let lacks = |needed: u64, credit: Option<i64>| {
        needed > 0 && credit.is_some_and(|credit| u64::try_from(credit).unwrap_or(0) < needed)
    };
    let rule = rules(operation, Phase::Credit)
        .iter()
        .copied()
        .find(|rule| {
            // Both operations have the same rules of this phase.
            judged! { SendMailer Credit of_call, rule;
                SubscriberCreditLow => lacks(debit.subscriber, account.subscriber_credit),
                EmailCreditLow => lacks(debit.email, account.email_credit),
            }
        })?;
    Some(Found {
        rule,
        request: None,
        place: Place::None,
    })
}
