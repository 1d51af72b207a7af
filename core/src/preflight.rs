//! The checks that need no host. A preflight finds every violation and warning that the bytes of a call show.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::string::String;

use crate::account::key_missing;
use crate::by_operation::ByOperation;
use crate::content::{ReadCall, Received};
use crate::debug::debug_shows;
use crate::http_send_mail::RequestCheck;
use crate::memory::memory_bound;
use crate::operation::Operation;
use crate::policy::Policy;
use crate::rule::Rule;
use crate::send_mailer;
use crate::text::links;
use crate::transport::{Refusal, is_retired, most_bytes, read_body, repeated};
use crate::violation::{BodyPlace, FoundViolation, Violation};
use crate::warning::{Warning, warnings};
use crate::wire::path::{Path, Paths};
use crate::wire::sent::Sent;

/// The body of a call, checked as far as possible without a host.
///
/// The method is not judged. For a batch that is accepted or refused as a whole, the first violation is what the service
/// would answer if the key is known and the account may be used.
///
/// ```
/// use franking::{Operation, Policy, Preflight};
/// let body = br#"{"apiKey":"k","mailerID":1,"email":"nobody"}"#;
/// let preflight = Preflight::new(&Policy::default(), Operation::SendMailer, body);
/// let violation = preflight.violations().next().unwrap();
/// assert_eq!((violation.code().number(), violation.pointer().as_deref()), (412, Some("/email")));
/// assert_eq!(&body[violation.span().unwrap()], br#""nobody""#);
/// ```
#[derive(Clone)]
pub struct Preflight<'b> {
    sent: Sent<'b>,
    operation: Operation,
    policy: Policy,
    /// The inspected body, or why it was not read.
    shown: Result<ReadCall, Refusal>,
}

impl<'b> Preflight<'b> {
    /// Checks a body. Never fails: if anything is wrong with the body, there is a violation.
    #[must_use]
    pub fn new(policy: &Policy, operation: Operation, body: impl Into<Cow<'b, [u8]>>) -> Self {
        let sent = Sent::new(body.into(), most_bytes(policy, operation));
        let read = read_body(policy, operation, &sent);
        Self {
            shown: read.map(|read| read.inspect(sent.text(), policy)),
            operation,
            policy: policy.clone(),
            sent,
        }
    }

    /// The operation that the body is for.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The body as given.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.sent.bytes()
    }

    /// Returns `true` if the body breaks none of the rules that a preflight judges. Warnings do not count.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.violations().next().is_none()
    }

    /// Every violation, in the order in which they win. The iterator finds them one at a time.
    pub fn violations(&self) -> impl Iterator<Item = Violation<'_>> {
        let retired = is_retired(&self.policy, self.operation).then_some(FoundViolation::of_call(
            Rule::OperationRetired,
            BodyPlace::None,
        ));
        let (shown, stopped) = match &self.shown {
            Ok(shown) => (Some(shown), None),
            Err(refusal) => (None, Some(refusal.found)),
        };
        let of_shown = shown.into_iter().flat_map(|shown| {
            repeated(shown.common())
                .chain(key_missing(shown.common()))
                .chain(self.content_violations(shown))
        });
        let repeats = shown.map_or(&[][..], |shown| shown.common().repeats);
        let mut paths = Paths::new(self.body(), repeats);
        retired
            .into_iter()
            .chain(stopped)
            .chain(of_shown)
            .map(move |found| {
                let path = match found.place {
                    BodyPlace::Repeated(_) => paths.next(),
                    _ => None,
                };
                self.violation_of(found, path)
            })
    }

    /// The violations that the JSON form lists. Afterwards [`Listed::more`] counts the others.
    ///
    /// The list ends after [`Listed::MOST`] violations, or when their pointers together reach [`memory_bound`] of the body's
    /// length, in bytes.
    pub fn listed(&self) -> Listed<'_> {
        Listed {
            all: Box::new(self.violations()),
            left: Listed::MOST,
            pointer_bytes_left: memory_bound(self.body().len()),
        }
    }

    /// The violations of phase 4.
    fn content_violations<'c>(
        &'c self,
        shown: &'c ReadCall,
    ) -> impl Iterator<Item = FoundViolation> + 'c {
        let sent = self.sent.text();
        match shown {
            ByOperation::SendMailer(body) => {
                ByOperation::SendMailer(send_mailer::Check { sent, body }.violations())
            }
            ByOperation::HttpSendMail(content) => {
                ByOperation::HttpSendMail(content.violations(sent, &self.policy))
            }
        }
    }

    /// Every warning: a mistake that does not change the code. Warnings without a place come first, the others follow in the
    /// order of their places. The iterator finds them one at a time.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        let received = Received {
            sent: &self.sent,
            operation: self.operation,
            policy: &self.policy,
        };
        warnings(received, self.shown.as_ref().ok())
    }

    /// The distinct hosts of links and images of the call, in canonical form: those that code 413 is about.
    #[must_use]
    pub fn hosts(&self) -> BTreeSet<String> {
        let mut hosts = BTreeSet::new();
        let content = match &self.shown {
            Ok(ByOperation::HttpSendMail(content)) => Some(content),
            _ => None,
        };
        let checks = content
            .into_iter()
            .flat_map(|content| content.checks(self.sent.text(), &self.policy));
        for html in checks.filter_map(RequestCheck::html) {
            links::visit_hosts(&html, self.policy.bare_domains(), &mut |host| {
                if !hosts.contains(host) {
                    hosts.insert(String::from(host));
                }
            });
        }
        hosts
    }

    fn violation_of(&self, found: FoundViolation, path: Option<Path>) -> Violation<'_> {
        Violation {
            sent: &self.sent,
            operation: self.operation,
            found,
            syntax: match &self.shown {
                Ok(_) => None,
                Err(refusal) => refusal.syntax,
            },
            policy: &self.policy,
            path,
            pointer: None,
        }
    }
}

/// The iterator that [`Preflight::listed`] returns.
pub struct Listed<'p> {
    all: Box<dyn Iterator<Item = Violation<'p>> + 'p>,
    /// The number of violations that may still be listed.
    left: usize,
    /// The number of bytes that their pointers may still have together.
    pointer_bytes_left: usize,
}

impl Listed<'_> {
    /// The largest number of violations that are listed.
    pub const MOST: usize = 10_000;

    /// The number of violations that the iterator has not returned.
    #[must_use]
    pub fn more(self) -> usize {
        self.all.count()
    }
}

impl<'p> Iterator for Listed<'p> {
    type Item = Violation<'p>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.pointer_bytes_left == 0 {
            return None;
        }
        self.left = self.left.checked_sub(1)?;
        let mut violation = self.all.next()?;
        violation.pointer = violation.pointer();
        let length = violation.pointer.as_ref().map_or(0, String::len);
        // The last pointer may be longer than the bytes that are left.
        self.pointer_bytes_left = self.pointer_bytes_left.saturating_sub(length);
        Some(violation)
    }
}

debug_shows!(Listed<'_> { left });
debug_shows!(Preflight<'_> { operation });
