//! Reads a JSON value as a field takes it: as a text, a whole number or a flag.

use alloc::borrow::Cow;
use alloc::string::String;

use super::field::FieldKind;
use super::json::{Shape, Value, unescape};
use crate::text::unicode;

/// The text of a string, or of a number as written. `None` for a value that a text field does not take, and for an absent
/// one.
pub(crate) fn text(value: Value, body: &[u8]) -> Option<Cow<'_, str>> {
    as_text(bytes_of(value, body)?)
}

/// Bytes of the body as text. The body was read as UTF-8, so this is `None` only if the body has changed since.
pub(crate) fn as_text(bytes: Cow<'_, [u8]>) -> Option<Cow<'_, str>> {
    match bytes {
        Cow::Borrowed(bytes) => core::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    }
}

/// The bytes of [`text`]. They are not checked to be UTF-8 again: that was done when the body was read.
pub(crate) fn bytes_of(value: Value, body: &[u8]) -> Option<Cow<'_, [u8]>> {
    let content = body.get(value.content())?;
    match value.shape {
        Shape::Text | Shape::Number => Some(Cow::Borrowed(content)),
        Shape::Escaped => Some(Cow::Owned(unescape(content).into_bytes())),
        _ => None,
    }
}

/// A whole number from 1 to 2^63-1: a JSON number, or a string of digits; `None` for anything else.
pub(crate) fn id(value: Value, body: &[u8]) -> Option<u64> {
    /// The most digits with which every number fits into a `u64`.
    const MOST: usize = 19;
    let digits = bytes_of(value, body)?;
    // JSON numbers have no leading zeros, but strings may have them.
    let zeros = digits.iter().take_while(|byte| **byte == b'0').count();
    let digits = digits.get(zeros..).filter(|digits| digits.len() <= MOST)?;
    let mut id = 0_u64;
    for byte in digits {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit <= 9)?;
        id = id * 10 + u64::from(digit);
    }
    (1..=i64::MAX as u64).contains(&id).then_some(id)
}

/// The value of a flag; `None` for anything that is neither on nor off. An absent flag is off.
pub(crate) fn flag(value: Value, body: &[u8]) -> Option<bool> {
    match value.shape {
        Shape::True => Some(true),
        Shape::False => Some(false),
        Shape::Missing | Shape::Null | Shape::Empty | Shape::Blank => Some(false),
        Shape::Text | Shape::Number | Shape::Escaped => match &*bytes_of(value, body)? {
            b"0" => Some(false),
            b"1" => Some(true),
            _ => None,
        },
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
pub(crate) fn is_wrong_type(kind: FieldKind, value: Value, body: &[u8]) -> bool {
    if value.is_absent() {
        return false;
    }
    match kind {
        FieldKind::Key | FieldKind::Requests => false,
        FieldKind::Text | FieldKind::Personalization | FieldKind::Date => !is_text(value),
        FieldKind::Id => id(value, body).is_none(),
        FieldKind::Flag => flag(value, body).is_none(),
    }
}

/// Whether a text field takes the value.
pub(crate) fn is_text(value: Value) -> bool {
    matches!(value.shape, Shape::Text | Shape::Escaped | Shape::Number)
}
