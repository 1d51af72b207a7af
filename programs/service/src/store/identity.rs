//! The identifiers of accounts, keys and calls.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};

use franking::MAX_TRANSACTION_ID;
use sha2::{Digest as _, Sha256};

use super::error::{Cause, StoreError};
use crate::hex;

/// An account, by the number that its database gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(pub(super) i64);

impl AccountId {
    /// The number, for people and for logs.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The account with a number that a person has typed.
    #[must_use]
    pub const fn from_number(number: i64) -> Self {
        Self(number)
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An account, and what the library asks about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authenticated {
    /// The account that the key belongs to.
    pub id: AccountId,
    /// The account's state and credits.
    pub account: franking::Account,
}

/// The SHA-256 of an API key, which is all that is stored of a key. Debug shows nothing.
///
/// Keys are 256 random bits, so a hash without salt and stretching gives nothing away.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub(super) [u8; 32]);

impl KeyHash {
    /// Hashes a key as it was sent.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self(Sha256::digest(key.as_bytes()).into())
    }
}

impl fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyHash")
    }
}

/// A new API key. It is shown once, to its owner. Debug shows nothing.
pub struct ApiKey(String);

impl ApiKey {
    /// A key of 256 random bits.
    ///
    /// # Errors
    /// [`StoreError::Failed`] when the operating system has no random numbers.
    pub fn generate() -> Result<Self, StoreError> {
        let mut bytes = [0_u8; 32];
        random(&mut bytes)?;
        Ok(Self(format!("fk_{}", hex::digits(&bytes))))
    }

    /// The key itself, a secret.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// The hash that is stored.
    #[must_use]
    pub fn hash(&self) -> KeyHash {
        KeyHash::of(&self.0)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey")
    }
}

/// The number of random bits of an id, below its milliseconds.
const RANDOM_BITS: u32 = 12;
const RANDOM: u64 = (1 << RANDOM_BITS) - 1;
/// The largest step from an id to the next one within a millisecond, less 1.
const STEP: u64 = (1 << 8) - 1;
/// The first millisecond of 2024: with it, 41 bits of milliseconds reach to 2093.
const FIRST_MILLISECOND: u64 = 1_704_067_200_000;

/// A call's own id, its `transactionId`: 1 to 2^53-1.
///
/// An id is made before the commit, so that the call can be looked up if the answer to the commit is lost. It consists of
/// the time in milliseconds and of random bits below it. Because of the time, new rows lie beside each other in the
/// database, and a group of calls writes few pages. Because of the random bits, independent processes rarely make the same
/// id, and an id does not tell how many calls there are. If two ids are equal, the second commit is a conflict, and its next
/// attempt has another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId(pub(super) u64);

impl CallId {
    /// A new id, larger than those that this process made before.
    ///
    /// # Errors
    /// [`StoreError::Failed`] when the operating system has no random numbers.
    pub fn random() -> Result<Self, StoreError> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let mut bytes = [0_u8; 8];
        random(&mut bytes)?;
        let random = u64::from_le_bytes(bytes);
        // clock: orders ids; that two differ does not depend on it.
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let milliseconds = now.ok().and_then(|now| {
            u64::try_from(now.as_millis())
                .ok()?
                .checked_sub(FIRST_MILLISECOND)
        });
        let by_time = match milliseconds {
            Some(milliseconds) => (milliseconds << RANDOM_BITS) | (random & RANDOM),
            // A clock that was never set would repeat the ids of the last start.
            None => random & MAX_TRANSACTION_ID,
        };
        let step = (random >> RANDOM_BITS & STEP).saturating_add(1);
        let next = |last: u64| by_time.max(last.saturating_add(step));
        let last = LAST
            .fetch_update(Relaxed, Relaxed, |last| Some(next(last)))
            .unwrap_or_else(|last| last);
        // From 2093 on ids start again.
        Ok(Self(next(last) % MAX_TRANSACTION_ID + 1))
    }

    /// The number itself.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the id with a number, or `None` if no id has the number.
    #[must_use]
    pub const fn from_number(number: u64) -> Option<Self> {
        if 1 <= number && number <= MAX_TRANSACTION_ID {
            Some(Self(number))
        } else {
            None
        }
    }
}

fn random(bytes: &mut [u8]) -> Result<(), StoreError> {
    getrandom::fill(bytes)
        .map_err(|_| StoreError::Failed(Cause::new("asking the system for random numbers")))
}
