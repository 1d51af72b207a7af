//! A rule broken by a call, at one place.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt;
use core::ops::Range;

use crate::bytes::narrow;
use crate::code::Code;
use crate::debug::debug_shows;
use crate::operation::Operation;
use crate::policy::Policy;
use crate::rule::{Rule, Scope};
use crate::text::form;
use crate::text::links::{self, HiddenHost};
use crate::wire::field::{Field, RequestField, SendMailerField};
use crate::wire::json::{Reader, SyntaxError, Value};
use crate::wire::path::{Path, Paths, push_token};
use crate::wire::repeats::Repeats;
use crate::wire::sent::Sent;
use crate::wire::value::text;

/// The place where a rule is broken. It is small, so that it can be kept and copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyPlace {
    /// Not in the body.
    None,
    /// The whole body.
    Body,
    /// The value that starts at this offset: the second value of a repeated name.
    Repeated(u32),
    /// These bytes: a field's value, or an entry of its list. Without a field, they are the body's object or an entry of
    /// `requests`.
    At {
        field: Option<&'static str>,
        start: u32,
        end: u32,
    },
}

impl BodyPlace {
    pub(crate) fn object(value: Value) -> Self {
        Self::bytes(None, value.span())
    }

    pub(crate) fn bytes(field: Option<&'static str>, span: Range<usize>) -> Self {
        Self::At {
            field,
            start: narrow(span.start),
            end: narrow(span.end),
        }
    }
}

/// The place of a member that exists.
pub(crate) fn member<F: Field>(field: F, value: Value) -> BodyPlace {
    BodyPlace::bytes(Some(field.spelling(value.is_alias)), value.span())
}

/// The place of a field: its member if that exists, else the object that lacks it.
pub(crate) fn member_or_object<F: Field>(field: F, value: Value, object: Value) -> BodyPlace {
    if value.is_there() {
        member(field, value)
    } else {
        BodyPlace::bytes(Some(field.name()), object.span())
    }
}

/// The members that the bodies of both operations have.
#[derive(Clone, Copy)]
pub(crate) struct Common<'c> {
    /// The body's object.
    pub(crate) object: Value,
    /// The account's key.
    pub(crate) key: Value,
    /// The place of the key, or of the object that lacks it.
    pub(crate) key_place: BodyPlace,
    /// The offsets of the second values of repeated names, in order.
    pub(crate) repeats: &'c [u32],
}

/// A violation without the body that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoundViolation {
    pub(crate) rule: Rule,
    pub(crate) request: Option<u32>,
    pub(crate) place: BodyPlace,
}

impl FoundViolation {
    /// A violation of the call as a whole, not of a request.
    pub(crate) const fn of_call(rule: Rule, place: BodyPlace) -> Self {
        Self {
            rule,
            request: None,
            place,
        }
    }

    /// Whether it refuses the whole request in a partial batch, and not only one address.
    pub(crate) fn is_whole(&self) -> bool {
        self.rule.scope(Operation::HttpSendMail) != Scope::Address
    }
}

/// A rule broken by a call, at one place of its body. A *violation* is the caller's fault; a mistake of the host is a
/// [`crate::Misuse`].
///
/// Debug and Display show nothing of what was sent; [`Violation::pointer`] and [`Violation::span`] say where it is.
#[derive(Clone)]
pub struct Violation<'c> {
    pub(crate) sent: &'c Sent<'c>,
    pub(crate) operation: Operation,
    pub(crate) found: FoundViolation,
    pub(crate) syntax: Option<SyntaxError>,
    pub(crate) policy: &'c Policy,
    /// The path to a repeated name, when it is already known.
    pub(crate) path: Option<Path>,
    /// The pointer, when it was already made.
    pub(crate) pointer: Option<String>,
}

impl<'c> Violation<'c> {
    /// The rule that is broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.found.rule
    }

    /// The code that the rule has on the call's operation.
    #[must_use]
    pub fn code(&self) -> Code {
        // Only rules that apply to the operation are judged.
        self.found
            .rule
            .code(self.operation)
            .unwrap_or(Code::UNEXPLAINED)
    }

    /// The position in `requests`, from 0; `None` for a violation of the whole call, and on sendMailer.
    #[must_use]
    pub fn request(&self) -> Option<u32> {
        self.found.request
    }

    /// The place in the body as a JSON Pointer (RFC 6901): `""` is the whole body. A missing field has the pointer that it
    /// would have. `None` for violations outside the body, such as those of method, account or credit.
    ///
    /// For a repeated name, the pointer has names that the caller chose. It is built on each call, in time proportional to
    /// its length; for a violation of a [`Decision`](crate::Decision), the body is read again up to its place, too. In a
    /// hostile body one name can be almost as long as the body and be part of many pointers, so use
    /// [`Preflight::listed`](crate::Preflight::listed) to show many violations: it is bounded.
    #[must_use]
    pub fn pointer(&self) -> Option<String> {
        if self.pointer.is_some() {
            return self.pointer.clone();
        }
        let field = match self.found.place {
            BodyPlace::None => return None,
            BodyPlace::Body => return Some(String::new()),
            BodyPlace::Repeated(offset) => return self.path(offset)?.pointer(self.sent.bytes()),
            BodyPlace::At { field, .. } => field,
        };
        Some(pointer_of(self.found.request, field))
    }

    /// The bytes of the body that the violation is about: the JSON value, including quotes, or for a missing field the
    /// object that lacks it. `None` for violations outside the body.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        match self.found.place {
            BodyPlace::None => None,
            BodyPlace::Body => Some(0..self.sent.bytes().len()),
            BodyPlace::Repeated(offset) => self.path(offset).map(|path| path.span()),
            BodyPlace::At { start, end, .. } => Some(start as usize..end as usize),
        }
    }

    fn path(&self, offset: u32) -> Option<Cow<'_, Path>> {
        match &self.path {
            Some(path) => Some(Cow::Borrowed(path)),
            None => Paths::new(self.sent.bytes(), &[offset])
                .next()
                .map(Cow::Owned),
        }
    }

    /// The byte offset at which reading stopped; `None` unless the body could not be read.
    #[must_use]
    pub fn stopped_at(&self) -> Option<usize> {
        self.of_reading().map(|error| error.at)
    }

    /// Why reading stopped, as one clause without a full stop; `None` unless the body could not be read.
    #[must_use]
    pub fn stopped_because(&self) -> Option<&'static str> {
        self.of_reading().map(|error| error.reason.text())
    }

    fn of_reading(&self) -> Option<SyntaxError> {
        self.syntax.filter(|_| self.found.rule == Rule::BodyNotJson)
    }

    /// The place in the decoded HTML ([`crate::Message::html`]) where any host could be hidden; `None` unless the rule is
    /// [`Rule::HtmlHostHidden`]. It decodes and reads the HTML again.
    #[must_use]
    pub fn hidden_host(&self) -> Option<HiddenHost> {
        let BodyPlace::At { start, .. } = self.found.place else {
            return None;
        };
        if self.found.rule != Rule::HtmlHostHidden {
            return None;
        }
        // Read where it is: a walk to it from the start of the body would make a list of many violations quadratic.
        let mut reader = Reader::at(self.sent.bytes(), start as usize);
        let value = reader.value(0, &mut Repeats::default()).ok()?;
        let text = text(value, self.sent.text())?;
        let html = form::decode(&text, self.policy.html_encoding()).ok()?.html;
        links::hidden_host(&html)
    }

    /// What to do about the violation, as whole sentences. Some rules add details of this violation: where reading
    /// stopped, how large the body is, what the field takes, or where in the HTML any host could be hidden.
    #[must_use]
    pub fn remedy(&self) -> String {
        let remedy = self.found.rule.remedy_on(self.operation);
        match (self.found.rule, self.syntax) {
            (Rule::BodyNotJson, Some(error)) => {
                alloc::format!(
                    "{remedy} Reading stopped at byte {}: {}.",
                    error.at,
                    error.reason.text()
                )
            }
            (Rule::BodyTooLarge, _) => alloc::format!(
                "{remedy} The body has {} bytes, {} are allowed; reading stopped before the first.",
                self.sent.bytes().len(),
                self.policy.max_bytes()
            ),
            (Rule::HtmlHostHidden, _) => match self.hidden_host() {
                Some(hidden) => alloc::format!(
                    "{remedy} Bytes {} to {} of the decoded HTML: {}.",
                    hidden.span.start,
                    hidden.span.end,
                    hidden.clause
                ),
                None => remedy.to_string(),
            },
            (Rule::FieldWrongType, _) => self.remedy_of_kind().unwrap_or(remedy).to_string(),
            _ => remedy.to_string(),
        }
    }

    /// What to do about a value of the wrong type.
    fn remedy_of_kind(&self) -> Option<&'static str> {
        let BodyPlace::At {
            field: Some(name), ..
        } = self.found.place
        else {
            return None;
        };
        let kind = match self.operation {
            Operation::SendMailer => SendMailerField::find(name.as_bytes())?.0.kind(),
            Operation::HttpSendMail => RequestField::find(name.as_bytes())?.0.kind(),
        };
        kind.remedy()
    }
}

/// The JSON Pointer of a field of the body, or of a request.
pub(crate) fn pointer_of(request: Option<u32>, field: Option<&str>) -> String {
    let mut pointer = match request {
        Some(request) => alloc::format!("/requests/{request}"),
        None => String::new(),
    };
    if let Some(field) = field {
        push_token(&mut pointer, field);
    }
    pointer
}

debug_shows!(this: Violation<'_> {
    "rule": this.rule(),
    "code": this.code().number(),
    "request": this.request()
});

impl fmt::Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} ({}): {}. {}",
            self.rule(),
            self.code(),
            self.rule().meaning(),
            self.remedy()
        )
    }
}

/// A link in the HTML to a blacklisted domain. Debug shows only the request and the place.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlacklistedLink {
    /// The position in `requests`, from 0.
    pub request: u32,
    /// Its place in the HTML, for people: `href of <a>`.
    pub place: String,
    /// The URL as written, with character references and CSS escapes resolved.
    pub url: String,
    /// Its bytes in the decoded HTML ([`crate::Message::html`]).
    pub span: Range<usize>,
    /// The domain that is listed: the link's host, or a parent of it.
    pub domain: String,
}

debug_shows!(this: BlacklistedLink { "request": this.request, "place": shown(&this.place) });

/// A place without the name of an element that may be an address.
fn shown(place: &str) -> &str {
    let element = place.split_once('<');
    let name = element.and_then(|(_, element)| element.split([' ', '>']).next());
    if name.is_none_or(links::is_plain_name) {
        place
    } else {
        ".."
    }
}
