//! Requests into calls: as many as fit, in order, which makes the fewest calls that keep the order.

use alloc::string::String;
use core::borrow::Borrow;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use super::error::ComposeError;
use super::fields::FieldValue;
use super::request::HttpSendMailRequest;
use crate::policy::Policy;
use crate::written::to_json;

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

    /// The body to post, without copying it.
    #[must_use]
    pub fn into_body(self) -> String {
        self.body
    }

    /// Which of the requests given the call carries: the first, and the one after the last.
    ///
    /// An answer or a preflight of the call counts from the call's own first request.
    #[must_use]
    pub fn requests(&self) -> Range<usize> {
        self.requests.clone()
    }
}

impl fmt::Debug for ComposedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ComposedCall")
            .field("bytes", &self.body.len())
            .field("requests", &self.requests)
            .finish()
    }
}

/// Packs any number of requests, in order, into the fewest calls of httpSendMail that the policy's `max_requests` and
/// `max_bytes` allow (interface, section 8: 1000 requests and 32 MB).
///
/// Calls are composed as they are asked for: no more than one call and one request is held at a time. Without requests
/// there is no call. The policy is to be the service's: the default one is the interface's.
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
/// [`ComposeError::RequestTooLarge`] for the first request that fits in no call. All requests before it stand in the
/// calls before; none comes after. Collect into a `Result<Vec<_>, _>` to have all calls or none.
pub fn compose<'a, I>(
    policy: &Policy,
    api_key: &str,
    requests: I,
) -> impl FusedIterator<Item = Result<ComposedCall, ComposeError>> + use<'a, I>
where
    I: IntoIterator,
    I::Item: Borrow<HttpSendMailRequest<'a>>,
{
    Packing::new(policy, Some(&FieldValue::from(api_key)), requests)
}

/// A request as it stands in a body, or nothing when it is larger than any call may be.
type WrittenRequest = Option<String>;

pub(super) struct Packing<'a, I> {
    /// What stands before the requests.
    head: String,
    max_requests: u64,
    max_bytes: u64,
    requests: I,
    /// The position of the next request to write.
    next: usize,
    /// The request before that one, when the last call had no room for it.
    carried: Option<WrittenRequest>,
    has_ended: bool,
    lifetime: PhantomData<&'a ()>,
}

/// What stands after the requests.
const TAIL: &str = "]}";

impl<'a, I> Packing<'a, I>
where
    I: Iterator,
    I::Item: Borrow<HttpSendMailRequest<'a>>,
{
    pub(super) fn new(
        policy: &Policy,
        api_key: Option<&FieldValue<'_>>,
        requests: impl IntoIterator<IntoIter = I>,
    ) -> Self {
        let head = match api_key {
            Some(key) => alloc::format!(r#"{{"ApiKey":{},"requests":["#, to_json(key)),
            None => String::from(r#"{"requests":["#),
        };
        Self {
            head,
            max_requests: policy.max_requests(),
            max_bytes: policy.max_bytes(),
            requests: requests.into_iter(),
            next: 0,
            carried: None,
            has_ended: false,
            lifetime: PhantomData,
        }
    }

    /// The next request, and its position.
    fn request(&mut self) -> Option<(usize, WrittenRequest)> {
        if let Some(carried) = self.carried.take() {
            return Some((self.next.saturating_sub(1), carried));
        }
        let request = self.requests.next()?;
        let fields = &request.borrow().fields;
        let index = self.next;
        self.next = index.saturating_add(1);
        // Not even written when it is hopeless: what is held stays within a few times the size of a call.
        let is_hopeless = fields.least_len() as u64 > self.max_bytes;
        Some((index, (!is_hopeless).then(|| to_json(&fields.wire()))))
    }

    fn fits(&self, lengths: &[usize]) -> bool {
        let len = lengths
            .iter()
            .fold(0, |sum: u64, len| sum.saturating_add(*len as u64));
        len <= self.max_bytes
    }
}

impl<'a, I> Iterator for Packing<'a, I>
where
    I: Iterator,
    I::Item: Borrow<HttpSendMailRequest<'a>>,
{
    type Item = Result<ComposedCall, ComposeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let mut body = String::new();
        let mut requests = 0..0;
        while (requests.len() as u64) < self.max_requests {
            let Some((index, written)) = self.request() else {
                self.has_ended = true;
                break;
            };
            let before = if requests.is_empty() {
                &*self.head
            } else {
                ","
            };
            let fitting = written.as_ref().filter(|written| {
                self.fits(&[body.len(), before.len(), written.len(), TAIL.len()])
            });
            if let Some(written) = fitting {
                body.push_str(before);
                body.push_str(written);
                requests = if requests.is_empty() {
                    index
                } else {
                    requests.start
                }..index.saturating_add(1);
            } else if requests.is_empty() {
                self.has_ended = true;
                return Some(Err(ComposeError::RequestTooLarge {
                    request: index,
                    max_bytes: self.max_bytes,
                }));
            } else {
                self.carried = Some(written);
                break;
            }
        }
        if requests.is_empty() {
            return None;
        }
        body.push_str(TAIL);
        Some(Ok(ComposedCall { body, requests }))
    }
}

impl<'a, I> FusedIterator for Packing<'a, I>
where
    I: Iterator,
    I::Item: Borrow<HttpSendMailRequest<'a>>,
{
}
