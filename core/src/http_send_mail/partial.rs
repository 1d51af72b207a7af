//! Judges phase 5 of a batch: selects the requests and recipients that remain, and leaves the others out.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::content::{CheckedBatch, Content};
use super::facts::RequestFacts;
use super::recipients::KeptRecipient;
use super::request::{RequestCheck, Standing};
use crate::bytes::bits::Bits;
use crate::domains::ListedDomains;
use crate::facts::{Debit, Facts};
use crate::policy::{Batch, Policy};
use crate::violation::{BlacklistedLink, FoundViolation};

/// An httpSendMail call with the host's facts, whose columns are as long as those of the questions.
#[derive(Clone)]
pub(crate) struct JudgedBatch {
    pub(crate) checked: Box<CheckedBatch>,
    pub(super) facts: Box<Facts>,
    /// The domains of the facts that are on a blacklist.
    pub(super) listed: ListedDomains,
    /// The requests and recipients that the facts leave out of a partial batch; `None` if there are none.
    partial: Option<Box<PartialBatch>>,
}

impl JudgedBatch {
    pub(crate) fn new(checked: Box<CheckedBatch>, facts: Box<Facts>, sent: &str) -> Self {
        let hosts = &checked.content.hosts;
        let listed = ListedDomains::new(&checked.domains, &facts.domains, sent, hosts);
        Self {
            checked,
            facts,
            listed,
            partial: None,
        }
    }

    /// Judges phase 5. Returns the violation that refuses the call. In a partial batch, what is refused is set aside.
    pub(crate) fn judge(&mut self, sent: &str, policy: &Policy) -> Option<FoundViolation> {
        let view = self.view(sent, policy);
        let first = view
            .standing_requests()
            .find_map(|check| RequestFacts::new(view, check).violations().next())?;
        if policy.batch() == Batch::Whole {
            return Some(first);
        }
        let partial = PartialBatch::new(view);
        let is_refused = !partial.standings.contains(&Standing::Stands);
        self.partial = Some(Box::new(partial));
        is_refused.then_some(self.checked.first.unwrap_or(first))
    }

    pub(crate) fn view<'c>(&'c self, sent: &'c str, policy: &'c Policy) -> View<'c> {
        View {
            sent,
            policy,
            judged: self,
        }
    }
}

/// An httpSendMail call with the host's facts, the body as sent, and the policy.
#[derive(Clone, Copy)]
pub(crate) struct View<'c> {
    pub(super) sent: &'c str,
    pub(super) policy: &'c Policy,
    pub(super) judged: &'c JudgedBatch,
}

/// A partial batch of which the facts refuse a part.
#[derive(Clone, Default)]
pub(crate) struct PartialBatch {
    standings: Vec<Standing>,
    /// The first remaining entry of each distinct address that remains.
    used: Bits,
    emails: u64,
    /// The distinct addresses that are refused.
    refused: Bits,
    /// The requests whose HTML leads to a listed domain.
    pub(super) html_listed: Bits,
}

impl PartialBatch {
    /// Sets aside what the facts refuse.
    fn new(view: View<'_>) -> Self {
        let recipients = &view.content().recipients;
        let mut partial = Self {
            used: Bits::below(recipients.count() as usize),
            refused: Bits::below(recipients.distinct_count()),
            html_listed: Bits::below(view.content().requests.len()),
            ..Self::default()
        };
        let mut seen = Bits::below(recipients.distinct_count());
        for check in view.checks() {
            let standing = match check.request.standing {
                Standing::Stands => {
                    let facts = RequestFacts::new(view, check);
                    if facts.is_html_listed {
                        partial.html_listed.insert(check.index as usize);
                    }
                    partial.select(facts, &mut seen)
                }
                standing => standing,
            };
            partial.standings.push(standing);
        }
        partial
    }

    fn select(&mut self, facts: RequestFacts<'_>, seen: &mut Bits) -> Standing {
        if facts.violations().any(|found| found.is_whole()) {
            return Standing::RefusedByFacts;
        }
        let mut standing = Standing::WithoutRecipients;
        let recipients = &facts.view.content().recipients;
        for kept in recipients.kept(facts.check.request.entries.clone()) {
            if facts.is_recipient_refused(kept) {
                self.refused.insert(kept.distinct as usize);
                continue;
            }
            standing = Standing::Stands;
            self.emails += 1;
            if seen.insert(kept.distinct as usize) {
                self.used.insert(kept.entry as usize);
            }
        }
        standing
    }
}

impl<'c> View<'c> {
    pub(crate) fn content(self) -> &'c Content {
        &self.judged.checked.content
    }

    pub(super) fn checks(self) -> impl Iterator<Item = RequestCheck<'c>> + Clone {
        self.content().checks(self.sent, self.policy)
    }

    /// What the facts leave out of a partial batch; `None` if that is nothing, or is not known yet.
    pub(super) fn partial(self) -> Option<&'c PartialBatch> {
        self.judged.partial.as_deref()
    }

    /// Whether a request is still accepted, and if not, why. `None` when the library contradicts itself
    /// ([`View::is_sound`]).
    pub(super) fn standing(self, check: RequestCheck<'_>) -> Option<Standing> {
        match self.partial() {
            Some(partial) => partial.standings.get(check.index as usize).copied(),
            None => Some(check.request.standing),
        }
    }

    /// The requests that are accepted.
    pub(super) fn standing_requests(self) -> impl Iterator<Item = RequestCheck<'c>> + Clone {
        self.checks()
            .filter(move |check| self.standing(*check) == Some(Standing::Stands))
    }

    /// The recipients of a request that get an email.
    pub(super) fn recipients_of(
        self,
        check: RequestCheck<'c>,
    ) -> impl Iterator<Item = KeptRecipient> + Clone + 'c {
        let recipients = &self.content().recipients;
        let kept = recipients.kept(check.request.entries.clone());
        let facts = self.partial().map(|_| RequestFacts::new(self, check));
        kept.filter(move |kept| !facts.is_some_and(|facts| facts.is_recipient_refused(*kept)))
    }

    /// Each distinct address that is used, by its first entry, in order of first use.
    pub(super) fn used(self) -> impl Iterator<Item = KeptRecipient> + Clone + 'c {
        let recipients = &self.content().recipients;
        let some = self.partial();
        let all = some.is_none().then(|| {
            (0..)
                .zip(recipients.first_entries())
                .map(|(distinct, entry)| KeptRecipient { entry, distinct })
        });
        let some = some.into_iter().flat_map(|partial| {
            let kept = recipients.kept(0..recipients.count());
            kept.filter(|kept| partial.used.contains(kept.entry as usize))
        });
        all.into_iter().flatten().chain(some)
    }

    /// The emails that are sent, and the subscribers that are created.
    pub(crate) fn debit(self) -> Debit {
        match self.partial() {
            Some(partial) => Debit {
                email: partial.emails,
                subscriber: self.new_recipients().count() as u64,
            },
            // Every distinct address is used, so the subscribers to create are those that were not found.
            None => Debit {
                email: self.content().recipients.email_count(),
                subscriber: self.judged.facts.subscribers.none_count() as u64,
            },
        }
    }

    /// The entries of a request that repeat an earlier entry of it, if that one gets an email.
    pub(super) fn repeated_of(
        self,
        check: RequestCheck<'c>,
    ) -> impl Iterator<Item = u32> + Clone + 'c {
        let recipients = &self.content().recipients;
        let refused = self.partial().map(|partial| &partial.refused);
        let refused = refused.filter(|refused| !refused.is_empty());
        let repeated = recipients.repeated(check.request.entries.clone());
        repeated.filter(move |entry| {
            let number = recipients.number(*entry) as usize;
            !refused.is_some_and(|refused| refused.contains(number))
        })
    }
}

/// The requests and recipients that a partial batch leaves out, request by request, each with its first violation. Those
/// that phase 4 refuses come before those that phase 5 refuses. `judged` is the call with its facts, if phase 5 was judged.
pub(crate) fn refused<'c>(
    content: &'c Content,
    judged: Option<View<'c>>,
    sent: &'c str,
    policy: &'c Policy,
) -> impl Iterator<Item = FoundViolation> + 'c {
    let checks = content.checks(sent, policy);
    let by_content = checks
        .clone()
        .flat_map(move |check| refused_by_content(check, judged));
    let set_aside = judged.filter(|view| view.partial().is_some());
    let by_facts = set_aside
        .into_iter()
        .flat_map(move |view| checks.clone().map(move |check| (view, check)))
        .flat_map(|(view, check)| refused_by_facts(view, check));
    by_content.chain(by_facts)
}

/// The rows of one request for what phase 4 refuses.
fn refused_by_content<'c>(
    check: RequestCheck<'c>,
    judged: Option<View<'c>>,
) -> impl Iterator<Item = FoundViolation> + 'c {
    let standing = match judged {
        Some(view) => view.standing(check),
        None => Some(check.request.standing),
    };
    let is_whole = standing == Some(Standing::RefusedByContent);
    // A request that phase 5 refuses as a whole has just one row, among those of phase 5.
    let has_rows =
        standing != Some(Standing::RefusedByFacts) && (is_whole || check.request.has_malformed);
    rows(has_rows.then(|| check.violations()), is_whole)
}

/// The rows of one request for what phase 5 refuses.
fn refused_by_facts<'c>(
    view: View<'c>,
    check: RequestCheck<'c>,
) -> impl Iterator<Item = FoundViolation> + 'c {
    let is_judged = check.request.standing == Standing::Stands;
    let is_whole = view.standing(check) == Some(Standing::RefusedByFacts);
    let found = is_judged.then(|| RequestFacts::new(view, check).violations());
    rows(found, is_whole)
}

/// One row for a request that is refused as a whole, else one for each refused address.
fn rows(
    found: Option<impl Iterator<Item = FoundViolation>>,
    is_whole: bool,
) -> impl Iterator<Item = FoundViolation> {
    let rows = found.into_iter().flatten();
    rows.filter(move |found| found.is_whole() == is_whole)
        .take(if is_whole { 1 } else { usize::MAX })
}

/// The first link of a request that leads to a listed domain.
pub(crate) fn blacklisted_link(view: View<'_>, request: u32) -> Option<BlacklistedLink> {
    let check = view.content().check(view.sent, view.policy, request)?;
    RequestFacts::new(view, check).blacklisted_link()
}
