//! Requests of one account, packed into calls of httpSendMail.

use alloc::vec::Vec;
use core::iter::FusedIterator;

use super::error::ComposeError;
use super::fields::FieldValue;
use super::node::{self, Node};
use super::packing::{ComposedCall, pack};
use super::request::HttpSendMailRequest;
use crate::debug::debug_shows;
use crate::policy::Policy;
use crate::wire::field::{Field as _, HttpSendMailField};

/// Any number of requests of httpSendMail, and the key of the account that sends them, read from JSON. To compose requests
/// with named fields, use [`compose`](crate::compose()). Debug shows only the number of requests.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HttpSendMailRequests<'a> {
    api_key: Option<FieldValue<'a>>,
    requests: Vec<HttpSendMailRequest<'a>>,
}

impl<'a> HttpSendMailRequests<'a> {
    /// Reads `ApiKey` and `requests`, as [`compose_json`](crate::compose_json) does.
    ///
    /// # Errors
    /// [`ComposeError`] when the text is not a JSON object, when `requests` is not an array of objects, or when a field is
    /// unknown, repeated or of a wrong type.
    pub fn from_json(text: &'a str) -> Result<Self, ComposeError> {
        let Node::Object(members) = Node::from_json(text, node::CALL)? else {
            return Err(ComposeError::NotObject);
        };
        let mut api_key = None;
        let mut requests = None;
        for (name, node) in members {
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
        let Some(Node::Array(requests)) = requests else {
            return Err(ComposeError::RequestsNotArray);
        };
        let requests = requests.into_iter().enumerate();
        let requests =
            requests.map(|(request, node)| HttpSendMailRequest::from_node(node, Some(request)));
        Ok(Self {
            api_key,
            requests: requests.collect::<Result<_, _>>()?,
        })
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
}

debug_shows!(this: HttpSendMailRequests<'_> { "requests": this.requests.len() });
