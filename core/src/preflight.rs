//! The same checks without a host: everything that a call's bytes alone show, all violations and warnings collected.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::content::Content;
use crate::known::{Known, View};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::reading::{Refusal, key_missing, read_body};
use crate::rule::Rule;
use crate::text::links;
use crate::violation::{Found, Place, Violation};
use crate::warning::{Warning, warnings};
use crate::wire::json::{SyntaxError, Value};
use crate::wire::path::Walk;

/// A call's body, checked as far as that is possible without a host.
///
/// The method is not judged. For a batch that stands or falls as one, the first violation is what the service would
/// answer if every fact were favourable.
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
pub struct Preflight<B> {
    body: B,
    /// Nothing is known from a host.
    known: Known,
    syntax: Option<SyntaxError>,
    /// What stopped reading.
    stopped: Option<Found>,
    is_retired: bool,
}

impl<B: AsRef<[u8]>> Preflight<B> {
    /// Checks a body. Never fails: whatever is wrong with it is a violation.
    #[must_use]
    pub fn new(policy: &Policy, operation: Operation, body: B) -> Self {
        let mut refusal = None;
        let mut content = read_body(policy, operation, body.as_ref(), &mut refusal);
        if let Content::HttpSendMail(content) = &mut content {
            content.look_at_all(body.as_ref(), policy);
        }
        let (found, syntax) = match refusal {
            Some(Refusal { found, syntax }) => (Some(found), syntax),
            None => (None, None),
        };
        Self {
            stopped: found.filter(|found| found.rule != Rule::FieldRepeated),
            is_retired: policy
                .today()
                .is_some_and(|today| operation.is_past_last_day(today)),
            body,
            known: Known::new(operation, policy, content),
            syntax,
        }
    }

    /// The operation that the body is for.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.known.sent.operation
    }

    /// The body as given.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        self.body.as_ref()
    }

    /// Whether nothing is wrong; there may be warnings.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.violations().next().is_none()
    }

    /// Every violation, in the order in which they win. They are found as they are asked for.
    pub fn violations(&self) -> impl Iterator<Item = Violation<'_>> {
        let view = self.view();
        let retired = self.is_retired.then_some(Found {
            rule: Rule::OperationRetired,
            request: None,
            place: Place::None,
        });
        let is_read = self.stopped.is_none();
        let mut walk = Walk::new(self.body());
        let repeated = self.known.sent.content.repeats().iter().map(move |offset| {
            // One walk over the body finds the places of all.
            let (pointer, value) = walk.seek(*offset as usize).unwrap_or_default();
            let place = Place::Repeated(*offset);
            (
                Found {
                    rule: Rule::FieldRepeated,
                    request: None,
                    place,
                },
                Some((pointer, value)),
            )
        });
        let without_place = |found: Found| (found, None);
        let key = is_read
            .then(|| key_missing(&self.known.sent.content))
            .flatten()
            .map(|refusal| refusal.found);
        let call = match &self.known.sent.content {
            Content::HttpSendMail(content) => content.call_violations(&self.known.sent.policy),
            _ => None,
        };
        let send_mailer = view
            .send_mailer()
            .into_iter()
            .flat_map(|check| check.violations());
        let requests = view.http_send_mail().into_iter();
        let requests =
            requests.flat_map(move |content| content.checks(view.bytes, &view.known.sent.policy));
        let requests = requests.flat_map(|check| check.violations());
        retired
            .into_iter()
            .chain(self.stopped)
            .map(without_place)
            .chain(repeated)
            .chain(
                key.into_iter()
                    .chain(call)
                    .chain(send_mailer)
                    .chain(requests)
                    .map(without_place),
            )
            .map(move |(found, resolved)| self.violation_of(found, resolved))
    }

    /// Every warning: what does not change the code, but was probably not meant. Those without a place come first,
    /// the others in the order of their places. They are found as they are asked for.
    pub fn warnings(&self) -> impl Iterator<Item = Warning> {
        warnings(self.view())
    }

    /// The distinct hosts to which links and images of the call lead, as code 413 judges them, in canonical form.
    #[must_use]
    pub fn hosts(&self) -> BTreeSet<String> {
        let mut hosts = BTreeSet::new();
        let mut buffer = Vec::new();
        let mut scratch = links::Scratch::default();
        let view = self.view();
        for check in view
            .http_send_mail()
            .into_iter()
            .flat_map(|content| content.checks(view.bytes, &view.known.sent.policy))
        {
            check.with_html(&mut buffer, |html| {
                links::visit_hosts(html, &mut scratch, &mut |host| {
                    if !hosts.contains(host) {
                        hosts.insert(String::from(host));
                    }
                });
            });
        }
        hosts
    }

    fn view(&self) -> View<'_> {
        View {
            bytes: self.body.as_ref(),
            known: &self.known,
        }
    }

    fn violation_of(&self, found: Found, resolved: Option<(String, Value)>) -> Violation<'_> {
        Violation {
            body: self.body.as_ref(),
            operation: self.known.sent.operation,
            found,
            syntax: self.syntax,
            limit: self.known.sent.policy.max_bytes(),
            resolved,
        }
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for Preflight<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Preflight")
            .field("operation", &self.known.sent.operation)
            .finish_non_exhaustive()
    }
}
