//! Phase 4 of one request of an httpSendMail call (interface, section 4.2).

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use super::body::RequestBody;
use crate::check::order::{judged, rules};
use crate::check::{Broken, Cursor, first_field, in_order, once};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::rule::{Phase, Rule};
use crate::text::form::{Encoding, NotUtf8, decode, decode_into};
use crate::text::{placeholder, unicode};
use crate::violation::{BodyPlace, FoundViolation, member, member_or_object};
use crate::wire::address::SentAddress;
use crate::wire::entries::entries;
use crate::wire::field::{Field as _, FieldKind, RequestField as Field};
use crate::wire::json::{Shape, Value};
use crate::wire::value::{flag, is_control_in, is_text, is_wrong_type, lend, text};

/// The fields with recipients' addresses, in the order of the interface.
pub(crate) const ADDRESS_LISTS: [Field; 3] = [Field::To, Field::Cc, Field::Bcc];

/// The content of a request's `body` field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Html {
    /// It is absent, or of the wrong type.
    #[default]
    None,
    /// Only white space.
    Blank,
    NotUtf8,
    Sent(Encoding),
}

/// Whether a request is accepted so far, or why it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Accepted so far.
    #[default]
    Stands,
    /// Refused by phase 4.
    RefusedByContent,
    /// Refused by phase 5.
    RefusedByFacts,
    /// Each of its recipients was refused.
    WithoutRecipients,
}

/// A request: its members and their places, and what was found in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) body: RequestBody,
    pub(crate) html: Html,
    /// The range of its decoded HTML within that of the call. Empty when none was kept.
    pub(crate) decoded: Range<u32>,
    /// The range of its hosts among those of the call's HTML.
    pub(crate) hosts: Range<u32>,
    /// Whether the HTML is refused because any host could be hidden in it.
    pub(crate) is_html_refused: bool,
    /// Whether the HTML has a URL that no browser can read. Only a preflight looks for one.
    pub(crate) has_unreadable: bool,
    /// `from`, if it is a valid address.
    pub(crate) from: Option<SentAddress>,
    /// `replyTo`, if it is a valid address.
    pub(crate) reply_to: Option<SentAddress>,
    /// Whether a list of recipients has an entry, valid or not.
    pub(crate) has_entries: bool,
    /// Whether a list of recipients has an entry that is not a valid address.
    pub(crate) has_malformed: bool,
    pub(crate) standing: Standing,
    /// The range of its valid entries among the recipients of the call.
    pub(crate) entries: Range<u32>,
    /// The number of its sender among the distinct senders of the call, if phase 4 accepts the request.
    pub(crate) sender: Option<u32>,
}

/// A request, its position, and the body as sent, as rules see them.
#[derive(Clone, Copy)]
pub(crate) struct RequestCheck<'c> {
    pub(crate) sent: &'c str,
    pub(crate) policy: &'c Policy,
    pub(crate) index: u32,
    pub(crate) request: &'c Request,
    /// Its decoded HTML, if it was kept.
    pub(super) decoded: Option<&'c str>,
}

impl<'c> RequestCheck<'c> {
    pub(super) fn new(sent: &'c str, policy: &'c Policy, index: u32, request: &'c Request) -> Self {
        Self {
            sent,
            policy,
            index,
            request,
            decoded: None,
        }
    }

    pub(crate) fn get(&self, field: Field) -> Value {
        self.request.body.get(field)
    }

    pub(crate) fn text(&self, field: Field) -> Option<Cow<'c, str>> {
        text(self.get(field), self.sent)
    }

    /// Whether a flag is on. A flag that was not sent is off.
    pub(crate) fn flag(&self, field: Field) -> bool {
        flag(self.get(field), self.sent) == Some(true)
    }

    /// The address list that has this offset of the body. Every entry was read from one of them.
    pub(crate) fn list_at(&self, offset: usize) -> Option<Field> {
        ADDRESS_LISTS
            .into_iter()
            .find(|field| self.get(*field).span().contains(&offset))
    }

    /// The place of an entry of an address list, from its bytes.
    pub(crate) fn entry_place(&self, span: Range<usize>) -> BodyPlace {
        let field = self.list_at(span.start);
        let spelling = field.map(|field| field.spelling(self.get(field).is_alias));
        BodyPlace::bytes(spelling, span)
    }

    pub(crate) fn member(&self, field: Field) -> BodyPlace {
        member(field, self.get(field))
    }

    /// The violations of phase 4, in the order in which they win.
    pub(crate) fn violations(self) -> impl Iterator<Item = FoundViolation> + 'c {
        let rules = rules(Operation::HttpSendMail, Phase::Content);
        in_order(rules, Some(self.index), move |rule, from| {
            self.judge(rule, from)
        })
    }

    fn judge(&self, rule: Rule, from: Cursor) -> Broken {
        if self.request.body.value.shape != Shape::Object {
            // An entry that is not an object breaks no other rule.
            return once(from, rule == Rule::RequestNotObject, || {
                BodyPlace::object(self.request.body.value)
            });
        }
        judged! { HttpSendMail Content Request, rule;
            RequestNotObject => None,
            SubjectMissing => self.missing(from, Field::Subject, false),
            ReplyToMalformed => self.not_address(from, Field::ReplyTo, &self.request.reply_to),
            HtmlMissing => self.missing(from, Field::Body, self.request.html == Html::Blank),
            HtmlNotUtf8 => self.in_html(from, self.request.html == Html::NotUtf8),
            HtmlHostHidden => self.in_html(from, self.request.is_html_refused),
            SenderMissing => self.missing(from, Field::From, false),
            SenderMalformed => self.not_address(from, Field::From, &self.request.from),
            RecipientMissing => self.recipient_missing(from),
            RecipientMalformed => self.recipient_malformed(from),
            FieldWrongType => self.field_wrong_type(from),
            SubjectControl => self.control(from, Field::Subject),
            SubjectPlaceholder => self.subject_placeholder(from),
            FromNameControl => self.control(from, Field::FromName),
        }
    }

    /// A field that is absent, or counts as absent.
    fn missing(&self, from: Cursor, field: Field, counts_as_absent: bool) -> Broken {
        let value = self.get(field);
        once(from, value.is_absent() || counts_as_absent, || {
            member_or_object(field, value, self.request.body.value)
        })
    }

    fn in_html(&self, from: Cursor, is_broken: bool) -> Broken {
        once(from, is_broken, || self.member(Field::Body))
    }

    /// A text field whose text is not a valid address.
    fn not_address(&self, from: Cursor, field: Field, address: &Option<SentAddress>) -> Broken {
        let is_broken = address.is_none() && is_text(self.get(field));
        once(from, is_broken, || self.member(field))
    }

    fn recipient_missing(&self, from: Cursor) -> Broken {
        let is_wrong = |field| is_wrong_type(FieldKind::Text, self.get(field), self.sent);
        let is_broken = !self.request.has_entries && !ADDRESS_LISTS.into_iter().any(is_wrong);
        once(from, is_broken, || {
            let there = ADDRESS_LISTS
                .into_iter()
                .find(|field| self.get(*field).is_there());
            there.map_or(BodyPlace::object(self.request.body.value), |field| {
                self.member(field)
            })
        })
    }

    fn recipient_malformed(&self, from: Cursor) -> Broken {
        if !self.request.has_malformed {
            return None;
        }
        for field in ADDRESS_LISTS
            .into_iter()
            .filter(|field| *field as usize >= from.field)
        {
            // Entries before the cursor have been judged.
            let at = if field as usize == from.field {
                from.at
            } else {
                0
            };
            for entry in entries(self.get(field), self.sent).starting_from(at) {
                if !entry.is_valid() {
                    let next = Cursor::new(field as usize, entry.span.end);
                    let name = field.spelling(self.get(field).is_alias);
                    return Some((BodyPlace::bytes(Some(name), entry.span), next));
                }
            }
        }
        None
    }

    fn field_wrong_type(&self, from: Cursor) -> Broken {
        let is_broken = |field: Field, value| is_wrong_type(field.kind(), value, self.sent);
        first_field(
            from,
            Field::ALL.iter().copied(),
            |field| self.get(field),
            is_broken,
        )
    }

    fn control(&self, from: Cursor, field: Field) -> Broken {
        let is_broken = |field, _| self.text(field).is_some_and(|text| is_control_in(&text));
        first_field(from, [field], |field| self.get(field), is_broken)
    }

    fn subject_placeholder(&self, from: Cursor) -> Broken {
        let pairs = self.policy.placeholders();
        let is_broken = |field, _| {
            self.text(field)
                .is_some_and(|text| placeholder::find(&text, pairs).is_some())
        };
        first_field(from, [Field::Subject], |field| self.get(field), is_broken)
    }

    /// Decodes the HTML into the buffer, unless it can be read in place, and passes it to `read`. Returns the content
    /// of the field, and the result of `read`, or a default if there is nothing to read.
    pub(crate) fn read_html<R: Default>(
        &self,
        buffer: &mut String,
        read: impl FnOnce(&str) -> R,
    ) -> (Html, R) {
        let Some(text) = self.text(Field::Body) else {
            return (Html::None, R::default());
        };
        match decode_into(text.as_bytes(), self.policy.html_encoding(), buffer) {
            Err(NotUtf8) => (Html::NotUtf8, R::default()),
            Ok((html, _)) if unicode::is_blank(html) => (Html::Blank, R::default()),
            Ok((html, encoding)) => (Html::Sent(encoding), read(html)),
        }
    }

    /// The HTML as it is delivered; `None` if there is none, or only white space.
    pub(crate) fn html(self) -> Option<Cow<'c, str>> {
        if let Some(decoded) = self.decoded {
            return Some(Cow::Borrowed(decoded));
        }
        let setting = self.policy.html_encoding();
        let html = lend(self.text(Field::Body)?, |text| {
            Some(decode(text, setting).ok()?.html)
        });
        html.filter(|html| !unicode::is_blank(html))
    }
}

impl Request {
    /// How the HTML was encoded; `None` when there is none.
    pub(crate) fn encoding(&self) -> Option<Encoding> {
        match self.html {
            Html::Sent(encoding) => Some(encoding),
            Html::None | Html::Blank | Html::NotUtf8 => None,
        }
    }
}
