//! What remains of an httpSendMail call after the host's facts, when a batch may be accepted in part.

use crate::bytes::bits::Bits;
use crate::check::http_send_mail::HttpSendMailContent;
use crate::check::request::{RequestCheck, Standing};
use crate::judge::http_send_mail::{RequestFacts, is_all_clear};
use crate::known::{Parts, View};
use crate::recipients::{Kept, Recipients};
use crate::violation::Found;

impl Parts {
    /// Sets aside what the facts refuse; the first violation when anything is.
    pub(crate) fn new(view: View<'_>, content: &HttpSendMailContent) -> Option<(Self, Found)> {
        if is_all_clear(view) {
            return None;
        }
        let mut first = None;
        let mut parts = Self {
            used: Bits::below(content.recipients.count() as usize),
            refused: Bits::below(content.recipients.distinct_count()),
            ..Self::default()
        };
        let mut seen = Bits::below(content.recipients.distinct_count());
        for check in content.checks(view.bytes, &view.known.sent.policy) {
            let standing = match check.request.standing {
                Standing::Stands => {
                    parts.select(RequestFacts { view, check }, content, &mut first, &mut seen)
                }
                standing => standing,
            };
            parts.standings.push(standing);
        }
        Some((parts, first?))
    }

    fn select(
        &mut self,
        facts: RequestFacts<'_>,
        content: &HttpSendMailContent,
        first: &mut Option<Found>,
        seen: &mut Bits,
    ) -> Standing {
        let found = facts.first();
        *first = (*first).or(found);
        if facts.violations().any(|found| found.is_whole()) {
            return Standing::RefusedByFacts;
        }
        let mut standing = Standing::WithoutRecipients;
        for kept in facts.check.kept(&content.recipients) {
            if found.is_some() && facts.is_recipient_refused(kept) {
                self.refused.insert(kept.distinct);
                continue;
            }
            standing = Standing::Stands;
            self.emails = self.emails.saturating_add(1);
            if seen.insert(kept.distinct) {
                self.used.insert(kept.entry);
            }
        }
        standing
    }

    pub(crate) fn any_stands(&self) -> bool {
        self.standings.contains(&Standing::Stands)
    }
}

impl<'c> View<'c> {
    /// Whether a request still stands, and if not why.
    pub(crate) fn standing(self, check: RequestCheck<'_>) -> Standing {
        let by_facts = self
            .known
            .parts
            .as_ref()
            .and_then(|parts| parts.standings.get(check.index as usize));
        by_facts.copied().unwrap_or(check.request.standing)
    }

    /// The requests that stand.
    pub(crate) fn standing_requests(self) -> impl Iterator<Item = RequestCheck<'c>> + Clone {
        let content = self.http_send_mail();
        let checks = content
            .into_iter()
            .flat_map(move |content| content.checks(self.bytes, &self.known.sent.policy));
        checks.filter(move |check| self.standing(*check) == Standing::Stands)
    }

    /// The recipients of a request that get an email.
    pub(crate) fn recipients_of(
        self,
        check: RequestCheck<'c>,
    ) -> impl Iterator<Item = Kept> + Clone + 'c {
        const NOBODY: &Recipients = &Recipients::NONE;
        let content = self.http_send_mail();
        let kept = check.kept(content.map_or(NOBODY, |content| &content.recipients));
        let is_partial = self.known.parts.is_some();
        kept.filter(move |kept| {
            !is_partial || !RequestFacts { view: self, check }.is_recipient_refused(*kept)
        })
    }

    /// Each distinct address that is used, by its first entry, in order of first use.
    pub(crate) fn used(self) -> impl Iterator<Item = Kept> + Clone + 'c {
        let all = self.http_send_mail().filter(|_| self.known.parts.is_none());
        let some = self.known.parts.as_ref();
        let all = all.into_iter().flat_map(|content| {
            (0..)
                .zip(content.recipients.first_entries())
                .map(|(distinct, entry)| Kept { entry, distinct })
        });
        let some = some.zip(self.http_send_mail()).into_iter();
        let some = some.flat_map(|(parts, content)| {
            let kept = content.recipients.kept(0..content.recipients.count());
            kept.filter(|kept| parts.used.contains(kept.entry))
        });
        all.chain(some)
    }

    /// How many emails an httpSendMail call sends.
    pub(crate) fn email_count(self) -> u64 {
        match (&self.known.parts, self.http_send_mail()) {
            (Some(parts), _) => parts.emails,
            (None, Some(content)) => content.recipients.email_count(),
            (None, None) => 1,
        }
    }

    /// The entries of a request that repeat an earlier one which gets an email.
    pub(crate) fn repeated_of(
        self,
        check: RequestCheck<'c>,
    ) -> impl Iterator<Item = u32> + Clone + 'c {
        let content = self.http_send_mail();
        let refused = self
            .known
            .parts
            .as_ref()
            .map(|parts| &parts.refused)
            .filter(|refused| !refused.is_empty());
        content.into_iter().flat_map(move |content| {
            let repeated = content.recipients.repeated(check.request.entries.clone());
            repeated.filter(move |entry| {
                // In a partial batch repetitions are numbered as well.
                let number = content.recipients.number(*entry);
                !refused
                    .zip(number)
                    .is_some_and(|(refused, number)| refused.contains(number))
            })
        })
    }
}
