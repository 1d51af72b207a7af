//! Packs requests into calls, in order. Each call is filled before the next one begins. No packing that keeps the order
//! needs fewer calls.

use alloc::string::String;
use core::borrow::Borrow;
use core::iter::FusedIterator;
use core::ops::Range;

use super::error::ComposeError;
use super::fields::FieldValue;
use super::request::HttpSendMailRequest;
use crate::debug::debug_shows;
use crate::policy::Policy;
use crate::serialize::to_json;

/// The body of a call of httpSendMail. Debug does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ComposedCall {
    body: String,
    requests: Range<usize>,
}

impl ComposedCall {
    /// The body to post: compact JSON.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The body to post, moved out.
    #[must_use]
    pub fn into_body(self) -> String {
        self.body
    }

    /// The positions, among all given requests, of those in this call.
    ///
    /// An answer or a preflight of the call counts requests from the first in this call.
    #[must_use]
    pub fn requests(&self) -> Range<usize> {
        self.requests.clone()
    }
}

debug_shows!(this: ComposedCall { "bytes": this.body.len(), "requests": this.requests });

/// Packs any number of requests, in order, into the fewest calls of httpSendMail that the policy's `max_requests` and
/// `max_bytes` allow (interface, section 8: 1000 requests and 32 MB).
///
/// The iterator composes one call at a time and keeps at most one call and one request in memory. Without requests there is
/// no call. Use the policy of the service; the default policy has the limits of the interface.
///
/// ```
/// use franking::{HttpSendMailRequest, Policy, compose};
/// let policy = Policy::builder().max_requests(2).build()?;
/// let request = HttpSendMailRequest::new().subject("Hi").html("<p>").from("shop@example.com");
/// let addresses = ["a@example.org", "b@example.org", "c@example.org"];
/// for call in compose(&policy, "key", addresses.map(|to| request.clone().to(to))) {
///     let call = call?;
///     assert!(call.body().starts_with(r#"{"ApiKey":"key","requests":[{"subject":"Hi","body":"%3Cp%3E","to":"#));
///     println!("requests {:?}", call.requests()); // 0..2, then 2..3
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ComposeError::RequestTooLarge`] for the first request that is too large for any call. The calls before the error
/// have all earlier requests, and no call follows. Collect into a `Result<Vec<_>, _>` to get all calls or none.
pub fn compose<'a, I>(
    policy: &Policy,
    api_key: &str,
    requests: I,
) -> impl FusedIterator<Item = Result<ComposedCall, ComposeError>> + use<'a, I>
where
    I: IntoIterator,
    I::Item: Borrow<HttpSendMailRequest<'a>>,
{
    pack(policy, Some(&FieldValue::Text(api_key.into())), requests)
}

/// The end of a body, after the requests.
const TAIL: &str = "]}";

/// Like [`compose`], with a key that may be absent or a number.
pub(super) fn pack<'a, I>(
    policy: &Policy,
    api_key: Option<&FieldValue<'_>>,
    requests: I,
) -> impl FusedIterator<Item = Result<ComposedCall, ComposeError>> + use<'a, I>
where
    I: IntoIterator,
    I::Item: Borrow<HttpSendMailRequest<'a>>,
{
    let head = match api_key {
        Some(key) => alloc::format!(r#"{{"ApiKey":{},"requests":["#, to_json(key)),
        None => String::from(r#"{"requests":["#),
    };
    let (max_requests, max_bytes) = (policy.max_requests(), policy.max_bytes());
    let fits = move |parts: [&str; 4]| {
        let lengths = parts.map(|part| part.len() as u64);
        lengths.into_iter().sum::<u64>() <= max_bytes
    };
    let mut written = requests
        .into_iter()
        .map(move |request| {
            let fields = &request.borrow().fields;
            // A request that is certainly too large is not even written, so that memory stays within a few times the size
            // of a call.
            (fields.least_len() as u64 <= max_bytes).then(|| to_json(fields))
        })
        .peekable();
    let mut next = 0_usize;
    let mut has_failed = false;
    let call = move || {
        let mut body = String::new();
        let mut carried = next..next;
        while !has_failed && (carried.len() as u64) < max_requests {
            let before = if carried.is_empty() { &*head } else { "," };
            match written.peek() {
                Some(Some(request)) if fits([&body, before, request, TAIL]) => {
                    body.push_str(before);
                    body.push_str(request);
                    written.next();
                    carried.end += 1;
                }
                Some(_) if carried.is_empty() => {
                    has_failed = true;
                    let request = next;
                    return Some(Err(ComposeError::RequestTooLarge { request, max_bytes }));
                }
                _ => break,
            }
        }
        if carried.is_empty() {
            return None;
        }
        next = carried.end;
        body.push_str(TAIL);
        let requests = carried;
        Some(Ok(ComposedCall { body, requests }))
    };
    core::iter::from_fn(call).fuse()
}
