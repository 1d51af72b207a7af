//! What came of an attempt to send.

/// What came of an attempt to send an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The transport took it over: Delivered.
    Delivered {
        /// What the server answered.
        answer: Reason,
    },
    /// The recipient or the message was refused for good: Bounced.
    Refused {
        /// Why.
        reason: Reason,
    },
    /// It is to be tried again later.
    Deferred {
        /// Why.
        reason: Reason,
    },
    /// The transport itself is at fault, as with a wrong password or a refused greeting: sending pauses, and nobody bounces.
    TransportFault {
        /// Why.
        reason: Reason,
    },
    /// The connection was lost between the final dot and its answer: the email may have been delivered, and is tried again
    /// with the same Message-ID.
    Unanswered {
        /// Why.
        reason: Reason,
    },
}

/// What is kept and shown of an outcome: a line of text without control characters, in which every email address is masked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
