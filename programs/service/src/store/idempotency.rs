//! Idempotency keys: the calls that are kept under them, and the keys that calls hold.

use std::fmt;
use std::sync::Arc;

use super::identity::{AccountId, CallId};

/// How long an accepted call is kept under its key.
pub(crate) const KEPT_SECONDS: i64 = 24 * 60 * 60;

/// The value of an `Idempotency-Key` header: 1 to 255 characters. Debug shows nothing.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The longest key, in characters.
    pub const MAX: usize = 255;

    /// Parses a key: 1 to 255 visible ASCII characters and spaces. Returns `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=Self::MAX).contains(&text.len());
        let is_plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        (fits && is_plain).then(|| Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdempotencyKey")
    }
}

/// An accepted call that is kept under its key, so that a repeat gets the same answer.
#[derive(Clone, PartialEq, Eq)]
pub struct Kept {
    /// The call.
    pub call: CallId,
    /// A digest of the operation and the body. The same key with another digest means another call.
    pub digest: [u8; 32],
    /// The answer's body, as it was sent.
    pub answer: String,
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept")
            .field("call", &self.call)
            .finish_non_exhaustive()
    }
}

/// The record of a call that is stored under its key, in the transaction of its plan.
#[derive(Clone, Debug)]
pub struct Record {
    /// The key, held.
    pub hold: Arc<Hold>,
    /// As in [`Kept`].
    pub digest: [u8; 32],
    /// As in [`Kept`]: the answer's body if the call is accepted.
    pub answer: String,
}

/// The result of claiming a key.
#[derive(Debug)]
pub enum Claim {
    /// The key was free. It is held until the last [`Hold`] of it is dropped, or the process ends.
    Held(Arc<Hold>),
    /// A call with this key is running in this process.
    Busy,
    /// A call with this key was accepted.
    Kept(Kept),
}

/// A key that is held. Dropping this releases the key.
pub struct Hold {
    pub(super) account: AccountId,
    pub(super) key: IdempotencyKey,
    pub(super) release: Release,
}

/// The function that releases a key.
pub(super) type Release = Box<dyn Fn(AccountId, &IdempotencyKey) + Send + Sync>;

impl Drop for Hold {
    fn drop(&mut self) {
        (self.release)(self.account, &self.key);
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hold")
            .field("account", &self.account)
            .finish_non_exhaustive()
    }
}
