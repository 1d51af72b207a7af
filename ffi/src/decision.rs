//! The C form of a decision and its reasons.

use franking_core::{BlacklistedLink, Decision};

use crate::records::{FrankingBlacklistedLink, FrankingDecision, FrankingExplained};
use crate::size::Grows;
use crate::text::{FrankingSpan, FrankingText};

impl FrankingDecision {
    /// Makes the C form of a decision. `response` and `pointer` are its texts, which the caller keeps.
    #[inline(always)]
    pub(crate) fn new(
        decision: &Decision<'_>,
        response: Option<&str>,
        pointer: Option<&str>,
    ) -> Self {
        let asked = decision.asked();
        let mut value = Self {
            operation: i32::from(decision.operation().number()),
            code: decision.code().map_or(0, |code| i32::from(code.number())),
            failure: decision
                .failure()
                .map_or(0, |failure| i32::from(failure.number())),
            transaction_id: decision.transaction_id().unwrap_or_default(),
            response: FrankingText::from_option(response),
            asked_account: asked.account,
            asked_facts: asked.facts,
            asked_commits: asked.commits,
            accepted: u8::from(decision.is_accepted()),
            ..Self::EMPTY
        };
        if let Some(violation) = decision.violation() {
            let span = violation.span();
            value.rule = i32::from(violation.rule().number());
            value.request = violation.request().map_or(0, u64::from);
            value.has_request = u8::from(violation.request().is_some());
            value.pointer = FrankingText::from_option(pointer);
            value.has_span = u8::from(span.is_some());
            value.span = span.map(FrankingSpan::from).unwrap_or_default();
        }
        value
    }
}

/// The texts of a decision, made once.
pub(crate) struct Texts {
    pub(crate) response: Option<String>,
    pointer: Option<String>,
    remedy: Option<String>,
    link: Option<Box<BlacklistedLink>>,
    explanation: Vec<FrankingExplained>,
}

/// Each method takes the decision from which the texts were made.
impl Texts {
    pub(crate) fn new(decision: &Decision<'_>) -> Self {
        let violation = decision.violation();
        Self {
            response: decision.response(),
            pointer: violation.and_then(|violation| violation.pointer()),
            remedy: None,
            link: None,
            explanation: Vec::new(),
        }
    }

    pub(crate) fn decision(&self, decision: &Decision<'_>) -> FrankingDecision {
        let (response, pointer) = (self.response.as_deref(), self.pointer.as_deref());
        FrankingDecision::new(decision, response, pointer)
    }

    pub(crate) fn remedy(&mut self, decision: &Decision<'_>) -> FrankingText {
        if self.remedy.is_none() {
            self.remedy = decision.violation().map(|violation| violation.remedy());
        }
        FrankingText::from_option(self.remedy.as_deref())
    }

    pub(crate) fn blacklisted_link(&mut self, decision: &Decision<'_>) -> FrankingBlacklistedLink {
        if self.link.is_none() {
            let violation = decision.violation();
            let link = violation.and_then(|violation| decision.blacklisted_link(&violation));
            self.link = link.map(Box::new);
        }
        match &self.link {
            None => FrankingBlacklistedLink::EMPTY,
            Some(link) => FrankingBlacklistedLink {
                size: size_of::<FrankingBlacklistedLink>(),
                request: u64::from(link.request),
                place: FrankingText::new(&link.place),
                url: FrankingText::new(&link.url),
                span: FrankingSpan::from(link.span.clone()),
                domain: FrankingText::new(&link.domain),
            },
        }
    }

    pub(crate) fn explanation(&mut self, decision: &Decision<'_>) -> &[FrankingExplained] {
        if self.explanation.is_empty() {
            let explained = decision.explanation().into_iter();
            self.explanation = explained
                .map(|explained| FrankingExplained {
                    rule: i32::from(explained.rule.number()),
                    code: i32::from(explained.code.number()),
                    judgement: i32::from(explained.judgement.number()),
                    reserved: 0,
                })
                .collect();
        }
        &self.explanation
    }
}
