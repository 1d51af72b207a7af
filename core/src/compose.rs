//! Composes the calls of a client from requests with named fields.
//!
//! Values are written as given and are not checked: for that, run [`crate::Preflight`] on the composed body. Composing does
//! three things: it encodes HTML, writes flags in the type that the operation uses, and keeps every call within the
//! policy's limits for requests and bytes.

mod error;
mod fields;
mod node;
mod packing;
mod request;
mod requests;

use alloc::string::String;
use alloc::vec::Vec;

pub use error::ComposeError;
pub use packing::{ComposedCall, compose};
pub use request::{HttpSendMailRequest, SendMailerRequest};
pub use requests::HttpSendMailRequests;

use crate::operation::Operation;
use crate::policy::Policy;

/// Composes calls from a JSON text, for programs that have no types for this library.
///
/// For sendMailer, `fields` is an object with the fields of the interface's section 4.1, and the result is one call. For
/// httpSendMail, it is an object with `ApiKey` and an array `requests` of any length, whose entries have the fields of
/// section 4.2; `body` is HTML that is not encoded. The result is as few calls as the policy allows. An empty array
/// gives no calls, because each call of the interface has at least one request.
///
/// Both spellings of a field are accepted. A field that is `null` is left out. A text field or an id takes a text or a whole
/// number, which is written as given; a flag takes `true`, `false`, `0`, `1`, `"0"` and `"1"`. A flag
/// that is an empty text, or a text of white space, is left out.
///
/// ```
/// use franking::{Operation, Policy, compose_json};
/// let fields = r#"{"ApiKey": "k", "requests": [{"subject": "Hi", "body": "<p>", "trackOpens": true}]}"#;
/// let calls = compose_json(&Policy::default(), Operation::HttpSendMail, fields)?;
/// assert_eq!(calls, [r#"{"ApiKey":"k","requests":[{"subject":"Hi","body":"%3Cp%3E","trackOpens":"1"}]}"#]);
/// # Ok::<(), franking::ComposeError>(())
/// ```
///
/// # Errors
/// [`ComposeError`], and no calls at all, when the text does not have that form, or a request is too large for any call.
pub fn compose_json(
    policy: &Policy,
    operation: Operation,
    fields: &str,
) -> Result<Vec<String>, ComposeError> {
    match operation {
        Operation::SendMailer => Ok(Vec::from([SendMailerRequest::from_json(fields)?.compose()])),
        Operation::HttpSendMail => HttpSendMailRequests::from_json(fields)?
            .compose(policy)
            .map(|call| call.map(ComposedCall::into_body))
            .collect(),
    }
}
