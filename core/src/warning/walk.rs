//! The walk over a body that finds its warnings.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::names::meant;
use super::{Warning, WarningKind};
use crate::by_operation::ByOperation;
use crate::content::{Received, Shown};
use crate::http_send_mail::{Content, Html, RequestCheck};
use crate::text::form::Encoding;
use crate::text::links;
use crate::violation::pointer_of;
use crate::wire::field::{Field, HttpSendMailField, RequestField, SendMailerField};
use crate::wire::json::{Name, Reader, Shape, Value};
use crate::wire::repeats::Repeats;
use crate::wire::value::text;

/// Goes through the members of an object.
struct Members<'c> {
    reader: Reader<'c>,
    is_first: bool,
}

impl<'c> Members<'c> {
    fn new(object: Value, bytes: &'c [u8]) -> Self {
        Self {
            reader: Reader::at(bytes, object.span().start.saturating_add(1)),
            is_first: true,
        }
    }

    fn next(&mut self) -> Option<(Name<'c>, Value)> {
        let name = self.reader.next_name(self.is_first).ok()??;
        self.is_first = false;
        // Read once before: nothing new is to be found about its depth or its names.
        let value = self.reader.value(0, &mut Repeats::default()).ok()?;
        Some((name, value))
    }
}

/// What is left to say of the member that was read last.
enum Pending {
    Nothing,
    /// The repeated entries of a list.
    Repeated {
        request: u32,
        field: RequestField,
        next: u32,
    },
    /// The unreadable links of a body field: one text, and where each ends in it.
    Links {
        request: u32,
        value: Value,
        urls: String,
        ends: alloc::vec::IntoIter<usize>,
        start: usize,
    },
}

pub(super) struct Walk<'c> {
    received: Received<'c>,
    shown: &'c Shown,
    top: Members<'c>,
    /// The requests that are still to come, and the members of the current one.
    next_request: u32,
    in_requests: bool,
    request: Option<(u32, Members<'c>)>,
    pending: Pending,
}

impl<'c> Walk<'c> {
    pub(super) fn new(received: Received<'c>, shown: &'c Shown) -> Self {
        Self {
            top: Members::new(shown.common().object, received.bytes),
            received,
            shown,
            next_request: 0,
            in_requests: false,
            request: None,
            pending: Pending::Nothing,
        }
    }

    fn batch(&self) -> Option<&'c Content> {
        match self.shown {
            ByOperation::SendMailer(_) => None,
            ByOperation::HttpSendMail(content) => Some(content),
        }
    }

    fn warning(kind: WarningKind, request: Option<u32>, name: &str, span: Range<usize>) -> Warning {
        Warning {
            kind,
            pointer: Some(pointer_of(request, Some(name))),
            span: Some(span),
            detail: None,
        }
    }

    fn pending(&mut self) -> Option<Warning> {
        match &mut self.pending {
            Pending::Nothing => None,
            Pending::Repeated {
                request,
                field,
                next,
            } => {
                let content = match self.shown {
                    ByOperation::SendMailer(_) => return None,
                    ByOperation::HttpSendMail(content) => content,
                };
                let Received { bytes, policy, .. } = self.received;
                let check = content.check(bytes, policy, *request)?;
                let list = check.get(*field);
                let entries = (*next).max(check.request.entries.start)..check.request.entries.end;
                let mut repeated = content.recipients.repeated(entries);
                let entry = repeated
                    .find(|entry| list.span().contains(&content.recipients.offset(*entry)))?;
                *next = entry.saturating_add(1);
                let span = content.recipients.entry(bytes, entry).span;
                let name = field.spelling(list.is_alias);
                Some(Self::warning(
                    WarningKind::RecipientRepeated,
                    Some(*request),
                    name,
                    span,
                ))
            }
            Pending::Links {
                request,
                value,
                urls,
                ends,
                start,
            } => {
                let end = ends.next()?;
                let url = urls.get(*start..end)?;
                *start = end;
                let name = RequestField::Body.name();
                let mut warning = Self::warning(
                    WarningKind::LinkUnreadable,
                    Some(*request),
                    name,
                    value.span(),
                );
                warning.detail = Some(url.to_string());
                Some(warning)
            }
        }
    }

    /// Of the next member of the current request; `None` at its end.
    fn request_member(&mut self) -> Option<Option<Warning>> {
        let (index, members) = self.request.as_mut()?;
        let index = *index;
        let Some((name, value)) = members.next() else {
            self.request = None;
            return None;
        };
        let text = name.text();
        let Some((field, _)) = RequestField::find(&text) else {
            return Some(Some(unknown_in_request(index, &text, value)));
        };
        let Received { bytes, policy, .. } = self.received;
        let check = self.batch()?.check(bytes, policy, index)?;
        if check.get(field).span() != value.span() {
            // A repeated field: its first value counts.
            return Some(None);
        }
        Some(match field {
            RequestField::Body => self.body_member(check, value),
            RequestField::To | RequestField::Cc | RequestField::Bcc => {
                self.pending = Pending::Repeated {
                    request: index,
                    field,
                    next: 0,
                };
                None
            }
            _ => None,
        })
    }

    fn body_member(&mut self, check: RequestCheck<'_>, value: Value) -> Option<Warning> {
        let mut buffer = Vec::new();
        let (found, links) = check.with_html(&mut buffer, |html| {
            let mut urls = String::new();
            let mut ends = Vec::new();
            for link in links::links(html).filter(|link| !link.readable) {
                urls.push_str(&link.url);
                ends.push(urls.len());
            }
            (urls, ends)
        });
        let (urls, ends) = links?;
        self.pending = Pending::Links {
            request: check.index,
            value,
            urls,
            ends: ends.into_iter(),
            start: 0,
        };
        if found != Html::Sent(Encoding::Plain) {
            return None;
        }
        let name = RequestField::Body.name();
        let mut warning = Self::warning(
            WarningKind::BodyPlain,
            Some(check.index),
            name,
            value.span(),
        );
        let holds_escape = check
            .text(RequestField::Body)
            .is_some_and(|text| holds_encoded_angle_bracket(&text));
        warning.detail = holds_escape
            .then(|| "it still holds %3C, an encoded <, which is not decoded".to_string());
        Some(warning)
    }

    /// Of the next member of the top level; `None` at its end.
    fn top_member(&mut self) -> Option<Option<Warning>> {
        let (name, value) = self.top.next()?;
        let text = name.text();
        Some(match self.shown {
            ByOperation::SendMailer(body) => match SendMailerField::find(&text) {
                None => Some(unknown(&text, value, SendMailerField::ALL)),
                Some((field, _)) if body.get(field).span() != value.span() => None,
                Some((SendMailerField::ApiKey, _)) => self.key_member(&text, value),
                Some((SendMailerField::SubId, _)) => self.subscriber_id_member(&text, value),
                Some(_) => None,
            },
            ByOperation::HttpSendMail(content) => match HttpSendMailField::find(&text) {
                None => Some(unknown(&text, value, HttpSendMailField::ALL)),
                Some((HttpSendMailField::ApiKey, _))
                    if content.members.key.span() == value.span() =>
                {
                    self.key_member(&text, value)
                }
                Some((HttpSendMailField::Requests, _))
                    if content.members.requests.span() == value.span() =>
                {
                    self.in_requests = true;
                    None
                }
                Some(_) => None,
            },
        })
    }

    fn key_member(&self, name: &[u8], value: Value) -> Option<Warning> {
        let key = text(value, self.received.bytes)?;
        let is_placeholder = matches!(&*key, "<API_KEY>" | "$apiKey") || key.starts_with("INSERT_");
        let name = String::from_utf8_lossy(name);
        is_placeholder
            .then(|| Self::warning(WarningKind::KeyPlaceholder, None, &name, value.span()))
    }

    fn subscriber_id_member(&self, name: &[u8], value: Value) -> Option<Warning> {
        let id = text(value, self.received.bytes)?;
        let is_zero = !id.is_empty() && id.bytes().all(|byte| byte == b'0');
        let name = String::from_utf8_lossy(name);
        is_zero.then(|| Self::warning(WarningKind::SubscriberIdZero, None, &name, value.span()))
    }
}

impl Iterator for Walk<'_> {
    type Item = Warning;

    fn next(&mut self) -> Option<Warning> {
        loop {
            if let Some(warning) = self.pending() {
                return Some(warning);
            }
            self.pending = Pending::Nothing;
            if self.request.is_some() {
                if let Some(Some(warning)) = self.request_member() {
                    return Some(warning);
                }
                continue;
            }
            if self.in_requests {
                let content = self.batch()?;
                let Some(request) = content.requests.get(self.next_request as usize) else {
                    self.in_requests = false;
                    continue;
                };
                let value = request.body.value;
                if value.shape == Shape::Object {
                    self.request =
                        Some((self.next_request, Members::new(value, self.received.bytes)));
                }
                self.next_request = self.next_request.saturating_add(1);
                continue;
            }
            if let Some(warning) = self.top_member()? {
                return Some(warning);
            }
        }
    }
}

fn unknown<F: Field>(name: &[u8], value: Value, fields: &[F]) -> Warning {
    let name = String::from_utf8_lossy(name);
    let mut warning = Walk::warning(WarningKind::FieldUnknown, None, &name, value.span());
    warning.detail = meant(&name, fields).map(ToString::to_string);
    warning
}

fn unknown_in_request(request: u32, name: &[u8], value: Value) -> Warning {
    let is_key =
        HttpSendMailField::find(name).is_some_and(|(field, _)| field == HttpSendMailField::ApiKey);
    let name = String::from_utf8_lossy(name);
    let kind = if is_key {
        WarningKind::KeyInRequest
    } else {
        WarningKind::FieldUnknown
    };
    let mut warning = Walk::warning(kind, Some(request), &name, value.span());
    if !is_key {
        warning.detail = meant(&name, RequestField::ALL).map(ToString::to_string);
    }
    warning
}

fn holds_encoded_angle_bracket(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|window| window.eq_ignore_ascii_case(b"%3C"))
}
