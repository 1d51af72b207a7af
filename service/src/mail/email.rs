//! An email that is ready for a transport.

use std::fmt;

/// An email that is ready for a transport. Debug shows the id alone.
#[derive(Clone)]
pub struct Email {
    /// The delivery's number.
    pub(super) id: i64,
    /// The return path of the envelope.
    pub(super) from: String,
    /// The recipient of the envelope.
    pub(super) to: String,
    /// The recipient's domain.
    pub(super) destination: String,
    /// Whether the envelope or a header needs SMTPUTF8 (RFC 6531).
    pub(super) needs_smtputf8: bool,
    /// Headers and body, lines ended by CR LF.
    pub(super) bytes: Vec<u8>,
}

impl Email {
    /// The delivery's number.
    #[must_use]
    pub const fn id(&self) -> i64 {
        self.id
    }

    /// The recipient's domain, in ASCII and lower case: what the limits by destination count by.
    #[must_use]
    pub fn destination(&self) -> &str {
        &self.destination
    }

    /// Headers and body, lines ended by CR LF.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Email")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
