//! An email that is ready for a transport.

use std::fmt;

use franking::address::Address;

/// An email that is ready for a transport. Debug shows only the id.
#[derive(Clone)]
pub struct Email {
    /// The delivery's number.
    pub(super) id: i64,
    /// When the delivery's call was accepted.
    pub(super) created: i64,
    /// The return path of the envelope.
    pub(super) return_path: Mailbox,
    /// The recipient of the envelope.
    pub(super) to: Mailbox,
    /// Whether the envelope or a header needs SMTPUTF8 (RFC 6531).
    pub(super) needs_smtputf8: bool,
    /// Headers and body, lines ended by CR LF.
    pub(super) bytes: Vec<u8>,
}

/// An address as mail servers accept it: the domain is ASCII, and the local part is a dot-atom (RFC 5321, RFC 6531), so
/// neither has a space, a control character or a bracket.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Mailbox {
    pub(super) address: String,
    pub(super) domain: String,
}

impl Email {
    /// The delivery's number.
    #[must_use]
    pub const fn id(&self) -> i64 {
        self.id
    }

    /// The recipient's domain, in ASCII and lower case. The limits by destination count by it.
    #[must_use]
    pub fn destination(&self) -> &str {
        &self.to.domain
    }

    /// Headers and body, lines ended by CR LF.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Mailbox {
    /// Parses an address. Returns `None` if it is not valid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let address = franking::address::parse(text).ok()?;
        Some(Self::of(&address))
    }

    fn of(address: &Address<'_>) -> Self {
        let domain = address.domain().into_owned();
        Self {
            address: format!("{}@{domain}", address.local_part()),
            domain,
        }
    }
}

impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Email")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mailbox")
    }
}
