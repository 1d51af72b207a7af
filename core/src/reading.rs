//! Phases 1 and 2, as far as the body alone shows them.

use alloc::boxed::Box;

use crate::check::http_send_mail::HttpSendMailContent;
use crate::content::{Content, SendMailerContent};
use crate::operation::{METHOD, Operation};
use crate::policy::Policy;
use crate::rule::Rule;
use crate::violation::{Found, Place};
use crate::wire::http_send_mail::HttpSendMailBody;
use crate::wire::json::SyntaxError;
use crate::wire::value::is_text;

/// What phase 1 finds wrong with a call.
pub(crate) struct Read {
    pub(crate) syntax: Option<SyntaxError>,
    pub(crate) found: Option<Found>,
}

impl Read {
    fn refused(rule: Rule, place: Place) -> Self {
        Self {
            syntax: None,
            found: Some(Found {
                rule,
                request: None,
                place,
            }),
        }
    }
}

/// Phase 1: the method, retirement, size and JSON. Size is judged before the JSON is parsed.
pub(crate) fn read_sent(
    policy: &Policy,
    operation: Operation,
    method: &str,
    bytes: &[u8],
    content: &mut Content,
) -> Read {
    if method != METHOD {
        return Read::refused(Rule::MethodNotPost, Place::None);
    }
    if policy
        .today()
        .is_some_and(|today| operation.is_past_last_day(today))
    {
        return Read::refused(Rule::OperationRetired, Place::None);
    }
    read_body(policy, operation, bytes, content)
}

/// Size and JSON. The body is read into `content`, which stays unread when it cannot be.
pub(crate) fn read_body(
    policy: &Policy,
    operation: Operation,
    bytes: &[u8],
    content: &mut Content,
) -> Read {
    let is_limited = Rule::BodyTooLarge.code(operation).is_some();
    if is_limited && bytes.len() as u64 > policy.max_bytes() {
        return Read::refused(Rule::BodyTooLarge, Place::Body);
    }
    if let Err(error) = read_into(content, policy, operation, bytes) {
        return Read {
            syntax: Some(error),
            ..Read::refused(Rule::BodyNotJson, Place::Body)
        };
    }
    match content.repeats().first() {
        Some(offset) => Read::refused(Rule::FieldRepeated, Place::Repeated(*offset)),
        None => Read {
            syntax: None,
            found: None,
        },
    }
}

fn read_into(
    content: &mut Content,
    policy: &Policy,
    operation: Operation,
    bytes: &[u8],
) -> Result<(), SyntaxError> {
    match operation {
        Operation::SendMailer => {
            let mut read = Box::<SendMailerContent>::default();
            read.body.read(bytes)?;
            *content = Content::SendMailer(read);
        }
        Operation::HttpSendMail => {
            let body = HttpSendMailBody::read(bytes, policy.max_requests())?;
            *content = Content::HttpSendMail(Box::new(HttpSendMailContent::new(body)));
        }
    }
    Ok(())
}

/// Phase 2, as far as the body alone shows it.
pub(crate) fn key_missing(content: &Content) -> Option<Found> {
    (!is_text(content.key())).then(|| Found {
        rule: Rule::KeyMissing,
        request: None,
        place: content.key_place(),
    })
}
