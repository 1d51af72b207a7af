//! A JSON value, read only as deep as the fields of the interface go.
//!
//! Unlike [`serde_json::Value`], it keeps repeated names, borrows texts, and distinguishes whole numbers from others.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::error::ComposeError;

pub(super) enum Node<'j> {
    Null,
    Flag(bool),
    Integer(i128),
    Text(Cow<'j, str>),
    Array(Vec<Node<'j>>),
    /// The members, each with its name.
    Object(Vec<(Cow<'j, str>, Node<'j>)>),
    /// A number that is not whole or is too large, or an array or object where no field takes one.
    Other,
}

/// The number of objects and arrays around the fields of a sendMailer body, or of a single request.
pub(super) const FIELDS: u8 = 1;
/// The number of objects and arrays around the fields of the requests of a call.
pub(super) const CALL: u8 = 3;

impl<'j> Node<'j> {
    /// Reads objects and arrays down to this depth. Deeper ones are skipped and become [`Node::Other`].
    pub(super) fn from_json(text: &'j str, depth: u8) -> Result<Self, ComposeError> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let node = Seed(depth).deserialize(&mut deserializer);
        let node = node.map_err(ComposeError::not_json)?;
        deserializer.end().map_err(ComposeError::not_json)?;
        Ok(node)
    }
}

#[derive(Clone, Copy)]
struct Seed(u8);

impl<'j> DeserializeSeed<'j> for Seed {
    type Value = Node<'j>;

    fn deserialize<D: Deserializer<'j>>(self, deserializer: D) -> Result<Node<'j>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'j> Visitor<'j> for Seed {
    type Value = Node<'j>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the fields of a call, by name")
    }

    fn visit_unit<E>(self) -> Result<Node<'j>, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node<'j>, E> {
        Ok(Node::Flag(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node<'j>, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node<'j>, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node<'j>, E> {
        Ok(Node::Other)
    }

    fn visit_borrowed_str<E>(self, value: &'j str) -> Result<Node<'j>, E> {
        Ok(Node::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node<'j>, E> {
        Ok(Node::Text(Cow::Owned(value.into())))
    }

    fn visit_seq<A: SeqAccess<'j>>(self, mut entries: A) -> Result<Node<'j>, A::Error> {
        let Some(depth) = self.0.checked_sub(1) else {
            IgnoredAny.visit_seq(entries)?;
            return Ok(Node::Other);
        };
        let mut array = Vec::new();
        while let Some(entry) = entries.next_element_seed(Self(depth))? {
            array.push(entry);
        }
        Ok(Node::Array(array))
    }

    fn visit_map<A: MapAccess<'j>>(self, mut members: A) -> Result<Node<'j>, A::Error> {
        let Some(depth) = self.0.checked_sub(1) else {
            IgnoredAny.visit_map(members)?;
            return Ok(Node::Other);
        };
        let mut object = Vec::new();
        while let Some(MemberName(name)) = members.next_key()? {
            object.push((name, members.next_value_seed(Self(depth))?));
        }
        Ok(Node::Object(object))
    }
}

/// A member's name, borrowed unless it has escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct MemberName<'j>(#[serde(borrow)] Cow<'j, str>);
