//! JSON whose members keep the order in which they were written.

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// A JSON value.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Leaf(Value),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

impl Node {
    /// An object with these members, in this order.
    pub(super) fn map<K: Into<String>, N: Into<Self>>(
        members: impl IntoIterator<Item = (K, N)>,
    ) -> Self {
        let members = members.into_iter();
        Self::Map(
            members
                .map(|(key, node)| (key.into(), node.into()))
                .collect(),
        )
    }

    pub(super) fn list<N: Into<Self>>(items: impl IntoIterator<Item = N>) -> Self {
        Self::List(items.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Value>> From<T> for Node {
    fn from(value: T) -> Self {
        Self::Leaf(value.into())
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Leaf(value) => value.serialize(serializer),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, node) in members {
                    map.serialize_entry(key, node)?;
                }
                map.end()
            }
        }
    }
}

/// An object, with each of its members as a node.
macro_rules! object {
    ($($key:literal: $value:expr),* $(,)?) => {
        $crate::openapi::node::Node::Map(vec![
            $(($key.to_string(), $crate::openapi::node::Node::from($value))),*
        ])
    };
}
pub(super) use object;
