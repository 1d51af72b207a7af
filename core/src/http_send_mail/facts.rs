//! Phase 5 of an httpSendMail call: each request is judged by the host's facts.

use alloc::string::ToString;

use super::partial::View;
use super::recipients::KeptRecipient;
use super::request::RequestCheck;
use crate::check::order::{judged, rules};
use crate::check::{Broken, Cursor, in_order, once};
use crate::domains::Blacklisted;
use crate::operation::Operation;
use crate::roles::DomainRoles;
use crate::rule::{Phase, Rule};
use crate::text::{address, links};
use crate::violation::{BlacklistedLink, FoundViolation};
use crate::wire::address::SentAddress;
use crate::wire::field::RequestField;

impl<'c> View<'c> {
    #[inline]
    fn blacklisted(self) -> Blacklisted<'c> {
        Blacklisted {
            sent: self.sent,
            domains: &self.judged.checked.domains,
            answers: &self.judged.facts.domains,
            listed: &self.judged.listed,
        }
    }
}

/// A request of an httpSendMail call with the host's facts.
#[derive(Clone, Copy)]
pub(super) struct RequestFacts<'c> {
    pub(super) view: View<'c>,
    pub(super) check: RequestCheck<'c>,
    /// Whether the HTML leads to a listed domain.
    pub(super) is_html_listed: bool,
}

impl<'c> RequestFacts<'c> {
    pub(super) fn new(view: View<'c>, check: RequestCheck<'c>) -> Self {
        Self {
            view,
            check,
            // Reading HTML again is expensive, so what a partial batch knows already is not found out again.
            is_html_listed: match view.partial() {
                Some(partial) => partial.html_listed.contains(check.index as usize),
                None => is_html_listed(view, check),
            },
        }
    }

    /// The violations of phase 5, in the order in which they win. Each address has only its first violation.
    pub(super) fn violations(self) -> impl Iterator<Item = FoundViolation> + 'c {
        let rules = rules(Operation::HttpSendMail, Phase::Facts);
        in_order(rules, Some(self.check.index), move |rule, from| {
            self.judge(rule, from)
        })
    }

    fn judge(&self, rule: Rule, from: Cursor) -> Broken {
        judged! { HttpSendMail Facts Request, rule;
            HtmlDomainBlacklisted => {
                once(from, self.is_html_listed, || self.check.member(RequestField::Body))
            },
            SenderDomainBlacklisted => {
                let address = self.check.request.from.as_ref();
                self.address_listed(from, RequestField::From, address, DomainRoles::SENDER)
            },
            ReplyToDomainBlacklisted => {
                let address = self.check.request.reply_to.as_ref();
                self.address_listed(from, RequestField::ReplyTo, address, DomainRoles::REPLY_TO)
            },
            RecipientDomainBlacklisted => self.recipient_domain_blacklisted(from),
            SenderUnknown => self.sender_unknown(from),
            SubscriberInactive => self.subscriber_inactive(from),
        }
    }

    /// The first link that leads to a listed domain.
    pub(super) fn blacklisted_link(&self) -> Option<BlacklistedLink> {
        let blacklisted = self.view.blacklisted();
        let html = self.check.html()?;
        links::links_with(&html, self.view.policy.bare_domains()).find_map(|link| {
            let mut hosts = link.hosts.iter();
            let domain = hosts.find_map(|host| blacklisted.find(host, DomainRoles::CONTENT))?;
            Some(BlacklistedLink {
                request: self.check.index,
                place: link.place.to_string(),
                url: link.url.into_owned(),
                span: link.span,
                domain: domain.into_owned(),
            })
        })
    }

    fn address_listed(
        &self,
        from: Cursor,
        field: RequestField,
        address: Option<&SentAddress>,
        role: DomainRoles,
    ) -> Broken {
        let blacklisted = self.view.blacklisted();
        let is_listed = blacklisted.is_any(role)
            && address
                .is_some_and(|address| blacklisted.has(&address.domain(self.view.sent), role));
        once(from, is_listed, || self.check.member(field))
    }

    fn sender_unknown(&self, from: Cursor) -> Broken {
        let sender = self.check.request.sender?;
        let is_unknown = self.view.judged.facts.senders.get(sender as usize) == Some(&false);
        once(from, is_unknown, || self.check.member(RequestField::From))
    }

    fn recipient_domain_blacklisted(&self, from: Cursor) -> Broken {
        if !self.view.blacklisted().is_any(DomainRoles::RECIPIENT) {
            return None;
        }
        self.first_recipient(from, |kept| self.is_recipient_listed(kept))
    }

    fn subscriber_inactive(&self, from: Cursor) -> Broken {
        // An address with a blacklisted domain has its violation already.
        self.first_recipient(from, |kept| {
            self.is_recipient_inactive(kept) && !self.is_recipient_listed(kept)
        })
    }

    fn first_recipient(&self, from: Cursor, is_broken: impl Fn(KeptRecipient) -> bool) -> Broken {
        let recipients = &self.view.content().recipients;
        let all = self.check.request.entries.clone();
        let start = u32::try_from(from.at).map_or(all.end, |at| all.start.max(at));
        let kept = recipients
            .kept(start..all.end)
            .find(|kept| is_broken(*kept))?;
        let span = self.view.entry(kept.entry).span;
        let next = Cursor::new(0, kept.entry as usize + 1);
        Some((self.check.entry_place(span), next))
    }

    fn is_recipient_listed(&self, kept: KeptRecipient) -> bool {
        let blacklisted = self.view.blacklisted();
        if !blacklisted.is_any(DomainRoles::RECIPIENT) {
            return false;
        }
        let entry = self.view.entry(kept.entry);
        address::parse(&entry.text)
            .is_ok_and(|address| blacklisted.has(&address.domain(), DomainRoles::RECIPIENT))
    }

    fn is_recipient_inactive(&self, kept: KeptRecipient) -> bool {
        let subscribers = &self.view.judged.facts.subscribers;
        subscribers.is_inactive(kept.distinct as usize)
    }

    /// Whether this one recipient is refused in a partial batch.
    pub(super) fn is_recipient_refused(&self, kept: KeptRecipient) -> bool {
        self.is_recipient_listed(kept) || self.is_recipient_inactive(kept)
    }
}

/// Whether the HTML of a request leads to a listed domain.
fn is_html_listed(view: View<'_>, check: RequestCheck<'_>) -> bool {
    let blacklisted = view.blacklisted();
    if !blacklisted.is_any(DomainRoles::CONTENT) {
        return false;
    }
    let mut is_open = false;
    for hash in view.content().hosts_of(check.request) {
        match blacklisted.has_content(*hash) {
            Some(true) => return true,
            Some(false) => {}
            None => is_open = true,
        }
    }
    if !is_open {
        return false;
    }
    // A hash belongs to several names, and not all of them are listed. Only then is the HTML read again.
    let Some(html) = check.html() else {
        return false;
    };
    let mut is_listed = false;
    links::visit_hosts(&html, view.policy.bare_domains(), &mut |host| {
        is_listed = is_listed || blacklisted.has(host, DomainRoles::CONTENT);
    });
    is_listed
}

#[cfg(test)]
mod tests;
