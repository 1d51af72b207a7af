//! Writes the library's own JSON forms.
//!
//! The forms consist of texts, finite numbers, arrays and objects, so writing them to memory cannot fail. If it did, the
//! result would be `""` or `null`, which every reader rejects.

use alloc::string::String;

use serde::Serialize;
use serde_json::Value;

/// The JSON text of a form.
pub(crate) fn to_json(form: &impl Serialize) -> String {
    serde_json::to_string(form).unwrap_or_default()
}

/// A form as a `serde_json` value.
pub(crate) fn value_of(form: &impl Serialize) -> Value {
    serde_json::to_value(form).unwrap_or_default()
}
