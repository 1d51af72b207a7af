//! What was decided of a call, and why.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::check::order::{place, rules};
use crate::check::request::{RequestCheck, Standing};
use crate::code::Code;
use crate::judge::http_send_mail::RequestFacts;
use crate::known::View;
use crate::operation::{Deprecation, Operation};
use crate::plan::Plan;
use crate::policy::{AnswerStatus, Batch};
use crate::rule::{Phase, Rule};
use crate::violation::{BlacklistedLink, Found, Violation};
use crate::wire::answer;
use crate::wire::json::SyntaxError;

/// How often the host was asked, counting what it answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Look-ups of the account.
    pub account: u64,
    /// Batches of facts.
    pub facts: u64,
    /// Plans.
    pub commits: u64,
}

/// Why a call ended without a code: a failure of the host's, never the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The commit was answered by a transaction id that is not 1 to 2^53-1; what the host carried out stands.
    #[error(
        "the commit was answered by a transaction id that cannot be, and what was carried out stands: an id is 1 to \
         9007199254740991"
    )]
    Misuse,
    /// The last attempt met a conflict that has no code; nothing was carried out.
    #[error("the last attempt met a conflict that has no code, and nothing was carried out")]
    Conflict,
    /// The commit did not say what came of it, or named a conflict that cannot happen on the operation.
    #[error(
        "it is not known whether the plan was carried out: look into the host's database before anything is sent again"
    )]
    Unknown,
}

impl HostError {
    /// The name in the JSON forms: `misuse`, `host` or `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Misuse => "misuse",
            Self::Conflict => "host",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Accepted {
        transaction_id: u64,
    },
    Refused(Found),
    /// The last attempt met a conflict that has a code.
    Conflict(Found),
    Failed(HostError),
}

/// What was decided of a call. Debug shows the code and the rule only.
#[derive(Clone, Copy)]
pub struct Decision<'c> {
    pub(crate) view: View<'c>,
    pub(crate) ending: Ending,
    pub(crate) syntax: Option<SyntaxError>,
    pub(crate) asked: Asked,
}

impl<'c> Decision<'c> {
    /// The operation that was called.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.view.known.sent.operation
    }

    /// The one code that answers the call; `None` when the host failed ([`Decision::host_error`]).
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self.ending {
            Ending::Accepted { .. } => Some(Code::SUCCESS),
            Ending::Refused(found) | Ending::Conflict(found) => {
                Some(self.violation_of(found).code())
            }
            Ending::Failed(_) => None,
        }
    }

    /// Whether the call was accepted and its plan carried out.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        matches!(self.ending, Ending::Accepted { .. })
    }

    /// The host's failure that ended the call without a code.
    #[must_use]
    pub fn host_error(&self) -> Option<HostError> {
        match self.ending {
            Ending::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// The violation that gives the code; `None` when the call was accepted, or the host failed.
    #[must_use]
    pub fn violation(&self) -> Option<Violation<'c>> {
        match self.ending {
            Ending::Refused(found) | Ending::Conflict(found) => Some(self.violation_of(found)),
            Ending::Accepted { .. } | Ending::Failed(_) => None,
        }
    }

    /// The number by which the host identifies the accepted call.
    #[must_use]
    pub fn transaction_id(&self) -> Option<u64> {
        match self.ending {
            Ending::Accepted { transaction_id } => Some(transaction_id),
            _ => None,
        }
    }

    /// The plan that was carried out.
    #[must_use]
    pub fn plan(&self) -> Option<Plan<'c>> {
        self.is_accepted().then_some(Plan { view: self.view })
    }

    /// The body of the response (interface, section 2.6), written as the policy says; `None` when the host failed.
    #[must_use]
    pub fn answer(&self) -> Option<String> {
        let sent = &self.view.known.sent;
        let place = match self.ending {
            Ending::Refused(found) if sent.policy.answer_status() == AnswerStatus::Place => {
                self.shown_place(found)
            }
            _ => None,
        };
        Some(answer::write(
            &sent.policy,
            sent.operation,
            self.code()?,
            place.as_deref(),
            self.transaction_id(),
        ))
    }

    /// The place that an answer may name: one in the body.
    #[inline(never)]
    fn shown_place(&self, found: Found) -> Option<String> {
        let is_in_body = found.rule.phase() == Phase::Content;
        let place = is_in_body.then(|| self.violation_of(found).pointer())?;
        place.filter(|place| !place.is_empty())
    }

    /// The requests and recipients that a partial batch leaves out, each with its first violation, in the order in
    /// which violations win; also when the call is refused after all. Empty for a whole batch.
    pub fn refused(&self) -> impl Iterator<Item = Violation<'c>> + use<'c> {
        let this = *self;
        let view = self.view;
        // Before its content is judged, a call has no parts.
        let is_judged =
            !matches!(this.ending, Ending::Refused(found) if found.rule.phase() < Phase::Content);
        let is_partial = view.known.sent.policy.batch() == Batch::Partial && is_judged;
        let content = view.http_send_mail().filter(|_| is_partial);
        let checks = content
            .into_iter()
            .flat_map(move |content| content.checks(view.bytes, &view.known.sent.policy));
        let by_content = checks
            .clone()
            .flat_map(move |check| refused_by_content(view, check));
        let has_parts = view.known.parts.is_some();
        let by_facts = checks
            .filter(move |_| has_parts)
            .flat_map(move |check| refused_by_facts(view, check));
        by_content
            .chain(by_facts)
            .map(move |found| this.violation_of(found))
    }

    /// The link that a violation of [`Rule::HtmlDomainBlacklisted`] is about; `None` for other violations.
    ///
    /// Takes a violation of this decision: [`Decision::violation`], or one of [`Decision::refused`].
    #[must_use]
    pub fn blacklisted_link(&self, violation: &Violation<'_>) -> Option<BlacklistedLink> {
        if violation.rule() != Rule::HtmlDomainBlacklisted {
            return None;
        }
        let view = self.view;
        let check = view.http_send_mail()?.request(
            view.bytes,
            &view.known.sent.policy,
            violation.request()?,
        )?;
        RequestFacts { view, check }.blacklisted_link()
    }

    /// The end of the operation, if it is deprecated, for a `Sunset` header.
    #[must_use]
    pub fn deprecation(&self) -> Option<Deprecation> {
        self.view.known.sent.operation.deprecation()
    }

    /// How often the host was asked.
    #[must_use]
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// Every rule of the operation, in the order in which they are judged, and what came of it; for support staff.
    ///
    /// When a request has decided the call, rules that requests are judged by are told of the requests up to that one.
    #[must_use]
    pub fn explanation(&self) -> Vec<Explained> {
        let operation = self.view.known.sent.operation;
        let deciding = match self.ending {
            Ending::Refused(found) => Some((found.rule, found.rule.phase())),
            Ending::Conflict(found) => Some((found.rule, Phase::Commit)),
            Ending::Accepted { .. } => None,
            Ending::Failed(_) => None,
        };
        let in_part: Vec<Rule> = {
            let mut rules: Vec<Rule> = Vec::new();
            for violation in self.refused() {
                if !rules.contains(&violation.rule()) {
                    rules.push(violation.rule());
                }
            }
            rules
        };
        let result = |rule: Rule| match deciding {
            Some((broken, _)) if broken == rule => Judgement::Broken,
            _ if in_part.contains(&rule) => Judgement::BrokenInPart,
            Some((broken, phase))
                if (rule.phase(), place(rule, operation)) > (phase, place(broken, operation)) =>
            {
                Judgement::NotReached
            }
            _ => Judgement::Kept,
        };
        let ordered = Phase::ALL
            .into_iter()
            .flat_map(|phase| rules(operation, phase));
        ordered
            .filter_map(|rule| {
                Some(Explained {
                    rule: *rule,
                    code: rule.code(operation)?,
                    result: result(*rule),
                })
            })
            .collect()
    }

    fn violation_of(&self, found: Found) -> Violation<'c> {
        Violation {
            body: self.view.bytes,
            operation: self.view.known.sent.operation,
            found,
            syntax: self.syntax,
            limit: self.view.known.sent.policy.max_bytes(),
            resolved: None,
        }
    }
}

/// The rows of one request that its content refuses.
fn refused_by_content<'c>(
    view: View<'c>,
    check: RequestCheck<'c>,
) -> impl Iterator<Item = Found> + 'c {
    let standing = view.standing(check);
    let is_whole = standing == Standing::RefusedByContent;
    // A request that the facts refuse as a whole has its one row there.
    let has_rows =
        standing != Standing::RefusedByFacts && (is_whole || check.request.has_malformed);
    let found = has_rows.then(|| check.violations()).into_iter().flatten();
    found
        .filter(move |found| found.is_whole() == is_whole)
        .take(if is_whole { 1 } else { usize::MAX })
}

/// The rows of one request that the facts refuse.
fn refused_by_facts<'c>(
    view: View<'c>,
    check: RequestCheck<'c>,
) -> impl Iterator<Item = Found> + 'c {
    let is_judged = check.request.standing == Standing::Stands;
    let is_whole = view.standing(check) == Standing::RefusedByFacts;
    let found = is_judged
        .then(|| RequestFacts { view, check }.violations())
        .into_iter()
        .flatten();
    found
        .filter(move |found| found.is_whole() == is_whole)
        .take(if is_whole { 1 } else { usize::MAX })
}

/// What came of judging a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// It was judged, as far as the call was looked at, and kept.
    Kept,
    /// It is broken and gives the code.
    Broken,
    /// It is broken by requests or recipients that a partial batch leaves out.
    BrokenInPart,
    /// The call was decided before it was reached.
    NotReached,
}

impl Judgement {
    /// The name in the JSON forms: `kept`, `broken`, `broken-in-part` or `not-reached`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "broken",
            Self::BrokenInPart => "broken-in-part",
            Self::NotReached => "not-reached",
        }
    }
}

/// A rule and what came of judging it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The rule.
    pub rule: Rule,
    /// Its code on the call's operation.
    pub code: Code,
    /// What came of it.
    pub result: Judgement,
}

impl fmt::Debug for Decision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decision")
            .field("code", &self.code().map(Code::number))
            .field("rule", &self.violation().map(|violation| violation.rule()))
            .finish_non_exhaustive()
    }
}
