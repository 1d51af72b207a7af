//! Reads a JSON value as a field takes it: as a text, a whole number or a flag.

use alloc::borrow::Cow;

use super::field::FieldKind;
use super::json::{Shape, Value, unescape};
use crate::bytes::{part, text_part};
use crate::text::unicode;

/// The text of a string, or of a number as written. `None` for a value that a text field does not take, and for an absent
/// one.
pub(crate) fn text(value: Value, sent: &str) -> Option<Cow<'_, str>> {
    let content = || text_part(sent, value.content());
    match value.shape {
        Shape::Text | Shape::Number => Some(Cow::Borrowed(content())),
        Shape::Escaped => Some(Cow::Owned(unescape(content().as_bytes()))),
        _ => None,
    }
}

/// A whole number from 1 to 2^63-1: a JSON number, or a string of digits; `None` for anything else.
pub(crate) fn id(value: Value, sent: &str) -> Option<u64> {
    let digits = text(value, sent)?;
    // `parse` would also accept a sign.
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.parse::<u64>().ok().filter(|_| is_digits)?;
    (1..=i64::MAX as u64).contains(&id).then_some(id)
}

/// The value of a flag; `None` for anything that is neither on nor off. An absent flag is off.
pub(crate) fn flag(value: Value, sent: &str) -> Option<bool> {
    let of_text = |text: &[u8]| match text {
        b"0" => Some(false),
        b"1" => Some(true),
        _ => None,
    };
    match value.shape {
        Shape::True => Some(true),
        Shape::False => Some(false),
        Shape::Missing | Shape::Null | Shape::Empty | Shape::Blank => Some(false),
        Shape::Text | Shape::Number => of_text(part(sent.as_bytes(), value.content())),
        Shape::Escaped => of_text(text(value, sent)?.as_bytes()),
        Shape::Object | Shape::Array => None,
    }
}

/// Applies `read` to a text. The result borrows from the source of the text if the text itself is borrowed.
pub(crate) fn lend<'t>(
    text: Cow<'t, str>,
    read: impl Fn(&str) -> Option<Cow<'_, str>>,
) -> Option<Cow<'t, str>> {
    match text {
        Cow::Borrowed(text) => read(text),
        Cow::Owned(text) => read(&text).map(|found| Cow::Owned(found.into_owned())),
    }
}

/// Whether a text has a control character.
pub(crate) fn is_control_in(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    !is_plain && unicode::has_control(text)
}

/// Whether a value is not absent and has a type that the field does not take. Fields whose type other rules judge take
/// every type.
pub(crate) fn is_wrong_type(kind: FieldKind, value: Value, sent: &str) -> bool {
    if value.is_absent() {
        return false;
    }
    match kind {
        FieldKind::Key | FieldKind::Requests => false,
        FieldKind::Text | FieldKind::Personalization | FieldKind::Date => !is_text(value),
        FieldKind::Id => id(value, sent).is_none(),
        FieldKind::Flag => flag(value, sent).is_none(),
    }
}

/// Whether a text field takes the value.
pub(crate) fn is_text(value: Value) -> bool {
    matches!(value.shape, Shape::Text | Shape::Escaped | Shape::Number)
}
