//! What is known of a call, from its body and from its host, and the view in which plan and decision read it.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::bytes::bits::Bits;
use crate::check::http_send_mail::HttpSendMailContent;
use crate::check::request::Standing;
use crate::check::send_mailer::SendMailerCheck;
use crate::content::{Content, Sent, SentView};
use crate::domains::Domains;
use crate::facts::{Facts, Subscriber, Subscribers};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::roles::Roles;
use crate::text::{address, domain};

/// What is known of a call: from its body, and from its host.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) sent: Sent,
    pub(crate) facts: Facts,
    /// The domains of the facts that are on a blacklist.
    pub(crate) listed: Listed,
    /// What is left out of a partial batch because of the facts; `None` when nothing is.
    pub(crate) parts: Option<Box<Parts>>,
}

impl Known {
    /// Nothing is known from a host yet.
    // Inlined, so that it is made where it stays.
    #[inline(always)]
    pub(crate) fn new(operation: Operation, policy: &Policy, content: Content) -> Self {
        Self {
            sent: Sent {
                operation,
                policy: policy.clone(),
                content,
            },
            facts: Facts::default(),
            listed: Listed::default(),
            parts: None,
        }
    }
}

/// A partial batch of which the facts refuse something.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) standings: Vec<Standing>,
    /// The first entry that remains for each distinct address that remains.
    pub(crate) used: Bits,
    pub(crate) emails: u64,
    /// The distinct addresses that are refused.
    pub(crate) refused: Bits,
}

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
    pub(crate) fn find<'c>(&self, view: View<'c>, host: &str, role: Roles) -> Option<Cow<'c, str>> {
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

/// A call as its plan and its decision see it.
#[derive(Clone, Copy)]
pub(crate) struct View<'c> {
    pub(crate) bytes: &'c [u8],
    pub(crate) known: &'c Known,
}

impl<'c> View<'c> {
    /// The call without what the host says.
    pub(crate) fn sent(self) -> SentView<'c> {
        SentView {
            bytes: self.bytes,
            sent: &self.known.sent,
        }
    }

    pub(crate) fn send_mailer(self) -> Option<SendMailerCheck<'c>> {
        self.sent().send_mailer()
    }

    pub(crate) fn http_send_mail(self) -> Option<&'c HttpSendMailContent> {
        self.sent().http_send_mail()
    }

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
    pub(crate) fn matching(&self, check: &SendMailerCheck<'_>) -> &'c Subscribers {
        if check.is_by_id() {
            &self.known.facts.subscriber_ids
        } else {
            &self.known.facts.subscribers
        }
    }

    /// Whether anything is listed for the role.
    pub(crate) fn is_any_listed(&self, role: Roles) -> bool {
        self.known.listed.roles.contains(role)
    }

    pub(crate) fn is_listed(&self, host: &str, role: Roles) -> bool {
        self.known.listed.find(*self, host, role).is_some()
    }

    /// Whether the domain of a valid address is listed.
    pub(crate) fn is_address_listed<'a>(
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
