//! What was decided about a call, and why.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use serde::Serialize;

use crate::by_operation::ByOperation;
use crate::check::order::{position, rules_in_order};
use crate::code::Code;
use crate::content::{Kept, KeptView, Received};
use crate::debug::debug_shows;
use crate::ending::{Ending, Failure};
use crate::http_send_mail::{View, blacklisted_link, refused};
use crate::operation::{Deprecation, Operation};
use crate::plan::Plan;
use crate::policy::{AnswerStatus, Batch};
use crate::rule::{Phase, Rule, Scope};
use crate::violation::{BlacklistedLink, FoundViolation, Violation};
use crate::wire::answer;
use crate::word::words;

/// How often the host was asked. A question counts once it is answered. A plan counts once it is handed out or answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Asked {
    /// Look-ups of the account.
    pub account: u64,
    /// Batches of facts.
    pub facts: u64,
    /// Plans.
    pub commits: u64,
}

/// What was decided about a call. Debug shows only the code and the rule.
#[derive(Clone, Copy)]
pub struct Decision<'c> {
    pub(crate) received: Received<'c>,
    pub(crate) ending: Ending,
    pub(crate) kept: KeptView<'c>,
    pub(crate) asked: Asked,
}

impl<'c> Decision<'c> {
    /// The operation that was called.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.received.operation
    }

    /// The one code that answers the call; `None` when there is a [`Decision::failure`].
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self.violation() {
            Some(violation) => Some(violation.code()),
            None => self.is_accepted().then_some(Code::SUCCESS),
        }
    }

    /// Whether the call was accepted and its plan carried out.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        matches!(self.ending, Ending::Accepted { .. })
    }

    /// Why the call ended without a code; `None` when it has one.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        match self.ending {
            Ending::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// The violation that gives the code; `None` when the call was accepted, or there is a [`Decision::failure`].
    #[must_use]
    pub fn violation(&self) -> Option<Violation<'c>> {
        match self.ending {
            Ending::Refused(found) | Ending::Conflict(found) => Some(self.violation_of(found)),
            Ending::Accepted { .. } | Ending::Failed(_) => None,
        }
    }

    /// The host's number for the accepted call; `None` when the call was not accepted.
    #[must_use]
    pub fn transaction_id(&self) -> Option<u64> {
        match self.ending {
            Ending::Accepted { transaction_id } => Some(transaction_id),
            _ => None,
        }
    }

    /// The plan that was carried out; `None` when the call was not accepted.
    #[must_use]
    pub fn plan(&self) -> Option<Plan<'c>> {
        match self.kept {
            KeptView::Judged(judged) if self.is_accepted() => {
                Plan::new(judged, self.received.sent.text(), self.received.policy)
            }
            _ => None,
        }
    }

    /// The body of the response (interface, section 2.6), in the form that the policy sets; `None` when there is a
    /// [`Decision::failure`].
    #[must_use]
    pub fn response(&self) -> Option<String> {
        let Received {
            operation, policy, ..
        } = self.received;
        let place = match self.ending {
            Ending::Refused(found) if policy.answer_status() == AnswerStatus::Place => {
                self.shown_place(found)
            }
            _ => None,
        };
        Some(answer::write(
            policy,
            operation,
            self.code()?,
            place.as_deref(),
            self.transaction_id(),
        ))
    }

    /// The place of the violation, if the answer may name it: only places in the body of the call may be named.
    #[inline(never)]
    fn shown_place(&self, found: FoundViolation) -> Option<String> {
        let is_in_body = found.rule.phase() == Phase::Content;
        let place = is_in_body.then(|| self.violation_of(found).pointer())?;
        place.filter(|place| !place.is_empty())
    }

    /// The requests and recipients that a partial batch leaves out, each with its first violation, in the order in which
    /// violations win. They are listed even when the call as a whole is refused. Empty for a whole batch, and on sendMailer.
    pub fn refused(&self) -> impl Iterator<Item = Violation<'c>> + use<'c> {
        let this = *self;
        let Received { sent, policy, .. } = self.received;
        let judged = self.batch();
        let content = match (self.kept, judged) {
            (KeptView::WithoutFacts(Kept::Batch(content)), _) => Some(&**content),
            (_, Some(view)) => Some(view.content()),
            (_, None) => None,
        };
        content
            .filter(|_| policy.batch() == Batch::Partial)
            .into_iter()
            .flat_map(move |content| refused(content, judged, sent.text(), policy))
            .map(move |found| this.violation_of(found))
    }

    /// The view of a judged call of httpSendMail; `None` for any other call.
    fn batch(&self) -> Option<View<'c>> {
        match self.kept {
            KeptView::Judged(ByOperation::HttpSendMail(judged)) => {
                Some(judged.view(self.received.sent.text(), self.received.policy))
            }
            _ => None,
        }
    }

    /// The link that a violation of [`Rule::HtmlDomainBlacklisted`] is about. `None` for other violations, and when no
    /// link has the listed host, as in HTML that browsers and mail programs read differently.
    ///
    /// The violation has to be one of this decision: [`Decision::violation`], or one of [`Decision::refused`].
    #[must_use]
    pub fn blacklisted_link(&self, violation: &Violation<'_>) -> Option<BlacklistedLink> {
        if violation.rule() != Rule::HtmlDomainBlacklisted {
            return None;
        }
        blacklisted_link(self.batch()?, violation.request()?)
    }

    /// The end of the operation, if it is deprecated, for a `Sunset` header.
    #[must_use]
    pub fn deprecation(&self) -> Option<Deprecation> {
        self.received.operation.deprecation()
    }

    /// How often the host was asked.
    #[must_use]
    pub fn asked(&self) -> Asked {
        self.asked
    }

    /// Every rule of the operation with its result, in the order in which the rules are judged. For support staff.
    ///
    /// When one request has decided the call, the results of rules for requests cover only the requests up to that one.
    #[must_use]
    pub fn explanation(&self) -> Vec<Explained> {
        let operation = self.received.operation;
        let deciding = match self.ending {
            Ending::Refused(found) => Some((found.rule, found.rule.phase())),
            Ending::Conflict(found) => Some((found.rule, Phase::Commit)),
            Ending::Accepted { .. } | Ending::Failed(_) => None,
        };
        let failed_in = match (self.ending, self.kept) {
            (Ending::Failed(Failure::Internal), KeptView::Judged(_)) => Some(Phase::Credit),
            (Ending::Failed(Failure::Internal), _) if self.asked.account == 0 => {
                Some(Phase::Authentication)
            }
            (Ending::Failed(Failure::Internal), _) => Some(Phase::Content),
            (Ending::Failed(_), _) => Some(Phase::Commit),
            _ => None,
        };
        let in_part: BTreeSet<Rule> = self.refused().map(|refused| refused.rule()).collect();
        let reached_by = |rule: &Rule| match rule.scope(operation) {
            // All rules of the phase have judged a request of which only recipients are left out.
            Scope::Address => (rule.phase(), u64::MAX),
            Scope::Call | Scope::Request => (rule.phase(), position(*rule, operation)),
        };
        let decided_by = deciding.map(|(rule, phase)| (phase, position(rule, operation)));
        // When nothing remains of a partial batch, later rules than the one that gives the code have refused parts of it.
        let last = in_part.iter().map(reached_by).chain(decided_by).max();
        let result = |rule: Rule| match deciding {
            Some((broken, _)) if broken == rule => Judgement::Broken,
            _ if in_part.contains(&rule) => Judgement::BrokenInPart,
            Some(_) if Some((rule.phase(), position(rule, operation))) > last => {
                Judgement::NotReached
            }
            _ if failed_in.is_some_and(|phase| rule.phase() >= phase) => Judgement::NotReached,
            _ => Judgement::Kept,
        };
        rules_in_order(operation)
            .filter_map(|rule| {
                Some(Explained {
                    rule,
                    code: rule.code(operation)?,
                    judgement: result(rule),
                })
            })
            .collect()
    }

    fn violation_of(&self, found: FoundViolation) -> Violation<'c> {
        Violation {
            sent: self.received.sent,
            operation: self.received.operation,
            found,
            syntax: match self.kept {
                KeptView::WithoutFacts(Kept::Syntax(error)) => Some(*error),
                _ => None,
            },
            policy: self.received.policy,
            path: None,
            pointer: None,
        }
    }
}

words! {
    enum Judgement "The result of judging a rule."
    1 Kept "kept" "It was judged, and nothing that was looked at breaks it."
    2 Broken "broken" "It is broken and gives the code."
    3 BrokenInPart "broken-in-part" "It is broken by requests or recipients that a partial batch leaves out."
    4 NotReached "not-reached" "The call was decided, or failed, before the rule was judged."
}

/// A rule and the result of judging it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explained {
    /// The rule.
    pub rule: Rule,
    /// Its code on the call's operation.
    pub code: Code,
    /// The result.
    pub judgement: Judgement,
}

debug_shows!(this: Decision<'_> {
    "code": this.code().map(Code::number),
    "rule": this.violation().map(|violation| violation.rule())
});
