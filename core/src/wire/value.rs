//! What a field takes from a JSON value: text, a whole number, a flag.

use alloc::borrow::Cow;

use super::field::Kind;
use super::json::{Shape, Value, unescape};

/// The text of a string, or of a number as written; `None` for what a text field does not take, and for what is
/// absent.
pub(crate) fn text(value: Value, body: &[u8]) -> Option<Cow<'_, str>> {
    let content = body.get(value.content())?;
    match value.shape {
        Shape::Text | Shape::Number => core::str::from_utf8(content).ok().map(Cow::Borrowed),
        Shape::Escaped => Some(Cow::Owned(unescape(content))),
        _ => None,
    }
}

/// A whole number from 1 to 2^63-1: a JSON number, or a string of digits; `None` for anything else.
pub(crate) fn id(value: Value, body: &[u8]) -> Option<u64> {
    let text = text(value, body)?;
    // JSON numbers have no leading zeros, strings may.
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse()
        .ok()
        .filter(|id| (1..=i64::MAX as u64).contains(id))
}

/// On or off; `None` for anything that is neither. Absent is off.
pub(crate) fn flag(value: Value, body: &[u8]) -> Option<bool> {
    match value.shape {
        Shape::True => Some(true),
        Shape::False => Some(false),
        Shape::Missing | Shape::Null | Shape::Empty | Shape::Blank => Some(false),
        Shape::Text | Shape::Escaped | Shape::Number => match &*text(value, body)? {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        },
        Shape::Object | Shape::Array => None,
    }
}

/// Whether a value that is there has a type that the field does not take. Fields with rules of their own take all.
pub(crate) fn is_wrong_type(kind: Kind, value: Value, body: &[u8]) -> bool {
    if value.is_absent() {
        return false;
    }
    match kind {
        Kind::Key | Kind::Requests => false,
        Kind::Text | Kind::Personalization | Kind::Date => !is_text(value),
        Kind::Id => id(value, body).is_none(),
        Kind::Flag => flag(value, body).is_none(),
    }
}

/// Whether a text field takes the value.
pub(crate) fn is_text(value: Value) -> bool {
    matches!(value.shape, Shape::Text | Shape::Escaped | Shape::Number)
}
