//! What a client sends: requests with names for their fields, written as calls that the service takes.
//!
//! A value is written as it was given, and nothing is judged: [`crate::Preflight`] does that, on the body that was
//! composed. Three things are seen to: HTML is encoded, flags get the type that the operation gives them, and no call
//! carries more requests or bytes than the policy allows.

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

/// Composes the calls that carry what a JSON text says, for programs that have no types for this library.
///
/// `fields` is for sendMailer an object with the fields of the interface's section 4.1: one call. For httpSendMail it
/// is an object with `ApiKey` and an array `requests` of any length, whose entries have the fields of section 4.2,
/// `body` as HTML that is not encoded: as few calls as that allows, none for an empty array (the interface has no
/// call without requests).
///
/// Both spellings of a field count. What is `null` is left out. A text field and an id take a text or a whole number
/// and are written as they were given; a flag takes `true`, `false`, `0`, `1`, `"0"` and `"1"`.
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
/// [`ComposeError`], and then no call at all, when the text is not of that form or a request fits in no call.
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
