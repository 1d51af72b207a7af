//! A call that has met a conflict, on its way through the store.

use franking::Call;

use super::idempotency::{Kept, Record};
use super::identity::{AccountId, CallId, KeyHash};

/// A call that waits for the look-up of its account once more.
#[derive(Debug)]
pub struct Again {
    /// The call, after a conflict.
    pub call: Call<Vec<u8>>,
    /// Whose key it has.
    pub key: KeyHash,
    /// Whose call it was when it was judged first.
    pub account: AccountId,
    /// Whether its plan was a large one.
    pub is_large: bool,
    /// The call's own id in this attempt.
    pub id: CallId,
    /// What to keep under its idempotency key.
    pub record: Option<Record>,
}

/// A call that has had its turn: it is decided.
#[derive(Debug)]
pub struct Turned {
    /// The call with its decision. After a replay it has ended as unknown, and `replayed` is the answer.
    pub call: Call<Vec<u8>>,
    /// The call that was accepted under the same idempotency key meanwhile. Nothing was done then.
    pub replayed: Option<Kept>,
}
