//! Phase 4 of a sendMailer call: its body is judged, and becomes a [`CheckedSingle`].

use alloc::boxed::Box;

use super::body::Body;
use crate::check::order::{judged, rules};
use crate::check::{Broken, Cursor, first_field, in_order, once};
use crate::domains::Domains;
use crate::ending::Ending;
use crate::operation::{DEFAULT_LIST, Operation};
use crate::roles::DomainRoles;
use crate::rule::{Phase, Rule};
use crate::text::date;
use crate::violation::{BodyPlace, FoundViolation, member, member_or_object};
use crate::wire::address::SentAddress;
use crate::wire::field::{Field as _, SendMailerField as Field};
use crate::wire::json::Value;
use crate::wire::value::{flag, id, is_control_in, is_text, is_wrong_type};

/// A sendMailer call that phase 4 does not refuse.
#[derive(Clone)]
pub(crate) struct CheckedSingle {
    pub(crate) body: Box<Body>,
    /// The id of the stored email.
    pub(super) mailer: u64,
    pub(super) recipient: Recipient,
    /// The sender, if the call names one.
    pub(super) sender: Option<SentAddress>,
    /// The domains to ask about.
    pub(crate) domains: Domains,
}

/// The recipient that the call names.
#[derive(Clone)]
pub(super) enum Recipient {
    /// The subscriber with this id (`subID`), even if there is an `email`, too.
    ById(u64),
    /// The subscriber with this address (`email`), or a new subscriber.
    ByAddress(SentAddress),
}

impl CheckedSingle {
    /// Judges phase 4. The error is how the call ends: with its first violation, or with a fault of the library if no rule
    /// refuses a body that cannot be understood.
    pub(crate) fn new(body: Box<Body>, sent: &str) -> Result<Box<Self>, Ending> {
        let check = Check { sent, body: &body };
        if let Some(found) = check.violations().next() {
            return Err(Ending::Refused(found));
        }
        Self::understand(body, sent).ok_or(Ending::FAULT)
    }

    /// Takes everything that the call needs out of the body; `None` when the body lacks something that a rule should
    /// have asked for.
    fn understand(mut body: Box<Body>, sent: &str) -> Option<Box<Self>> {
        let sender = body.from.take();
        if sender.is_none() && !body.get(Field::From).is_absent() {
            return None;
        }
        let recipient = if body.is_by_id() {
            Recipient::ById(id(body.get(Field::SubId), sent)?)
        } else {
            Recipient::ByAddress(body.email.take()?)
        };
        let mut checked = Box::new(Self {
            mailer: body.mailer?,
            body,
            recipient,
            sender,
            domains: Domains::default(),
        });
        let Self {
            recipient,
            sender,
            domains,
            ..
        } = &mut *checked;
        if let Some(sender) = sender {
            domains
                .insert_sent(sender, sent, DomainRoles::SENDER)
                .ok()?;
        }
        if let Recipient::ByAddress(address) = recipient {
            domains
                .insert_sent(address, sent, DomainRoles::RECIPIENT)
                .ok()?;
        }
        Some(checked)
    }

    pub(super) fn text<'c>(&'c self, field: Field, sent: &'c str) -> Option<&'c str> {
        self.body.text(field as usize, sent)
    }

    /// Whether a flag is on. A flag that was not sent is off.
    pub(super) fn flag(&self, field: Field, sent: &str) -> bool {
        flag(self.body.get(field), sent) == Some(true)
    }

    /// The name of the list for a new subscriber.
    pub(super) fn list<'c>(&'c self, sent: &'c str) -> &'c str {
        self.text(Field::ListName, sent).unwrap_or(DEFAULT_LIST)
    }

    /// The place of a member of the body.
    pub(super) fn member(&self, field: Field) -> BodyPlace {
        member(field, self.body.get(field))
    }
}

/// A sendMailer body, read and as sent, as rules see it.
#[derive(Clone, Copy)]
pub(crate) struct Check<'c> {
    pub(crate) sent: &'c str,
    pub(crate) body: &'c Body,
}

impl<'c> Check<'c> {
    fn get(&self, field: Field) -> Value {
        self.body.get(field)
    }

    /// The violations of phase 4, in the order in which they win.
    pub(crate) fn violations(self) -> impl Iterator<Item = FoundViolation> + 'c {
        let rules = rules(Operation::SendMailer, Phase::Content);
        in_order(rules, None, move |rule, from| self.judge(rule, from))
    }

    // Inlined: nearly every call is judged by all rules, so the `match` is removed.
    #[inline(always)]
    fn judge(&self, rule: Rule, from: Cursor) -> Broken {
        judged! { SendMailer Content Call, rule;
            RecipientMalformed => self.recipient_malformed(from),
            SubscriberIdMalformed => self.subscriber_id_malformed(from),
            SenderMissing => self.missing(from, Field::From, !self.get(Field::FromName).is_absent()),
            RecipientMissing => self.recipient_missing(from),
            FieldWrongType => self.field_wrong_type(from),
            SenderMalformed => self.not_address(from, Field::From, &self.body.from),
            MailerMissing => self.missing(from, Field::MailerId, true),
            FromNameControl => self.name_control(from),
            DateMalformed => self.date_malformed(from),
        }
    }

    fn recipient_malformed(&self, from: Cursor) -> Broken {
        if self.body.is_by_id() {
            return None;
        }
        self.not_address(from, Field::Email, &self.body.email)
    }

    fn subscriber_id_malformed(&self, from: Cursor) -> Broken {
        let value = self.get(Field::SubId);
        let is_broken = !value.is_absent() && id(value, self.sent).is_none();
        once(from, is_broken, || member(Field::SubId, value))
    }

    /// The place of a field that is absent although the call needs it.
    fn missing(&self, from: Cursor, field: Field, is_needed: bool) -> Broken {
        let value = self.get(field);
        once(from, is_needed && value.is_absent(), || {
            member_or_object(field, value, self.body.object)
        })
    }

    fn recipient_missing(&self, from: Cursor) -> Broken {
        let is_broken = !self.body.is_by_id() && self.get(Field::Email).is_absent();
        once(from, is_broken, || BodyPlace::object(self.body.object))
    }

    fn field_wrong_type(&self, from: Cursor) -> Broken {
        let is_broken = |field: Field, value: Value| match field {
            Field::MailerId => !value.is_absent() && self.body.mailer.is_none(),
            // Rule subscriber-id-malformed judges it.
            Field::SubId => false,
            Field::Email if self.body.is_by_id() => false,
            _ => is_wrong_type(field.kind(), value, self.sent),
        };
        let fields = self.body.non_texts();
        first_field(from, fields, |field| self.get(field), is_broken)
    }

    /// A text field whose text is not a valid address.
    fn not_address(&self, from: Cursor, field: Field, address: &Option<SentAddress>) -> Broken {
        let value = self.get(field);
        let is_broken = address.is_none() && is_text(value);
        once(from, is_broken, || member(field, value))
    }

    fn name_control(&self, from: Cursor) -> Broken {
        let name = self.body.text(Field::FromName as usize, self.sent);
        let is_broken = name.is_some_and(is_control_in);
        once(from, is_broken, || {
            member(Field::FromName, self.get(Field::FromName))
        })
    }

    fn date_malformed(&self, from: Cursor) -> Broken {
        let is_no_day = |field, _| {
            let text = self.body.text(field as usize, self.sent);
            text.is_some_and(|text| !date::is_day(text))
        };
        first_field(
            from,
            [Field::Birthday, Field::Anniversary],
            |field| self.get(field),
            is_no_day,
        )
    }
}
