//! What was decided, and why.

use core::mem::MaybeUninit;

use franking_core::{BlacklistedLink, Code, Decision, Judgement};

use crate::call::{FrankingCall, Loan, State};
use crate::error::FrankingError;
use crate::handle::{boxed, check_out, get, put_out, run};
use crate::numbers::{of_failure, of_judgement, of_operation};
use crate::size::{Grows, check_sized, write_sized, write_sized_with};
use crate::status::Outcome;
use crate::text::{FrankingSpan, FrankingText, first};
use crate::violations::FrankingViolations;

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

// SAFETY: repr(C), members of 4 bytes in pairs and of 8, 8 * 1 bytes, no padding; every member takes any bytes.
unsafe impl Grows for FrankingDecision {
    const FIRST: usize = 120;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        operation: 0,
        code: 0,
        rule: 0,
        failure: 0,
        transaction_id: 0,
        request: 0,
        pointer: FrankingText::NONE,
        span: FrankingSpan { start: 0, end: 0 },
        response: FrankingText::NONE,
        asked_account: 0,
        asked_facts: 0,
        asked_commits: 0,
        has_request: 0,
        has_span: 0,
        accepted: 0,
        reserved: [0; 5],
    };
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
            operation: of_operation(decision.operation()),
            code: decision.code().map_or(0, |code| i32::from(code.number())),
            failure: decision.failure().map_or(0, of_failure),
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

/// A link in the HTML that leads to a blacklisted domain. Start from FRANKING_BLACKLISTED_LINK_INIT. Texts live until the
/// call is freed.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingBlacklistedLink {
    /// sizeof(franking_blacklisted_link).
    pub size: usize,
    /// The position in requests, from 0.
    pub request: u64,
    /// Where it stands in the HTML, as a person would name it: href of <a>.
    pub place: FrankingText,
    /// The URL as written, character references and escapes of CSS resolved; data NULL: the decision is about no link.
    pub url: FrankingText,
    /// The bytes of the decoded HTML in which it is written.
    pub span: FrankingSpan,
    /// The domain that is listed: the link's host, or a parent of it.
    pub domain: FrankingText,
}

// SAFETY: repr(C), 2 * 8 + 4 * 16 bytes without padding; every member takes any bytes.
unsafe impl Grows for FrankingBlacklistedLink {
    const FIRST: usize = 80;
    const EMPTY: Self = Self {
        size: size_of::<Self>(),
        request: 0,
        place: FrankingText::NONE,
        url: FrankingText::NONE,
        span: FrankingSpan { start: 0, end: 0 },
        domain: FrankingText::NONE,
    };
}

/// The texts of a decision, made once.
#[derive(Default)]
pub(crate) struct Texts {
    pub(crate) response: Option<String>,
    pointer: Option<String>,
    remedy: Option<String>,
    link: Option<Box<BlacklistedLink>>,
    explanation: Vec<FrankingExplained>,
}

impl State {
    /// The texts of the decision that every reader wants, and the decision. Made once: what was given out before stays
    /// valid.
    #[inline]
    pub(crate) fn decided(&mut self) -> Outcome<(&mut Texts, Decision<'_>)> {
        let Some(decision) = self.machine.call().decision() else {
            return Err(self.wrong_step("there is no decision yet"));
        };
        let texts = match &mut self.decided {
            Some(texts) => texts,
            none => {
                let texts = none.insert(Texts::default());
                texts.response = decision.response();
                if let Some(violation) = decision.violation() {
                    texts.pointer = violation.pointer();
                }
                texts
            }
        };
        Ok((texts, decision))
    }

    fn decide(&mut self, place: &mut MaybeUninit<FrankingDecision>) -> Outcome {
        let (texts, decision) = self.decided()?;
        place.write(FrankingDecision::new(
            &decision,
            texts.response.as_deref(),
            texts.pointer.as_deref(),
        ));
        Ok(())
    }

    fn remedy(&mut self) -> Outcome<FrankingText> {
        let (texts, decision) = self.decided()?;
        if texts.remedy.is_none() {
            texts.remedy = decision.violation().map(|violation| violation.remedy());
        }
        Ok(FrankingText::from_option(texts.remedy.as_deref()))
    }

    fn blacklisted_link(&mut self) -> Outcome<FrankingBlacklistedLink> {
        let (texts, decision) = self.decided()?;
        if texts.link.is_none() {
            let violation = decision.violation();
            let link = violation.and_then(|violation| decision.blacklisted_link(&violation));
            texts.link = link.map(Box::new);
        }
        Ok(match &texts.link {
            None => FrankingBlacklistedLink::EMPTY,
            Some(link) => FrankingBlacklistedLink {
                size: size_of::<FrankingBlacklistedLink>(),
                request: u64::from(link.request),
                place: FrankingText::new(&link.place),
                url: FrankingText::new(&link.url),
                span: FrankingSpan::from(link.span.clone()),
                domain: FrankingText::new(&link.domain),
            },
        })
    }
}

/// At FRANKING_STEP_DONE: the link for which the call was answered with code 413; its url is absent when it was not. link->size
/// has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_blacklisted_link(
    call: *mut FrankingCall,
    link: *mut FrankingBlacklistedLink,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(link, "link") }?;
        let value = call.state.write(State::blacklisted_link)?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { write_sized(link, "link", value) }
    })
}

/// At FRANKING_STEP_DONE: what was decided. decision->size has to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_decision(
    call: *mut FrankingCall,
    decision: *mut FrankingDecision,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        // SAFETY: the caller passes NULL or a structure that begins with its size.
        unsafe { check_sized(decision, "decision") }?;
        call.state.write(|state| {
            // SAFETY: the caller passes NULL or a structure that begins with its size.
            unsafe { write_sized_with(decision, "decision", |place| state.decide(place)) }
        })
    })
}

/// At FRANKING_STEP_DONE: what the caller of the call is to do, in whole sentences; data NULL when no rule is broken. Lives
/// until the call is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_remedy(
    call: *mut FrankingCall,
    remedy: *mut FrankingText,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(remedy, "remedy")?;
        let text = call.state.write(State::remedy)?;
        // SAFETY: checked above.
        unsafe { put_out(remedy, text) }
    })
}

/// At FRANKING_STEP_DONE: the requests and recipients that a partial batch leaves out, each with its first violation, also
/// when the call is refused after all. Owned: free it with franking_violations_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_refused(
    call: *mut FrankingCall,
    violations: *mut *mut FrankingViolations,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        check_out(violations, "violations")?;
        // SAFETY: the caller passes NULL or a call that was not freed.
        let (refused, loan) = unsafe {
            Loan::new(call, |state| {
                Ok(Box::new(state.decision()?.refused()) as Box<_>)
            })
        }?;
        // SAFETY: checked above.
        unsafe {
            put_out(
                violations,
                boxed(FrankingViolations::of_call(refused, loan)),
            )
        }
    })
}

/// A rule and what came of judging it: one row of franking_call_explanation.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrankingExplained {
    /// One of FRANKING_RULE.
    pub rule: i32,
    /// The rule's code on the call's operation.
    pub code: i32,
    /// One of FRANKING_JUDGEMENT.
    pub judgement: i32,
    /// 0.
    pub reserved: i32,
}

impl State {
    fn explanation(&mut self) -> Outcome<(*const FrankingExplained, usize)> {
        let (texts, decision) = self.decided()?;
        if texts.explanation.is_empty() {
            let explained = decision.explanation().into_iter();
            texts.explanation = explained
                .map(|explained| FrankingExplained {
                    rule: i32::from(explained.rule.number()),
                    code: i32::from(Code::number(explained.code)),
                    judgement: of_judgement(Judgement::clone(&explained.judgement)),
                    reserved: 0,
                })
                .collect();
        }
        Ok((first(&texts.explanation), texts.explanation.len()))
    }
}

/// At FRANKING_STEP_DONE: every rule of the operation, in the order in which they are judged, and what came of it, for
/// support staff. *rows is the first of *count, which live until the call is answered or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_explanation(
    call: *mut FrankingCall,
    rows: *mut *const FrankingExplained,
    count: *mut usize,
    error: *mut *mut FrankingError,
) -> i32 {
    run(error, || {
        // SAFETY: the caller passes NULL or a call that was not freed.
        let call = unsafe { get(call, "call") }?;
        check_out(rows, "rows")?;
        check_out(count, "count")?;
        let (first, length) = call.state.write(State::explanation)?;
        // SAFETY: checked above.
        unsafe { put_out(rows, first) }?;
        // SAFETY: checked above.
        unsafe { put_out(count, length) }
    })
}
