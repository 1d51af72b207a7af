//! Phase 1: method, retirement, size and JSON.

use alloc::boxed::Box;

use crate::by_operation::ByOperation;
use crate::check::order::judges;
use crate::content::ReadCall;
use crate::http_send_mail;
use crate::operation::{METHOD, Operation};
use crate::policy::{MAX_BODY, Policy};
use crate::rule::Rule;
use crate::send_mailer;
use crate::violation::{BodyPlace, Common, FoundViolation};
use crate::wire::json::SyntaxError;
use crate::wire::object::first_error;
use crate::wire::sent::Sent;

// The rules of phase 1, which this file judges, and those of phase 2, which `account.rs` judges.
judges!(SendMailer Transport Call [MethodNotPost, BodyNotJson, FieldRepeated]);
judges!(HttpSendMail Transport Call [MethodNotPost, OperationRetired, BodyTooLarge, BodyNotJson, FieldRepeated]);
judges!(SendMailer Authentication Call [KeyMissing, KeyUnknown]);
judges!(HttpSendMail Authentication Call [KeyMissing, KeyUnknown]);

/// Why a body was not read.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) found: FoundViolation,
    pub(crate) syntax: Option<SyntaxError>,
}

impl Refusal {
    fn new(rule: Rule, place: BodyPlace) -> Self {
        Self {
            found: FoundViolation::of_call(rule, place),
            syntax: None,
        }
    }
}

/// Judges phase 1, except for repeated names. Size is judged before the JSON is parsed. The error is the violation that
/// refuses the call.
pub(crate) fn read(
    policy: &Policy,
    operation: Operation,
    method: &str,
    sent: &Sent<'_>,
) -> Result<ReadCall, Refusal> {
    let rule = match (method == METHOD, is_retired(policy, operation)) {
        (false, _) => Rule::MethodNotPost,
        (true, true) => Rule::OperationRetired,
        (true, false) => return read_body(policy, operation, sent),
    };
    Err(Refusal::new(rule, BodyPlace::None))
}

/// The rule that is broken by a body that the host did not read because of its size.
pub(crate) fn too_large(policy: &Policy, operation: Operation) -> Rule {
    if is_retired(policy, operation) {
        Rule::OperationRetired
    } else {
        Rule::BodyTooLarge
    }
}

/// Whether the policy's day is after the last day of the operation.
pub(crate) fn is_retired(policy: &Policy, operation: Operation) -> bool {
    policy
        .today()
        .is_some_and(|today| operation.is_past_last_day(today))
}

/// The most bytes of a body that is read.
pub(crate) fn most_bytes(policy: &Policy, operation: Operation) -> u64 {
    match Rule::BodyTooLarge.code(operation) {
        Some(_) => policy.max_bytes(),
        None => MAX_BODY,
    }
}

/// Judges the size and the JSON of a body. The error is the violation that refuses the call.
pub(crate) fn read_body(
    policy: &Policy,
    operation: Operation,
    sent: &Sent<'_>,
) -> Result<ReadCall, Refusal> {
    let is_limited = Rule::BodyTooLarge.code(operation).is_some();
    if is_limited && sent.bytes().len() as u64 > policy.max_bytes() {
        return Err(Refusal::new(Rule::BodyTooLarge, BodyPlace::Body));
    }
    parse(policy, operation, sent).map_err(|error| Refusal {
        syntax: Some(error),
        ..Refusal::new(Rule::BodyNotJson, BodyPlace::Body)
    })
}

fn parse(policy: &Policy, operation: Operation, sent: &Sent<'_>) -> Result<ReadCall, SyntaxError> {
    let Sent::Text(text) = sent else {
        return Err(first_error(sent.bytes()));
    };
    Ok(match operation {
        Operation::SendMailer => {
            let mut body = Box::<send_mailer::Body>::default();
            body.read(text)?;
            ByOperation::SendMailer(body)
        }
        Operation::HttpSendMail => {
            let content = http_send_mail::Content::read(text, policy)?;
            ByOperation::HttpSendMail(Box::new(content))
        }
    })
}

/// A violation for each repeated name of a body.
pub(crate) fn repeated(common: Common<'_>) -> impl Iterator<Item = FoundViolation> {
    let places = common.repeats.iter().copied().map(BodyPlace::Repeated);
    places.map(|place| FoundViolation::of_call(Rule::FieldRepeated, place))
}
