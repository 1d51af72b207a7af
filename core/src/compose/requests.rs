//! Requests of one account, packed into calls of httpSendMail.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::iter::FusedIterator;

use serde::de::Error as _;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::error::ComposeError;
use super::fields::FieldValue;
use super::node::{self, Node};
use super::packing::{ComposedCall, pack};
use super::request::HttpSendMailRequest;
use crate::debug::debug_shows;
use crate::policy::Policy;
use crate::wire::field::{Field as _, HttpSendMailField};

/// Any number of requests of httpSendMail, and the key of the account that sends them.
///
/// serde writes and reads `{"ApiKey": ..., "requests": [...]}`, with HTML as given. Debug shows only the number of requests.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HttpSendMailRequests<'a> {
    api_key: Option<FieldValue<'a>>,
    requests: Vec<HttpSendMailRequest<'a>>,
}

impl<'a> HttpSendMailRequests<'a> {
    /// Requests of the account with this key.
    #[must_use]
    pub fn new(
        api_key: impl Into<Cow<'a, str>>,
        requests: impl IntoIterator<Item = HttpSendMailRequest<'a>>,
    ) -> Self {
        Self {
            api_key: Some(FieldValue::Text(api_key.into())),
            requests: requests.into_iter().collect(),
        }
    }

    /// Reads `ApiKey` and `requests`, as [`compose_json`](crate::compose_json) does.
    ///
    /// # Errors
    /// [`ComposeError`] when the text is not JSON, or has an unknown, repeated or wrongly typed field.
    pub fn from_json(text: &'a str) -> Result<Self, ComposeError> {
        Self::from_node(Node::from_json(text, node::CALL)?)
    }

    /// The requests, in order.
    #[must_use]
    pub fn requests(&self) -> &[HttpSendMailRequest<'a>] {
        &self.requests
    }

    /// Packs the requests into calls, as [`compose`](crate::compose()) does.
    ///
    /// # Errors
    /// [`ComposeError::RequestTooLarge`] for the first request that is too large for any call; no call follows.
    pub fn compose(
        &self,
        policy: &Policy,
    ) -> impl FusedIterator<Item = Result<ComposedCall, ComposeError>> {
        pack(policy, self.api_key.as_ref(), &self.requests)
    }

    /// The same requests, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> HttpSendMailRequests<'static> {
        let requests = self.requests.into_iter();
        HttpSendMailRequests {
            api_key: self.api_key.map(FieldValue::into_owned),
            requests: requests.map(HttpSendMailRequest::into_owned).collect(),
        }
    }

    fn from_node(node: Node<'a>) -> Result<Self, ComposeError> {
        let mut api_key = None;
        let mut requests = None;
        for (name, node) in node.into_object().ok_or(ComposeError::NotObject)? {
            let Some((field, _)) = HttpSendMailField::find(name.as_bytes()) else {
                return Err(ComposeError::unknown(None, &name));
            };
            let slot = match field {
                HttpSendMailField::ApiKey => &mut api_key,
                HttpSendMailField::Requests => &mut requests,
            };
            if slot.replace(node).is_some() {
                let (request, field) = (None, field.name());
                return Err(ComposeError::RepeatedField { request, field });
            }
        }
        let api_key = api_key.unwrap_or(Node::Null);
        let api_key = FieldValue::take(HttpSendMailField::ApiKey, None, api_key)?;
        let requests = requests
            .and_then(Node::into_array)
            .ok_or(ComposeError::RequestsNotArray)?;
        let requests = requests.into_iter().enumerate();
        let requests =
            requests.map(|(request, node)| HttpSendMailRequest::from_node(node, Some(request)));
        Ok(Self {
            api_key,
            requests: requests.collect::<Result<_, _>>()?,
        })
    }
}

debug_shows!(this: HttpSendMailRequests<'_> { "requests": this.requests.len() });

impl Serialize for HttpSendMailRequests<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("HttpSendMailRequests", 2)?;
        match &self.api_key {
            Some(key) => object.serialize_field("ApiKey", key)?,
            None => object.skip_field("ApiKey")?,
        }
        object.serialize_field("requests", &self.requests)?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for HttpSendMailRequests<'static> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let node = Node::read(deserializer, node::CALL)?;
        let requests = HttpSendMailRequests::from_node(node).map_err(D::Error::custom)?;
        Ok(requests.into_owned())
    }
}
