//! What the body of a sendMailer call alone shows (interface, section 4.1).

use alloc::borrow::Cow;

use super::order::{judged, rules};
use super::{
    Broken, Cursor, first_field, first_in_order, in_order, member, member_or_object, once,
};
use crate::operation::{DEFAULT_LIST, Operation};
use crate::rule::{Phase, Rule};
use crate::text::{address, date, unicode};
use crate::violation::{Found, Place};
use crate::wire::field::{Field as _, SendMailerField as Field};
use crate::wire::json::Value;
use crate::wire::send_mailer::SendMailerBody;
use crate::wire::value::{bytes_of, id, is_control_in, is_no_address, is_wrong_type};

/// A sendMailer body and the bytes that it lies in.
#[derive(Clone, Copy)]
pub(crate) struct SendMailerCheck<'c> {
    pub(crate) bytes: &'c [u8],
    pub(crate) body: &'c SendMailerBody,
}

/// Where a key that is missing or unknown stands.
pub(crate) fn key_place(body: &SendMailerBody) -> Place {
    member_or_object(Field::ApiKey, body.get(Field::ApiKey), body.object)
}

impl<'c> SendMailerCheck<'c> {
    pub(crate) fn get(&self, field: Field) -> Value {
        self.body.get(field)
    }

    pub(crate) fn text(&self, field: Field) -> Option<Cow<'c, str>> {
        self.body.text(field as usize, self.bytes)
    }

    /// A field's text without white space around it.
    pub(crate) fn trimmed(&self, field: Field) -> Option<Cow<'c, str>> {
        Some(trim(self.text(field)?))
    }

    pub(crate) fn id(&self, field: Field) -> Option<u64> {
        match field {
            Field::MailerId => self.body.mailer,
            _ => id(self.get(field), self.bytes),
        }
    }

    /// The recipient's address as sent, without white space around it.
    pub(crate) fn email(&self) -> Cow<'c, str> {
        self.trimmed(Field::Email).unwrap_or_default()
    }

    /// The match key of an address that was found valid.
    pub(crate) fn key(&self, field: Field) -> Cow<'c, str> {
        let key = match self.body.address(field) {
            Some(address) if address.is_match_key => self.text(field),
            _ => self.trimmed(field).and_then(key_of),
        };
        key.unwrap_or_default()
    }

    /// The name of the list for a new subscriber.
    pub(crate) fn list(&self) -> Cow<'c, str> {
        self.text(Field::ListName)
            .unwrap_or(Cow::Borrowed(DEFAULT_LIST))
    }

    /// `subID` alone identifies the subscriber when it is there.
    pub(crate) fn is_by_id(&self) -> bool {
        !self.get(Field::SubId).is_absent()
    }

    /// The violations of phase 4, in the order in which they win.
    pub(crate) fn violations(self) -> impl Iterator<Item = Found> + 'c {
        in_order(Self::rules(), None, move |rule, from| {
            self.judge(rule, from)
        })
    }

    /// The first of [`Self::violations`].
    pub(crate) fn first(&self) -> Option<Found> {
        first_in_order(Self::rules(), None, |rule, from| self.judge(rule, from))
    }

    fn rules() -> &'static [Rule] {
        rules(Operation::SendMailer, Phase::Content)
    }

    // Inlined: mostly all rules are judged, one after the other.
    #[inline(always)]
    fn judge(&self, rule: Rule, from: Cursor) -> Broken {
        judged! { SendMailer Content of_call, rule;
            RecipientMalformed => self.recipient_malformed(from),
            SubscriberIdMalformed => self.subscriber_id_malformed(from),
            SenderMissing => self.sender_missing(from),
            RecipientMissing => self.recipient_missing(from),
            FieldWrongType => self.field_wrong_type(from),
            SenderMalformed => self.sender_malformed(from),
            MailerMissing => self.mailer_missing(from),
            FromNameControl => self.name_control(from),
            DateMalformed => self.date_malformed(from),
        }
    }

    fn recipient_malformed(&self, from: Cursor) -> Broken {
        if self.is_by_id() {
            return None;
        }
        self.no_address(from, Field::Email)
    }

    fn subscriber_id_malformed(&self, from: Cursor) -> Broken {
        let value = self.get(Field::SubId);
        once(
            from,
            self.is_by_id() && self.id(Field::SubId).is_none(),
            || member(Field::SubId, value),
        )
    }

    fn sender_missing(&self, from: Cursor) -> Broken {
        let value = self.get(Field::From);
        let is_broken = value.is_absent() && !self.get(Field::FromName).is_absent();
        once(from, is_broken, || {
            member_or_object(Field::From, value, self.body.object)
        })
    }

    fn recipient_missing(&self, from: Cursor) -> Broken {
        let is_broken = !self.is_by_id() && self.get(Field::Email).is_absent();
        once(from, is_broken, || Place::object(self.body.object))
    }

    fn field_wrong_type(&self, from: Cursor) -> Broken {
        let is_judged = |field| match field {
            Field::SubId => false,
            Field::Email => !self.is_by_id(),
            _ => true,
        };
        let is_broken = |field: Field, value: Value| match field {
            Field::MailerId => !value.is_absent() && self.body.mailer.is_none(),
            _ => is_judged(field) && is_wrong_type(field.kind(), value, self.bytes),
        };
        let fields = self.body.no_texts();
        first_field(from, fields, |field| self.get(field), is_broken)
    }

    fn sender_malformed(&self, from: Cursor) -> Broken {
        self.no_address(from, Field::From)
    }

    fn no_address(&self, from: Cursor, field: Field) -> Broken {
        if self.body.address(field).is_some() {
            return None;
        }
        self.no_plain_address(from, field)
    }

    /// Of a field that was not seen to be an address while it was read.
    #[cold]
    #[inline(never)]
    fn no_plain_address(&self, from: Cursor, field: Field) -> Broken {
        let is_broken = |_, value| is_no_address(value, self.bytes);
        first_field(from, [field], |field| self.get(field), is_broken)
    }

    fn mailer_missing(&self, from: Cursor) -> Broken {
        let value = self.get(Field::MailerId);
        once(from, value.is_absent(), || {
            member_or_object(Field::MailerId, value, self.body.object)
        })
    }

    fn name_control(&self, from: Cursor) -> Broken {
        let is_broken = |field, _| self.text(field).is_some_and(|text| is_control_in(&text));
        first_field(from, [Field::FromName], |field| self.get(field), is_broken)
    }

    fn date_malformed(&self, from: Cursor) -> Broken {
        let is_no_day =
            |_, value| bytes_of(value, self.bytes).is_some_and(|bytes| !date::are_day(&bytes));
        first_field(
            from,
            [Field::Birthday, Field::Anniversary],
            |field| self.get(field),
            is_no_day,
        )
    }
}

fn key_of(text: Cow<'_, str>) -> Option<Cow<'_, str>> {
    match text {
        Cow::Borrowed(text) => Some(address::parse(text).ok()?.match_key()),
        Cow::Owned(text) => Some(Cow::Owned(
            address::parse(&text).ok()?.match_key().into_owned(),
        )),
    }
}

/// Cuts white space off both ends.
pub(crate) fn trim(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(unicode::trim(text)),
        Cow::Owned(text) => {
            let trimmed = unicode::trim(&text);
            if trimmed.len() == text.len() {
                Cow::Owned(text)
            } else {
                Cow::Owned(trimmed.into())
            }
        }
    }
}
