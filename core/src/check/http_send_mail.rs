//! What the body of an httpSendMail call alone shows, request by request, and what the host has to be asked.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use super::member_or_object;
use super::order::{judged, rules};
use super::request::{ADDRESS_LISTS, Html, Request, RequestCheck, Standing};
use crate::bytes::equal::{equal_groups, hash, item, tag};
use crate::domains::Domains;
use crate::operation::Operation;
use crate::policy::{Batch, Policy};
use crate::recipients::{Collector, EntryDomain, Recipients};
use crate::roles::Roles;
use crate::rule::{Phase, Rule};
use crate::text::address::{self, scan_places};
use crate::text::links;
use crate::violation::{Found, Place};
use crate::wire::field::{HttpSendMailField, RequestField as Field};
use crate::wire::http_send_mail::HttpSendMailBody;
use crate::wire::json::{Shape, Value};
use crate::wire::value::is_text;

/// An httpSendMail call: its places, what its content shows, and what its questions are made of.
#[derive(Clone, Debug)]
pub(crate) struct HttpSendMailContent {
    pub(crate) object: Value,
    pub(crate) key: Value,
    pub(crate) array: Value,
    /// How many entries `requests` has; more than are kept when they are too many.
    pub(crate) count: u64,
    pub(crate) requests: Vec<Request>,
    /// The second values of names that stand twice, by position.
    pub(crate) repeats: Vec<u32>,
    pub(crate) recipients: Recipients,
    pub(crate) domains: Domains,
    /// The first request of each distinct sender.
    pub(crate) senders: Vec<u32>,
}

/// Buffers that are used again for every request.
#[derive(Default)]
struct Scratch {
    links: links::Scratch,
    hosts: Hosts,
}

/// The hosts of one HTML, in pieces that are given back as they are read: there may be as much of them as of HTML.
#[derive(Default)]
struct Hosts {
    full: Vec<String>,
    /// One host a line.
    last: String,
}

impl Hosts {
    const PIECE: usize = 1 << 20;

    fn clear(&mut self) {
        self.full.clear();
        self.last.clear();
    }

    fn push(&mut self, host: &str) {
        if self.last.len().saturating_add(host.len()) > Self::PIECE && !self.last.is_empty() {
            self.full.push(core::mem::take(&mut self.last));
        }
        if self.last.capacity() == 0 {
            self.last.reserve(256);
        }
        self.last.push_str(host);
        self.last.push('\n');
    }

    fn drain(&mut self, mut visit: impl FnMut(&str)) {
        for piece in self.full.drain(..) {
            piece.lines().for_each(&mut visit);
        }
        self.last.lines().for_each(visit);
        self.last.clear();
    }
}

impl HttpSendMailContent {
    pub(crate) fn new(body: HttpSendMailBody) -> Self {
        let HttpSendMailBody {
            object,
            key,
            requests,
            count,
            entries,
            repeats,
        } = body;
        Self {
            object,
            key,
            array: requests,
            count,
            requests: entries
                .into_iter()
                .map(|body| Request {
                    body,
                    ..Request::default()
                })
                .collect(),
            repeats,
            recipients: Recipients::default(),
            domains: Domains::default(),
            senders: Vec::new(),
        }
    }

    pub(crate) fn request<'c>(
        &'c self,
        bytes: &'c [u8],
        policy: &'c Policy,
        index: u32,
    ) -> Option<RequestCheck<'c>> {
        let request = self.requests.get(index as usize)?;
        Some(RequestCheck {
            bytes,
            policy,
            index,
            request,
        })
    }

    pub(crate) fn checks<'c>(
        &'c self,
        bytes: &'c [u8],
        policy: &'c Policy,
    ) -> impl Iterator<Item = RequestCheck<'c>> + Clone {
        (0_u32..)
            .zip(&self.requests)
            .map(move |(index, request)| RequestCheck {
                bytes,
                policy,
                index,
                request,
            })
    }

    /// Where a key that is missing or unknown stands.
    pub(crate) fn key_place(&self) -> Place {
        member_or_object(HttpSendMailField::ApiKey, self.key, self.object)
    }

    /// The violations of phase 4 that are the call's, not a request's.
    pub(crate) fn call_violations(&self, policy: &Policy) -> Option<Found> {
        let is_broken = |rule: &Rule| {
            judged! { HttpSendMail Content of_call, rule;
                TooManyRequests => self.count > policy.max_requests(),
                RequestsMissing => self.array.shape != Shape::Array || self.count == 0,
            }
        };
        let rules = rules(Operation::HttpSendMail, Phase::Content);
        let rule = rules.iter().copied().find(is_broken)?;
        let place = member_or_object(HttpSendMailField::Requests, self.array, self.object);
        Some(Found {
            rule,
            request: None,
            place,
        })
    }

    /// Looks at every request once, and gives the first violation. A whole batch is not looked at beyond it; in a
    /// partial one what is refused is set aside.
    pub(crate) fn look(&mut self, bytes: &[u8], policy: &Policy) -> Option<Found> {
        let mut collector = Collector::default();
        let mut scratch = Scratch::default();
        let mut first = None;
        let mut ends = Vec::with_capacity(self.requests.len());
        let mut senders: Vec<u64> = Vec::new();
        let mut requests = core::mem::take(&mut self.requests);
        for (index, request) in (0_u32..).zip(&mut requests) {
            let start = collector.len();
            look_at(request, bytes, policy, index, &mut collector, &mut scratch);
            let check = RequestCheck {
                bytes,
                policy,
                index,
                request,
            };
            let found = check.first();
            first = first.or(found);
            if found.is_some() {
                if policy.batch() == Batch::Whole {
                    break;
                }
                if check.violations().any(|found| found.is_whole()) {
                    collector.truncate(start);
                    request.standing = Standing::RefusedByContent;
                } else if collector.len() == start {
                    request.standing = Standing::WithoutRecipients;
                }
            }
            request.entries = start..collector.len();
            ends.push(request.entries.end);
            if request.standing == Standing::Stands {
                let check = RequestCheck {
                    bytes,
                    policy,
                    index,
                    request,
                };
                if let Some(hash) = sender_hash(check) {
                    senders.push(tag(hash, index));
                }
                self.collect_domains(check, collector.domains_from(start, bytes), &mut scratch);
            }
        }
        self.requests = requests;
        if first.is_some() && (policy.batch() == Batch::Whole || !self.any_stands()) {
            return first;
        }
        self.recipients = collector.finish(bytes, &ends, policy.batch() == Batch::Partial);
        self.domains.finish(bytes);
        self.number_senders(senders, bytes, policy);
        first
    }

    /// Looks at every request once, for a preflight: nothing is asked, nothing is set aside.
    pub(crate) fn look_at_all(&mut self, bytes: &[u8], policy: &Policy) {
        let mut collector = Collector::default();
        let mut scratch = Scratch::default();
        let mut ends = Vec::with_capacity(self.requests.len());
        for (index, request) in (0_u32..).zip(&mut self.requests) {
            let start = collector.len();
            look_at(request, bytes, policy, index, &mut collector, &mut scratch);
            request.entries = start..collector.len();
            ends.push(request.entries.end);
        }
        self.recipients = collector.finish(bytes, &ends, false);
    }

    pub(crate) fn any_stands(&self) -> bool {
        self.requests
            .iter()
            .any(|request| request.standing == Standing::Stands)
    }

    /// Notes the domains of a request, in the order of its fields. `recipients` are those of its valid entries.
    fn collect_domains<'b>(
        &mut self,
        check: RequestCheck<'_>,
        recipients: impl Iterator<Item = EntryDomain<'b>>,
        scratch: &mut Scratch,
    ) {
        let Self { domains, .. } = self;
        for (field, role) in [
            (Field::From, Roles::SENDER),
            (Field::ReplyTo, Roles::REPLY_TO),
        ] {
            let value = check.get(field);
            if let Some(text) = check.trimmed(field) {
                domains.insert_address(&text, value, check.bytes, role);
            }
        }
        for domain in recipients {
            match domain {
                EntryDomain::At { span, is_upper } => {
                    domains.insert_body(span, is_upper, check.bytes, Roles::RECIPIENT);
                }
                EntryDomain::Of(entry) => {
                    domains.insert_entry(&entry, check.bytes, Roles::RECIPIENT);
                }
            }
        }
        scratch
            .hosts
            .drain(|host| domains.insert_host(host, check.bytes, Roles::CONTENT));
    }

    fn number_senders(&mut self, mut tags: Vec<u64>, bytes: &[u8], policy: &Policy) {
        let mut first_of: Vec<u32> =
            (0..u32::try_from(self.requests.len()).unwrap_or(u32::MAX)).collect();
        let mut in_order: Vec<u32> = tags.iter().copied().map(item).collect();
        let key = |index: u32| {
            let check = self.request(bytes, policy, index);
            check.and_then(sender_key).unwrap_or_default()
        };
        equal_groups(&mut tags, key, |group| {
            let first = group.first().copied().map(item).unwrap_or_default();
            for member in group {
                if let Some(slot) = first_of.get_mut(item(*member) as usize) {
                    *slot = first;
                }
            }
        });
        in_order.retain(|index| first_of.get(*index as usize) == Some(index));
        for (request, first) in self.requests.iter_mut().zip(&first_of) {
            let number = in_order.partition_point(|index| index < first);
            request.sender = u32::try_from(number).unwrap_or(u32::MAX);
        }
        self.senders = in_order;
    }
}

/// The match key of a request's sender.
pub(crate) fn sender_key(check: RequestCheck<'_>) -> Option<Cow<'_, str>> {
    match check.trimmed(Field::From)? {
        Cow::Borrowed(text) => Some(address::parse(text).ok()?.match_key()),
        Cow::Owned(text) => Some(Cow::Owned(
            address::parse(&text).ok()?.match_key().into_owned(),
        )),
    }
}

fn sender_hash(check: RequestCheck<'_>) -> Option<u32> {
    sender_key(check).map(|key| hash(key.as_bytes()))
}

/// Fills in what a request's rules and the questions need, in one look at its addresses and its HTML.
fn look_at(
    request: &mut Request,
    bytes: &[u8],
    policy: &Policy,
    index: u32,
    collector: &mut Collector,
    scratch: &mut Scratch,
) {
    scratch.hosts.clear();
    for field in ADDRESS_LISTS {
        let check = RequestCheck {
            bytes,
            policy,
            index,
            request,
        };
        let (has_entries, has_malformed) = look_at_list(check, field, collector);
        request.has_entries |= has_entries;
        request.has_malformed |= has_malformed;
    }
    let check = RequestCheck {
        bytes,
        policy,
        index,
        request,
    };
    let Scratch { links, hosts, .. } = scratch;
    request.html = check.visit_hosts(links, &mut |host| {
        hosts.push(host);
    });
}

/// Whether there is an entry, and whether one is malformed.
fn look_at_list(check: RequestCheck<'_>, field: Field, collector: &mut Collector) -> (bool, bool) {
    let value = check.get(field);
    let mut found = (false, false);
    if value.shape == Shape::Escaped {
        for entry in check.entries(field) {
            found.0 = true;
            found.1 |= !look_at_entry(entry.span.start, None, &entry.text, collector);
        }
        return found;
    }
    if !is_text(value) {
        return found;
    }
    let offset = value.content().start;
    let list = check.bytes.get(value.content()).unwrap_or_default();
    for entry in scan_places(list) {
        found.0 = true;
        let start = offset.saturating_add(entry.start);
        let text = list.get(entry.start..).unwrap_or_default();
        match entry.ascii {
            Some(scan) => collector.push_scanned(start, text, scan),
            None => {
                let text = text.get(..entry.len).unwrap_or_default();
                // The body was read as UTF-8.
                let text = core::str::from_utf8(text).unwrap_or_default();
                found.1 |= !look_at_entry(start, Some(entry.len), text, collector);
            }
        }
    }
    found
}

/// Notes an entry that is valid; whether it is.
fn look_at_entry(
    start: usize,
    length: Option<usize>,
    text: &str,
    collector: &mut Collector,
) -> bool {
    let Ok(address) = address::parse(text) else {
        return false;
    };
    collector.push(start, length, address.match_key().as_bytes());
    true
}

impl Request {
    /// How the HTML was sent, when there is some.
    pub(crate) fn encoding(&self) -> Option<crate::text::form::Encoding> {
        match self.html {
            Html::Sent(encoding) => Some(encoding),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_kept_in_pieces_and_given_back_in_order_once() {
        let host = "a".repeat(Hosts::PIECE / 4 - 1);
        let mut hosts = Hosts::default();
        for (count, full) in [(4, 0), (1, 1), (3, 1), (1, 2)] {
            for _ in 0..count {
                hosts.push(&host);
            }
            assert_eq!(hosts.full.len(), full);
        }
        hosts.push("last.example");
        let mut given = Vec::new();
        hosts.drain(|host| given.push(String::from(host)));
        assert_eq!(given.len(), 10);
        assert!(given.iter().take(9).all(|given| *given == host));
        assert_eq!(given.last().map(String::as_str), Some("last.example"));
        hosts.drain(|_| panic!("they were given back"));
    }

    #[test]
    fn a_host_longer_than_a_piece_has_its_own() {
        let long = "a".repeat(Hosts::PIECE * 2);
        let mut hosts = Hosts::default();
        hosts.push(&long);
        assert!(hosts.full.is_empty());
        hosts.push(&long);
        assert_eq!(hosts.full.len(), 1);
    }
}
