//! The walk over a body that finds its warnings.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::names::meant;
use super::{Warning, WarningKind};
use crate::by_operation::ByOperation;
use crate::content::{ReadCall, Received};
use crate::http_send_mail::{Content, RequestCheck};
use crate::send_mailer::Body;
use crate::text::form::Encoding;
use crate::text::links;
use crate::violation::pointer_of;
use crate::wire::field::{Field, HttpSendMailField, RequestField, SendMailerField};
use crate::wire::json::{Name, Reader, Shape, Value};
use crate::wire::repeats::Repeats;
use crate::wire::value::text;

/// The warnings about the members of a body, in the order of their places. The iterator finds them one at a time.
pub(super) fn walk<'c>(
    received: Received<'c>,
    shown: &'c ReadCall,
) -> impl Iterator<Item = Warning> + 'c {
    let sent = received.sent.text();
    let members = members(shown.common().object, sent);
    match shown {
        ByOperation::SendMailer(body) => {
            // Most bodies have nothing to warn of, and are not read again.
            let fields = [SendMailerField::ApiKey, SendMailerField::SubId];
            let is_warned = |field| kind_of(field, body.get(field), sent).is_some();
            let has_warning = body.seen.has_unknown || fields.into_iter().any(is_warned);
            let members = has_warning.then_some(members).into_iter().flatten();
            ByOperation::SendMailer(
                members.filter_map(move |member| of_send_mailer(body, sent, member)),
            )
        }
        ByOperation::HttpSendMail(content) => ByOperation::HttpSendMail(
            members.flat_map(move |member| of_http_send_mail(content, received, member)),
        ),
    }
}

type Member<'c> = (Name<'c>, Value);

/// Warnings that few members have. The iterator is boxed because it is large, and would otherwise be moved with every
/// member that has none.
type Later<'c> = Box<dyn Iterator<Item = Warning> + Send + Sync + 'c>;

fn later<'c>(warnings: impl Iterator<Item = Warning> + Send + Sync + 'c) -> Later<'c> {
    Box::new(warnings)
}

/// The members of an object.
fn members(object: Value, sent: &str) -> impl Iterator<Item = Member<'_>> {
    let mut reader = Reader::at(sent.as_bytes(), object.span().start + 1);
    let mut is_first = true;
    core::iter::from_fn(move || {
        let name = reader.next_name(core::mem::take(&mut is_first)).ok()??;
        // The body was read before, so its depth and its names need no check.
        let value = reader.value(0, &mut Repeats::default()).ok()?;
        Some((name, value))
    })
}

// Only the first value of a repeated field is looked at: the repetition itself is a violation.

fn of_send_mailer(body: &Body, sent: &str, (name, value): Member<'_>) -> Option<Warning> {
    let name = name.text();
    let Some((field, _)) = SendMailerField::find(&name) else {
        return Some(unknown::<SendMailerField>(None, &name, value));
    };
    if body.get(field).span() != value.span() {
        return None;
    }
    Some(named(kind_of(field, value, sent)?, None, &name, value))
}

/// The kind of the warning about a field of sendMailer, if there is one.
fn kind_of(field: SendMailerField, value: Value, sent: &str) -> Option<WarningKind> {
    match field {
        SendMailerField::ApiKey => {
            is_key_placeholder(value, sent).then_some(WarningKind::KeyPlaceholder)
        }
        SendMailerField::SubId => {
            let id = text(value, sent)?;
            let is_zero = !id.is_empty() && id.bytes().all(|byte| byte == b'0');
            is_zero.then_some(WarningKind::SubscriberIdZero)
        }
        _ => None,
    }
}

fn of_http_send_mail<'c>(
    content: &'c Content,
    received: Received<'c>,
    (name, value): Member<'c>,
) -> impl Iterator<Item = Warning> + 'c {
    let name = name.text();
    let (warning, requests) = match HttpSendMailField::find(&name) {
        None => (Some(unknown::<HttpSendMailField>(None, &name, value)), None),
        Some((HttpSendMailField::ApiKey, _)) => {
            let is_read = content.members.key.span() == value.span();
            let is_warned = is_read && is_key_placeholder(value, received.sent.text());
            let warning = || named(WarningKind::KeyPlaceholder, None, &name, value);
            (is_warned.then(warning), None)
        }
        Some((HttpSendMailField::Requests, _)) => {
            let is_read = content.members.requests.span() == value.span();
            (None, is_read.then(|| later(of_requests(content, received))))
        }
    };
    warning.into_iter().chain(requests.into_iter().flatten())
}

fn of_requests<'c>(
    content: &'c Content,
    Received { sent, policy, .. }: Received<'c>,
) -> impl Iterator<Item = Warning> + 'c {
    let sent = sent.text();
    content
        .checks(sent, policy)
        .filter(|check| check.request.body.value.shape == Shape::Object)
        .flat_map(move |check| {
            members(check.request.body.value, sent)
                .flat_map(move |member| of_request(content, check, member))
        })
}

/// The warnings about one member of a request.
fn of_request<'c>(
    content: &'c Content,
    check: RequestCheck<'c>,
    (name, value): Member<'c>,
) -> impl Iterator<Item = Warning> + 'c {
    let name = name.text();
    let (mut warning, mut repeated, mut links) = (None, None, None);
    match RequestField::find(&name) {
        None => warning = Some(unknown_in_request(check.index, &name, value)),
        Some((field, _)) if check.get(field).span() != value.span() => {}
        Some((RequestField::Body, _)) => {
            warning = body_plain(check, value);
            links = (check.request.has_unreadable).then(|| later(unreadable_links(check, value)));
        }
        Some((field @ (RequestField::To | RequestField::Cc | RequestField::Bcc), _)) => {
            repeated = Some(later(repeated_recipients(content, check, field)));
        }
        Some(_) => {}
    }
    warning
        .into_iter()
        .chain(repeated.into_iter().flatten())
        .chain(links.into_iter().flatten())
}

/// The warnings about repeated entries of an address list.
fn repeated_recipients<'c>(
    content: &'c Content,
    check: RequestCheck<'c>,
    field: RequestField,
) -> impl Iterator<Item = Warning> + 'c {
    let recipients = &content.recipients;
    let list = check.get(field);
    let name = field.spelling(list.is_alias);
    recipients
        .repeated(check.request.entries.clone())
        .filter(move |entry| list.span().contains(&recipients.offset(*entry)))
        .map(move |entry| {
            let span = recipients.entry(check.sent, entry).span;
            warning(
                WarningKind::RecipientRepeated,
                Some(check.index),
                name,
                span,
            )
        })
}

fn body_plain(check: RequestCheck<'_>, value: Value) -> Option<Warning> {
    if check.request.encoding() != Some(Encoding::Plain) {
        return None;
    }
    let holds_escape = check
        .text(RequestField::Body)
        .is_some_and(|text| holds_encoded_angle_bracket(&text));
    let detail = "it still holds %3C, an encoded <, which is not decoded";
    Some(Warning {
        detail: holds_escape.then(|| detail.to_string()),
        ..of_body(WarningKind::BodyPlain, check, value)
    })
}

fn unreadable_links<'c>(
    check: RequestCheck<'c>,
    value: Value,
) -> impl Iterator<Item = Warning> + 'c {
    // HTML may have a million unreadable URLs, so they are kept as one text, with the end of each.
    let mut urls = String::new();
    let mut ends = Vec::new();
    if let Some(html) = check.html() {
        for url in links::unreadable(&html) {
            urls.push_str(&url);
            ends.push(urls.len());
        }
    }
    let mut start = 0;
    ends.into_iter().map(move |end| {
        let url = urls.get(core::mem::replace(&mut start, end)..end);
        Warning {
            detail: url.map(ToString::to_string),
            ..of_body(WarningKind::LinkUnreadable, check, value)
        }
    })
}

fn holds_encoded_angle_bracket(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|window| window.eq_ignore_ascii_case(b"%3C"))
}

fn is_key_placeholder(value: Value, sent: &str) -> bool {
    text(value, sent)
        .is_some_and(|key| matches!(&*key, "<API_KEY>" | "$apiKey") || key.starts_with("INSERT_"))
}

fn unknown_in_request(request: u32, name: &[u8], value: Value) -> Warning {
    match HttpSendMailField::find(name) {
        Some((HttpSendMailField::ApiKey, _)) => {
            named(WarningKind::KeyInRequest, Some(request), name, value)
        }
        _ => unknown::<RequestField>(Some(request), name, value),
    }
}

fn unknown<F: Field>(request: Option<u32>, name: &[u8], value: Value) -> Warning {
    Warning {
        detail: meant::<F>(name).map(ToString::to_string),
        ..named(WarningKind::FieldUnknown, request, name, value)
    }
}

/// A warning about a member, with its name as sent.
fn named(kind: WarningKind, request: Option<u32>, name: &[u8], value: Value) -> Warning {
    let name = String::from_utf8_lossy(name);
    warning(kind, request, &name, value.span())
}

fn of_body(kind: WarningKind, check: RequestCheck<'_>, value: Value) -> Warning {
    let name = RequestField::Body.name();
    warning(kind, Some(check.index), name, value.span())
}

fn warning(kind: WarningKind, request: Option<u32>, name: &str, span: Range<usize>) -> Warning {
    Warning {
        kind,
        pointer: Some(pointer_of(request, Some(name))),
        span: Some(span),
        detail: None,
    }
}
