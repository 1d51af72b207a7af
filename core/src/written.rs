//! JSON forms of the library's own, written.
//!
//! They are made of texts, finite numbers, and objects with names: writing such to memory cannot fail. If one did, it would
//! be empty, which is no JSON form and so is taken for none.

use alloc::string::String;

use serde::Serialize;
use serde_json::Value;

/// A form as JSON text.
pub(crate) fn to_json(form: &impl Serialize) -> String {
    serde_json::to_string(form).unwrap_or_default()
}

/// A form as `serde_json` holds it.
pub(crate) fn value_of(form: &impl Serialize) -> Value {
    serde_json::to_value(form).unwrap_or_default()
}
