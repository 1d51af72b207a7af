//! Why calls could not be composed.

use alloc::string::String;
use core::fmt;

use crate::wire::field::FieldKind;

/// Why no call could be composed. Display and Debug show names of fields and places, never a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError {
    /// The text is not JSON.
    #[error("the fields are not JSON: reading stopped at line {line}, column {column}")]
    NotJson {
        /// The line, from 1.
        line: usize,
        /// The column, in bytes, from 1; 0 before the first byte of a line.
        column: usize,
    },
    /// The text is JSON, but not an object.
    #[error("the fields are not a JSON object: give them by name")]
    NotObject,
    /// `requests` is missing or is not an array.
    #[error("requests is not an array: give the requests as an array, an empty one for no calls")]
    RequestsNotArray,
    /// An entry of `requests` is not an object.
    #[error("request {request} is not a JSON object: give its fields by name")]
    RequestNotObject {
        /// The position in `requests`, from 0.
        request: usize,
    },
    /// The interface has no field with this name here.
    #[error("{}the interface has no field {} here: correct its name, or leave it out", At(*request), shown(name))]
    UnknownField {
        /// The position in `requests`, from 0; `None` at the top level.
        request: Option<usize>,
        /// The name, if it could be a misspelled field. It is empty if the given name is very long, or has anything but
        /// ASCII letters, digits, `_` and `-`, since it may then be data.
        name: String,
    },
    /// A field is given twice, perhaps in two spellings.
    #[error("{}{field} is given twice: give it once", At(*request))]
    RepeatedField {
        /// The position in `requests`, from 0; `None` at the top level.
        request: Option<usize>,
        /// The field, in this operation's spelling.
        field: &'static str,
    },
    /// A value has a type that the field does not take.
    #[error("{}{field} has a wrong type: {takes}", At(*request))]
    WrongType {
        /// The position in `requests`, from 0; `None` at the top level.
        request: Option<usize>,
        /// The field, in this operation's spelling.
        field: &'static str,
        /// What to give, as a clause.
        takes: &'static str,
    },
    /// A call with only this request has more bytes than a call may have (interface, section 8: code 454).
    #[error(
        "request {request} fits in no call: alone it makes one of more than {max_bytes} bytes; shorten it"
    )]
    RequestTooLarge {
        /// The position among the requests, from 0.
        request: usize,
        /// The most bytes that a call may have.
        max_bytes: u64,
    },
}

impl ComposeError {
    /// The position, from 0, of the request that the error is about; `None` when it is not about a request.
    #[must_use]
    pub fn request(&self) -> Option<usize> {
        match self {
            Self::NotJson { .. } | Self::NotObject | Self::RequestsNotArray => None,
            Self::RequestNotObject { request } | Self::RequestTooLarge { request, .. } => {
                Some(*request)
            }
            Self::UnknownField { request, .. }
            | Self::RepeatedField { request, .. }
            | Self::WrongType { request, .. } => *request,
        }
    }

    /// The name of the field that the error is about; `None` when it is not about a field, or its name may be data.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        match self {
            Self::RequestsNotArray => Some("requests"),
            Self::UnknownField { name, .. } => (!name.is_empty()).then_some(name),
            Self::RepeatedField { field, .. } | Self::WrongType { field, .. } => Some(field),
            Self::NotJson { .. }
            | Self::NotObject
            | Self::RequestNotObject { .. }
            | Self::RequestTooLarge { .. } => None,
        }
    }

    pub(super) fn unknown(request: Option<usize>, name: &str) -> Self {
        const LONGEST: usize = 40;
        let is_name = name.len() <= LONGEST
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        let name = String::from(if is_name { name } else { "" });
        Self::UnknownField { request, name }
    }

    pub(super) fn wrong_type(request: Option<usize>, field: &'static str, kind: FieldKind) -> Self {
        Self::WrongType {
            request,
            field,
            takes: match kind {
                FieldKind::Flag => "give true, false, 0, 1, \"0\" or \"1\"",
                _ => {
                    "give a text or a whole number of 64 bits; any other number as a text, to keep its digits"
                }
            },
        }
    }

    pub(super) fn not_json(error: serde_json::Error) -> Self {
        Self::NotJson {
            line: error.line(),
            column: error.column(),
        }
    }
}

/// The first words of an error's message: the request that it is about.
struct At(Option<usize>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(request) => write!(f, "request {request}: "),
            None => Ok(()),
        }
    }
}

fn shown(name: &str) -> &str {
    if name.is_empty() {
        "of this name"
    } else {
        name
    }
}
