//! What the host's facts break of a request of an httpSendMail call.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::check::order::{judged, rules};
use crate::check::request::RequestCheck;
use crate::check::{Broken, Cursor, first_in_order, in_order, once};
use crate::known::View;
use crate::operation::Operation;
use crate::recipients::Kept;
use crate::roles::Roles;
use crate::rule::{Phase, Rule};
use crate::text::links;
use crate::violation::{BlacklistedLink, Found};
use crate::wire::field::RequestField;

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
                let listed = &self.view.known.listed;
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
