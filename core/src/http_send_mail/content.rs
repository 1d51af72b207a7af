//! Phase 4 of an httpSendMail call: its body is judged, request by request, and becomes a [`CheckedBatch`].

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};

use super::body::{self, Members};
use super::hosts::Hosts;
use super::recipients::{Collector, Recipients};
use super::request::{ADDRESS_LISTS, Request, RequestCheck, Standing};
use crate::bytes::{narrow, part};
use crate::check::order::{judged, rules};
use crate::domains::{Domains, content_hash};
use crate::ending::Ending;
use crate::fault::Fault;
use crate::operation::Operation;
use crate::policy::{Batch, HiddenHosts, Policy};
use crate::roles::DomainRoles;
use crate::rule::{Phase, Rule};
use crate::text::form::Encoding;
use crate::text::links::{self, HiddenHost};
use crate::violation::FoundViolation;
use crate::wire::address::SentAddress;
use crate::wire::field::RequestField as Field;
use crate::wire::json::{Shape, SyntaxError};

/// The content of an httpSendMail call: its requests, looked at up to the first violation that ends the call. When it has
/// just been read, no request was looked at.
#[derive(Clone)]
pub(crate) struct Content {
    pub(crate) members: Members,
    pub(crate) requests: Vec<Request>,
    pub(crate) recipients: Recipients,
    /// The decoded HTML of the accepted requests, one after the other. HTML that was sent plain is not in it. The plan
    /// borrows it.
    html: String,
    /// The hashes of the hosts in the HTML of the accepted requests. Phase 5 looks them up among the listed domains.
    pub(super) hosts: Vec<u32>,
}

/// An httpSendMail call that phase 4 does not refuse.
#[derive(Clone)]
pub(crate) struct CheckedBatch {
    pub(crate) content: Box<Content>,
    /// The domains to ask about.
    pub(crate) domains: Domains,
    /// The first request of each distinct sender.
    pub(super) senders: Vec<u32>,
    /// The first violation of phase 4 in a partial batch.
    pub(super) first: Option<FoundViolation>,
}

/// The ending and the content of a call that phase 4 refuses.
pub(crate) type Refused = (Ending, Box<Content>);

impl Content {
    /// Reads a body in one pass. If the body has more requests than the policy allows, no request is kept.
    pub(crate) fn read(sent: &str, policy: &Policy) -> Result<Self, SyntaxError> {
        let (members, requests) = body::read(sent, policy.max_requests())?;
        Ok(Self {
            members,
            requests,
            recipients: Recipients::default(),
            html: String::new(),
            hosts: Vec::new(),
        })
    }

    /// Looks at every request once, for a preflight: all requests are kept, and no questions are collected.
    pub(crate) fn look_at_all(&mut self, sent: &str, policy: &Policy) {
        let mut reader = BatchReader::new(sent, policy, self.requests.len());
        for (index, request) in (0_u32..).zip(&mut self.requests) {
            let start = reader.collector.len();
            reader.read_addresses(request);
            reader.note_entries(request, start);
            let check = RequestCheck::new(sent, policy, index, request);
            let (html, (hidden, has_unreadable)) = check.read_html(&mut reader.html, |html| {
                links::look_for_unreadable(html, policy.bare_domains())
            });
            request.html = html;
            request.is_html_refused = hidden.is_some_and(|hidden| is_refused(&hidden, policy));
            request.has_unreadable = has_unreadable;
        }
        self.recipients = reader.collector.finish(sent, &reader.ends);
    }

    pub(crate) fn check<'c>(
        &'c self,
        sent: &'c str,
        policy: &'c Policy,
        index: u32,
    ) -> Option<RequestCheck<'c>> {
        let request = self.requests.get(index as usize)?;
        Some(RequestCheck {
            decoded: self.decoded(request),
            ..RequestCheck::new(sent, policy, index, request)
        })
    }

    pub(crate) fn checks<'c>(
        &'c self,
        sent: &'c str,
        policy: &'c Policy,
    ) -> impl Iterator<Item = RequestCheck<'c>> + Clone {
        (0..narrow(self.requests.len())).filter_map(move |index| self.check(sent, policy, index))
    }

    /// The decoded HTML of a request, if it was kept.
    fn decoded(&self, request: &Request) -> Option<&str> {
        let Range { start, end } = request.decoded;
        let html = self.html.get(start as usize..end as usize);
        html.filter(|html| !html.is_empty())
    }

    /// The hashes of the hosts in the HTML of an accepted request ([`content_hash`]).
    pub(super) fn hosts_of(&self, request: &Request) -> &[u32] {
        let Range { start, end } = request.hosts;
        part(&self.hosts, start as usize..end as usize)
    }

    /// The first violation of phase 4 that is about the call as a whole, not about a request.
    pub(crate) fn call_violation(&self, policy: &Policy) -> Option<FoundViolation> {
        let is_broken = |rule: &Rule| {
            judged! { HttpSendMail Content Call, rule;
                TooManyRequests => self.members.count > policy.max_requests(),
                RequestsMissing => {
                    self.members.requests.shape != Shape::Array || self.members.count == 0
                },
            }
        };
        let rules = rules(Operation::HttpSendMail, Phase::Content);
        let rule = rules.iter().copied().find(is_broken)?;
        Some(FoundViolation::of_call(rule, self.members.requests_place()))
    }

    /// The violations of phase 4, in the order in which they win.
    pub(crate) fn violations<'c>(
        &'c self,
        sent: &'c str,
        policy: &'c Policy,
    ) -> impl Iterator<Item = FoundViolation> + 'c {
        let of_requests = self.checks(sent, policy).flat_map(RequestCheck::violations);
        self.call_violation(policy).into_iter().chain(of_requests)
    }

    fn any_stands(&self) -> bool {
        self.requests
            .iter()
            .any(|request| request.standing == Standing::Stands)
    }
}

impl CheckedBatch {
    /// Judges phase 4: looks at every request once. In a whole batch it stops at the first violation; in a partial batch it
    /// sets aside what is refused. The error is how the call ends, and its content as far as it was looked at.
    pub(crate) fn new(
        mut content: Box<Content>,
        sent: &str,
        policy: &Policy,
    ) -> Result<Self, Refused> {
        if let Some(found) = content.call_violation(policy) {
            return Err((Ending::Refused(found), content));
        }
        let requests = &mut content.requests;
        let mut reader = BatchReader::new(sent, policy, requests.len());
        let html = requests.iter().map(|request| request.body.get(Field::Body));
        // Decoding never makes HTML longer, so this capacity suffices. It is never more than the body.
        let capacity = html.map(|html| html.content().len()).sum();
        reader.kept.reserve_exact(capacity);
        let mut all = (0_u32..).zip(requests);
        let looked = all.try_for_each(|(index, request)| reader.read(request, index));
        if looked == ControlFlow::Break(Err(Fault)) {
            return Err((Ending::FAULT, content));
        }
        if let Some(first) = reader.first
            && (policy.batch() == Batch::Whole || !content.any_stands())
        {
            return Err((Ending::Refused(first), content));
        }
        content.html = reader.kept;
        content.hosts = reader.kept_hosts;
        content.recipients = reader.collector.finish(sent, &reader.ends);
        if !content.recipients.is_sound(sent) || reader.domains.finish(sent).is_err() {
            return Err((Ending::FAULT, content));
        }
        let mut checked = Self {
            content,
            domains: reader.domains,
            senders: Vec::new(),
            first: reader.first,
        };
        checked.number_senders(sent, policy);
        Ok(checked)
    }

    /// Numbers the distinct senders of the requests that are not refused, in order of first use.
    fn number_senders(&mut self, sent: &str, policy: &Policy) {
        let mut numbers = BTreeMap::new();
        let of_requests = self.content.checks(sent, policy).map(|check| {
            let is_kept = check.request.standing == Standing::Stands;
            let from = check.request.from.as_ref().filter(|_| is_kept)?;
            let next = u32::try_from(numbers.len()).ok()?;
            Some(*numbers.entry(from.key(sent)).or_insert_with(|| {
                self.senders.push(check.index);
                next
            }))
        });
        let of_requests: Vec<_> = of_requests.collect();
        for (request, sender) in self.content.requests.iter_mut().zip(of_requests) {
            request.sender = sender;
        }
    }
}

/// Reads all requests, one after the other, and collects what the call needs of them.
struct BatchReader<'c> {
    sent: &'c str,
    policy: &'c Policy,
    collector: Collector,
    domains: Domains,
    /// The buffer into which the HTML of each request is decoded.
    html: String,
    /// The decoded HTML of the accepted requests that did not send it plain.
    kept: String,
    kept_hosts: Vec<u32>,
    hosts: Hosts,
    /// The first violation.
    first: Option<FoundViolation>,
    /// The end of each request's entries among those of the call.
    ends: Vec<u32>,
}

impl<'c> BatchReader<'c> {
    fn new(sent: &'c str, policy: &'c Policy, requests: usize) -> Self {
        Self {
            sent,
            policy,
            collector: Collector::default(),
            domains: Domains::default(),
            html: String::new(),
            kept: String::new(),
            kept_hosts: Vec::new(),
            hosts: Hosts::default(),
            first: None,
            ends: Vec::with_capacity(requests),
        }
    }

    /// Reads and judges a request. Breaks with `Ok` when the rest of the call does not matter, and with [`Fault`] at a
    /// request that no rule refuses but that cannot be understood.
    fn read(&mut self, request: &mut Request, index: u32) -> ControlFlow<Result<(), Fault>> {
        let start = self.collector.len();
        self.read_addresses(request);
        self.read_hosts(request, index);
        let check = RequestCheck::new(self.sent, self.policy, index, request);
        let found = check.violations().next();
        self.first = self.first.or(found);
        if found.is_some() {
            if self.policy.batch() == Batch::Whole {
                return ControlFlow::Break(Ok(()));
            }
            if check.violations().any(|found| found.is_whole()) {
                self.collector.truncate(start);
                request.standing = Standing::RefusedByContent;
            } else if self.collector.len() == start {
                request.standing = Standing::WithoutRecipients;
            }
        }
        self.note_entries(request, start);
        if request.standing == Standing::Stands {
            if request.encoding() == Some(Encoding::Form) {
                let start = narrow(self.kept.len());
                self.kept.push_str(&self.html);
                request.decoded = start..narrow(self.kept.len());
            }
            if request.from.is_none() || self.collect_domains(request, start).is_err() {
                return ControlFlow::Break(Err(Fault));
            }
        }
        ControlFlow::Continue(())
    }

    /// Notes that the entries from `start` on are those of the request.
    fn note_entries(&mut self, request: &mut Request, start: u32) {
        request.entries = start..self.collector.len();
        self.ends.push(request.entries.end);
    }

    /// Reads the addresses of a request once, and keeps what its rules, the questions and the plan need.
    fn read_addresses(&mut self, request: &mut Request) {
        let sent = self.sent;
        request.from = SentAddress::read(request.body.get(Field::From), sent);
        request.reply_to = SentAddress::read(request.body.get(Field::ReplyTo), sent);
        for field in ADDRESS_LISTS {
            let list = request.body.get(field);
            let (has_entries, has_malformed) = self.collector.push_list(list, sent);
            request.has_entries |= has_entries;
            request.has_malformed |= has_malformed;
        }
    }

    /// Reads the HTML of a request once, and keeps its hosts.
    fn read_hosts(&mut self, request: &mut Request, index: u32) {
        let check = RequestCheck::new(self.sent, self.policy, index, request);
        let Self { html, hosts, .. } = self;
        hosts.clear();
        let bare_domains = self.policy.bare_domains();
        let (html, hidden) = check.read_html(html, |html| {
            links::visit_hosts(html, bare_domains, &mut |host| hosts.push(host))
        });
        request.html = html;
        request.is_html_refused = hidden.is_some_and(|hidden| is_refused(&hidden, self.policy));
    }

    /// Adds the domains of a request, in the order of its fields. Its entries are those from `start` on.
    fn collect_domains(&mut self, request: &mut Request, start: u32) -> Result<(), Fault> {
        let sent = self.sent;
        let Self {
            domains,
            kept_hosts,
            ..
        } = self;
        for (address, role) in [
            (&request.from, DomainRoles::SENDER),
            (&request.reply_to, DomainRoles::REPLY_TO),
        ] {
            if let Some(address) = address {
                domains.insert_sent(address, sent, role)?;
            }
        }
        self.collector.note_domains(start, sent, domains)?;
        let first = kept_hosts.len();
        self.hosts.drain(|host| {
            let hash = content_hash(host);
            if kept_hosts.get(first..).and_then(<[_]>::last) != Some(&hash) {
                if kept_hosts.len() == kept_hosts.capacity() {
                    // Doubling the capacity could take more memory than the hashes.
                    kept_hosts.reserve_exact((kept_hosts.len() / 4).max(64));
                }
                kept_hosts.push(hash);
            }
            domains.insert_host(host, sent, DomainRoles::CONTENT)
        })?;
        request.hosts = narrow(first)..narrow(kept_hosts.len());
        Ok(())
    }
}

/// Whether HTML in which any host could be hidden is refused. The policy may say that the host is asked instead, but it
/// cannot be asked about hosts that were not read.
fn is_refused(hidden: &HiddenHost, policy: &Policy) -> bool {
    policy.hidden_hosts() == HiddenHosts::Refuse || hidden.has_unread_hosts
}
