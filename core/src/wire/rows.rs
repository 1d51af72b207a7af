//! The tables of fields, row by row, for programs that describe the interface.

use super::field::{Field, FieldKind, HttpSendMailField, RequestField, SendMailerField};
use crate::operation::Operation;

/// The kind of value that a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A text.
    Text,
    /// A day, `yyyy-mm-dd`.
    Day,
    /// A whole number, 1 to 2^63-1.
    Id,
    /// On or off.
    Flag,
    /// The array of requests.
    Requests,
}

/// A field of the interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// The operation's own spelling.
    pub name: &'static str,
    /// The other spelling, if there is one.
    pub alias: Option<&'static str>,
    /// The kind of value that it takes.
    pub takes: Takes,
    /// What to do about a value of the wrong type; `None` where another rule judges the type.
    pub remedy: Option<&'static str>,
}

fn row<F: Field>(field: F) -> FieldRow {
    let (name, kind) = (field.name(), field.kind());
    FieldRow {
        name,
        alias: Some(field.spelling(true)).filter(|alias| *alias != name),
        takes: match kind {
            FieldKind::Key | FieldKind::Text | FieldKind::Personalization => Takes::Text,
            FieldKind::Date => Takes::Day,
            FieldKind::Id => Takes::Id,
            FieldKind::Flag => Takes::Flag,
            FieldKind::Requests => Takes::Requests,
        },
        remedy: kind.remedy(),
    }
}

/// The fields at the top level of a call, in the interface's order.
pub fn of_call(operation: Operation) -> impl Iterator<Item = FieldRow> {
    let (send_mailer, http_send_mail) = match operation {
        Operation::SendMailer => (SendMailerField::ALL, &[][..]),
        Operation::HttpSendMail => (&[][..], HttpSendMailField::ALL),
    };
    let send_mailer = send_mailer.iter().copied().map(row);
    send_mailer.chain(http_send_mail.iter().copied().map(row))
}

/// The fields of one request of httpSendMail, in the interface's order.
pub fn of_request() -> impl Iterator<Item = FieldRow> {
    RequestField::ALL.iter().copied().map(row)
}
