//! The fields of a request as a client gives them, and their JSON form.

use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use core::fmt;

use serde::Serialize;
use serde::ser::SerializeMap;
use url::form_urlencoded::byte_serialize;

use super::error::ComposeError;
use super::node::Node;
use crate::text::unicode;
use crate::wire::field::{Field, FieldKind, RequestField, SendMailerField};

/// What a client gave for a field.
#[derive(Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum FieldValue<'a> {
    Text(Cow<'a, str>),
    Integer(i128),
    Flag(bool),
}

/// Fields that are written in the interface's order.
pub(super) trait Written: Field + Ord {
    /// Whether the operation's flags are texts, `"0"` and `"1"`.
    const HAS_TEXT_FLAGS: bool;
    /// The field whose HTML is to be encoded, if there is one.
    const HTML: Option<Self>;
}

impl Written for SendMailerField {
    const HAS_TEXT_FLAGS: bool = false;
    const HTML: Option<Self> = None;
}

impl Written for RequestField {
    const HAS_TEXT_FLAGS: bool = true;
    const HTML: Option<Self> = Some(Self::Body);
}

/// The fields that were given, in the interface's order. Debug shows only their names.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Fields<'a, F: Ord>(BTreeMap<F, FieldValue<'a>>);

impl<F: Ord> Default for Fields<'_, F> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<'a, F: Written> Fields<'a, F> {
    /// Sets a field. It replaces an earlier value.
    pub(super) fn set(&mut self, field: F, value: FieldValue<'a>) {
        self.0.insert(field, value);
    }

    /// Reads the members of an object. `request` is its position in `requests`, for errors.
    pub(super) fn from_node(node: Node<'a>, request: Option<usize>) -> Result<Self, ComposeError> {
        let Node::Object(members) = node else {
            return Err(match request {
                Some(request) => ComposeError::RequestNotObject { request },
                None => ComposeError::NotObject,
            });
        };
        let mut fields = Self::default();
        let mut seen = BTreeSet::new();
        for (name, node) in members {
            let Some((field, _)) = F::find(name.as_bytes()) else {
                return Err(ComposeError::unknown(request, &name));
            };
            if !seen.insert(field) {
                let field = field.name();
                return Err(ComposeError::RepeatedField { request, field });
            }
            if let Some(value) = FieldValue::take(field, request, node)? {
                fields.set(field, value);
            }
        }
        Ok(fields)
    }

    pub(super) fn into_owned(self) -> Fields<'static, F> {
        let owned = |(field, value): (F, FieldValue<'a>)| (field, value.into_owned());
        Fields(self.0.into_iter().map(owned).collect())
    }

    /// A lower bound of the bytes that the fields have when written, computed without writing them.
    pub(super) fn least_len(&self) -> usize {
        let lengths = self.0.values().map(|value| match value {
            FieldValue::Text(text) => text.len(),
            FieldValue::Integer(_) | FieldValue::Flag(_) => 1,
        });
        lengths.sum()
    }
}

impl<F: Written> Serialize for Fields<'_, F> {
    /// Writes the fields as they are sent to the service, with encoded HTML.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.0.len()))?;
        for (field, value) in &self.0 {
            let name = field.name();
            match value {
                FieldValue::Text(html) if F::HTML == Some(*field) => {
                    object.serialize_entry(name, &Encoded(html))?;
                }
                FieldValue::Flag(flag) if F::HAS_TEXT_FLAGS => {
                    object.serialize_entry(name, if *flag { "1" } else { "0" })?;
                }
                FieldValue::Flag(flag) => object.serialize_entry(name, &u8::from(*flag))?,
                FieldValue::Text(_) | FieldValue::Integer(_) => {
                    object.serialize_entry(name, value)?;
                }
            }
        }
        object.end()
    }
}

impl<F: Written> fmt::Debug for Fields<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.0.keys().map(|field| field.name()))
            .finish()
    }
}

impl<'a> FieldValue<'a> {
    /// Reads the value of a field; `None` when it is to be left out.
    pub(super) fn take<F: Field>(
        field: F,
        request: Option<usize>,
        node: Node<'a>,
    ) -> Result<Option<Self>, ComposeError> {
        let wrong_type = || ComposeError::wrong_type(request, field.name(), field.kind());
        Ok(Some(match (field.kind(), node) {
            (_, Node::Null) => return Ok(None),
            (FieldKind::Flag, Node::Flag(flag)) => Self::Flag(flag),
            (FieldKind::Flag, Node::Integer(number @ (0 | 1))) => Self::Flag(number == 1),
            (FieldKind::Flag, Node::Text(text)) => match &*text {
                "0" => Self::Flag(false),
                "1" => Self::Flag(true),
                // The service takes a blank flag as absent, so it is left out.
                blank if unicode::is_blank(blank) => return Ok(None),
                _ => return Err(wrong_type()),
            },
            (FieldKind::Flag | FieldKind::Requests, _) => return Err(wrong_type()),
            (_, Node::Text(text)) => Self::Text(text),
            (_, Node::Integer(number)) => Self::Integer(number),
            _ => return Err(wrong_type()),
        }))
    }

    pub(super) fn into_owned(self) -> FieldValue<'static> {
        match self {
            Self::Text(text) => FieldValue::Text(Cow::Owned(text.into_owned())),
            Self::Integer(number) => FieldValue::Integer(number),
            Self::Flag(flag) => FieldValue::Flag(flag),
        }
    }
}

/// HTML that is encoded while it is written, as [`crate::text::form::encode`] encodes it.
struct Encoded<'h>(&'h str);

impl fmt::Display for Encoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        byte_serialize(self.0.as_bytes()).try_for_each(|piece| f.write_str(piece))
    }
}

impl Serialize for Encoded<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
