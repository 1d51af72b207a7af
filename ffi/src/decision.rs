//! What was decided, and why.

use franking_core::{BlacklistedLink, Decision};

use crate::records::{FrankingBlacklistedLink, FrankingExplained};
use crate::size::Grows;
use crate::text::{FrankingSpan, FrankingText};

/// What was decided of a call. Start from FRANKING_DECISION_INIT. Texts live until the call is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingDecision {
    /// sizeof(franking_decision).
    pub size: usize,
    /// The operation that was called: one of FRANKING_OPERATION.
    pub operation: i32,
    /// The one code that answers the call; 0: the host failed.
    pub code: i32,
    /// The rule that gives the code: one of FRANKING_RULE; 0: accepted, or the host failed.
    pub rule: i32,
    /// How the call ended without a code: one of FRANKING_FAILURE; 0: it has one.
    pub failure: i32,
    /// The number by which the host identifies the accepted call; 0: not accepted.
    pub transaction_id: u64,
    /// The position in requests at which the rule is broken, from 0; only if has_request.
    pub request: u64,
    /// Where in the body the rule is broken, as a JSON Pointer (RFC 6901), empty for the whole body; data NULL: nowhere.
    pub pointer: FrankingText,
    /// The bytes of the body that the rule is broken by; only if has_span.
    pub span: FrankingSpan,
    /// The body of the response; data NULL: the host failed.
    pub response: FrankingText,
    /// How often the account was looked up.
    pub asked_account: u64,
    /// How often facts were looked up.
    pub asked_facts: u64,
    /// How many plans were handed out and answered.
    pub asked_commits: u64,
    /// 0: the rule is broken at no request.
    pub has_request: u8,
    /// 0: the rule is broken nowhere in the body.
    pub has_span: u8,
    /// Not 0: the call was accepted and its plan carried out.
    pub accepted: u8,
    /// 0.
    pub reserved: [u8; 5],
}

// SAFETY: repr(C), without padding (layout.rs), and every member takes any bytes.
unsafe impl Grows for FrankingDecision {
    const FIRST: usize = 120;
}

impl FrankingDecision {
    /// With the texts that were made of it.
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

/// Each method takes the decision of which the texts were made.
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
