//! The HTTP response of a host to a call.

use alloc::string::String;

use crate::code::Code;
use crate::debug::debug_shows;
use crate::decision::Decision;
use crate::ending::Failure;
use crate::operation::{HTTP_SEND_MAIL_DEPRECATION, Operation};
use crate::policy::Policy;
use crate::transport::too_large;
use crate::wire::answer::{is_transaction_id, write};
use crate::word::words;

/// The outcome of a call that has no [`Decision`]. For a call that has one, use [`Decision::http`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The call is accepted with this transaction id, 1 to 2^53-1. It is for a host that stores the answer in the same
    /// transaction that carries the plan out, before the call itself is answered. Any other id is answered like
    /// [`Outcome::Unknown`].
    Accepted {
        /// The number that the host generated to identify the call.
        transaction_id: u64,
    },
    /// The body is longer than the host reads. The interface limits the body of httpSendMail (section 8), so there the
    /// answer is code 454, or 401 when the operation is retired. It does not limit sendMailer, so there the answer is HTTP
    /// status 413.
    TooLarge,
    /// The call was not decided, and nothing was carried out: a look-up failed, or the host is overloaded. The same call
    /// can be sent again.
    Undone,
    /// The host's program or the library has a bug, and no plan was handed out. Sending the call again does not help.
    Fault,
    /// A plan was handed out, and nobody knows whether it was carried out. Sending the call again could send every email
    /// twice.
    Unknown,
}

words! {
    pub(crate) const OUTCOMES: HttpOutcome "What became of a call that has no decision."
    1 Accepted "accepted" "The call is accepted under a transaction id: for a host that stores the answer with the plan, before the call is answered."
    2 TooLarge "too-large" "The body is longer than the host reads."
    3 Undone "undone" "Nothing was carried out: a look-up failed, or the host has too much to do. The same call can be sent again."
    4 Fault "fault" "A program is wrong, the host's or the library, and no plan was handed out."
    5 Unknown "unknown" "A plan was handed out, and it is not known whether it was carried out."
}

/// The answer to an HTTP request that called an operation. Debug shows the status only.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The HTTP status: 200 whenever the call has a code (interface, section 4), else 413, 500 or 503.
    pub status: u16,
    /// The name and the value of each header to set.
    pub headers: &'static [(&'static str, &'static str)],
    /// The body: the response of the interface (section 2.6) when the status is 200, else empty.
    pub body: String,
}

debug_shows!(Answer { status });

/// The answer to a call that has no decision.
///
/// ```
/// use franking::{Operation, Policy, http};
/// let answer = http::answer(&Policy::default(), Operation::SendMailer, http::Outcome::Undone);
/// assert_eq!((answer.status, answer.headers), (503, [("Retry-After", "5")].as_slice()));
/// ```
#[must_use]
pub fn answer(policy: &Policy, operation: Operation, outcome: Outcome) -> Answer {
    let decided = |code, id| Kind::Decided(write(policy, operation, code, None, id));
    let kind = match outcome {
        Outcome::Accepted { transaction_id } if is_transaction_id(transaction_id) => {
            decided(Code::SUCCESS, Some(transaction_id))
        }
        Outcome::Accepted { .. } | Outcome::Unknown => Kind::Unknown,
        Outcome::TooLarge => match too_large(policy, operation).code(operation) {
            Some(code) => decided(code, None),
            None => Kind::TooLarge,
        },
        Outcome::Undone => Kind::Undone,
        Outcome::Fault => Kind::Fault,
    };
    kind.answer(operation)
}

impl Decision<'_> {
    /// The HTTP response to the call: status 200 with [`Decision::response`] when there is a code, else a status that
    /// depends on [`Decision::failure`].
    ///
    /// - [`Failure::Host`]: 503 with `Retry-After`, because the host rolled everything back.
    /// - [`Failure::Unknown`] and [`Failure::Misuse`]: 503 without `Retry-After`, because sending the call again could send
    ///   every email twice.
    /// - [`Failure::Internal`]: 500; no plan was handed out.
    ///
    /// On httpSendMail every answer has the headers `Sunset` (RFC 8594) and `Deprecation` (RFC 9745).
    #[must_use]
    pub fn http(&self) -> Answer {
        let kind = match self.failure() {
            Some(Failure::Host) => Kind::Undone,
            Some(Failure::Misuse | Failure::Unknown) => Kind::Unknown,
            Some(Failure::Internal) => Kind::Fault,
            None => self.response().map_or(Kind::Fault, Kind::Decided),
        };
        kind.answer(self.operation())
    }
}

/// The kind of an answer, which determines its status and headers.
enum Kind {
    Decided(String),
    TooLarge,
    Undone,
    Fault,
    Unknown,
}

/// The name and the value of a header.
type Header = (&'static str, &'static str);

const CONTENT_TYPE: Header = ("Content-Type", "application/json");
/// The value is in seconds.
const RETRY_AFTER: Header = ("Retry-After", "5");
const SUNSET: Header = ("Sunset", HTTP_SEND_MAIL_DEPRECATION.sunset);
const DEPRECATION: Header = ("Deprecation", HTTP_SEND_MAIL_DEPRECATION.deprecation);

impl Kind {
    fn answer(self, operation: Operation) -> Answer {
        let headers: &'static [Header] = match (operation, &self) {
            (Operation::SendMailer, Self::Decided(_)) => const { &[CONTENT_TYPE] },
            (Operation::SendMailer, Self::Undone) => const { &[RETRY_AFTER] },
            (Operation::SendMailer, _) => &[],
            (Operation::HttpSendMail, Self::Decided(_)) => {
                const { &[CONTENT_TYPE, SUNSET, DEPRECATION] }
            }
            (Operation::HttpSendMail, Self::Undone) => {
                const { &[RETRY_AFTER, SUNSET, DEPRECATION] }
            }
            (Operation::HttpSendMail, _) => const { &[SUNSET, DEPRECATION] },
        };
        let (status, body) = match self {
            Self::Decided(body) => (200, body),
            Self::TooLarge => (413, String::new()),
            Self::Fault => (500, String::new()),
            Self::Undone | Self::Unknown => (503, String::new()),
        };
        Answer {
            status,
            headers,
            body,
        }
    }
}
