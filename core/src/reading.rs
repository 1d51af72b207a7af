//! Phases 1 and 2, as far as the body alone shows them.

use alloc::boxed::Box;

use crate::check::http_send_mail::HttpSendMailContent;
use crate::check::order::assert_all_judged;
use crate::content::{Content, SendMailerContent};
use crate::operation::{METHOD, Operation};
use crate::policy::Policy;
use crate::rule::{Phase, Rule};
use crate::violation::{Found, Place};
use crate::wire::http_send_mail::HttpSendMailBody;
use crate::wire::json::SyntaxError;
use crate::wire::value::is_text;

/// The rules that are judged here; but for `KeyUnknown`, which an account's answer shows.
const _: () = {
    const KEY: &[Rule] = &[Rule::KeyMissing, Rule::KeyUnknown];
    const JSON: &[Rule] = &[Rule::MethodNotPost, Rule::BodyNotJson, Rule::FieldRepeated];
    const ALL: &[Rule] = &[
        Rule::MethodNotPost,
        Rule::OperationRetired,
        Rule::BodyTooLarge,
        Rule::BodyNotJson,
        Rule::FieldRepeated,
    ];
    assert_all_judged(Operation::SendMailer, Phase::Transport, true, JSON);
    assert_all_judged(Operation::HttpSendMail, Phase::Transport, true, ALL);
    assert_all_judged(Operation::SendMailer, Phase::Authentication, true, KEY);
    assert_all_judged(Operation::HttpSendMail, Phase::Authentication, true, KEY);
};

/// What phase 1 finds wrong with a call.
pub(crate) struct Refusal {
    pub(crate) found: Found,
    pub(crate) syntax: Option<SyntaxError>,
}

impl Refusal {
    fn new(rule: Rule, place: Place) -> Self {
        Self {
            found: Found {
                rule,
                request: None,
                place,
            },
            syntax: None,
        }
    }
}

/// Phase 1: the method, retirement, size and JSON. Size is judged before the JSON is parsed.
pub(crate) fn read_sent(
    policy: &Policy,
    operation: Operation,
    method: &str,
    bytes: &[u8],
    refusal: &mut Option<Refusal>,
) -> Content {
    let is_retired = policy
        .today()
        .is_some_and(|today| operation.is_past_last_day(today));
    let rule = match (method == METHOD, is_retired) {
        (false, _) => Rule::MethodNotPost,
        (true, true) => Rule::OperationRetired,
        (true, false) => return read_body(policy, operation, bytes, refusal),
    };
    *refusal = Some(Refusal::new(rule, Place::None));
    Content::Unread
}

/// Size and JSON. What was read is returned, unread when it cannot be, and `refusal` written where there is one: so both
/// stay out of each other's memory, and mostly there is no refusal.
pub(crate) fn read_body(
    policy: &Policy,
    operation: Operation,
    bytes: &[u8],
    refusal: &mut Option<Refusal>,
) -> Content {
    let is_limited = Rule::BodyTooLarge.code(operation).is_some();
    if is_limited && bytes.len() as u64 > policy.max_bytes() {
        *refusal = Some(Refusal::new(Rule::BodyTooLarge, Place::Body));
        return Content::Unread;
    }
    match read(policy, operation, bytes) {
        Ok(content) => {
            if let Some(offset) = content.repeats().first() {
                let place = Place::Repeated(*offset);
                *refusal = Some(Refusal::new(Rule::FieldRepeated, place));
            }
            content
        }
        Err(error) => {
            *refusal = Some(Refusal {
                syntax: Some(error),
                ..Refusal::new(Rule::BodyNotJson, Place::Body)
            });
            Content::Unread
        }
    }
}

fn read(policy: &Policy, operation: Operation, bytes: &[u8]) -> Result<Content, SyntaxError> {
    Ok(match operation {
        Operation::SendMailer => {
            let mut read = Box::<SendMailerContent>::default();
            read.body.read(bytes)?;
            Content::SendMailer(read)
        }
        Operation::HttpSendMail => {
            let body = HttpSendMailBody::read(bytes, policy.max_requests())?;
            Content::HttpSendMail(Box::new(HttpSendMailContent::new(body)))
        }
    })
}

/// Phase 2, as far as the body alone shows it.
pub(crate) fn key_missing(content: &Content) -> Option<Refusal> {
    let refusal = || Refusal::new(Rule::KeyMissing, content.key_place());
    (!is_text(content.key())).then(refusal)
}
