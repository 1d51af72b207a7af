//! What names an account, a key and a call.

use std::fmt;

use franking::MAX_TRANSACTION_ID;
use sha2::{Digest as _, Sha256};

use super::error::{Cause, StoreError};

/// An account, by the number that its database gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(pub(super) i64);

impl AccountId {
    /// The number, for people and for logs.
    #[must_use]
    pub const fn number(self) -> i64 {
        self.0
    }

    /// The account of that number, as a person types it.
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

/// An account and what the library asks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authenticated {
    /// Whose key it is.
    pub id: AccountId,
    /// The account's state and credits.
    pub account: franking::Account,
}

/// The SHA-256 of an API key: all that is stored of one. Debug shows nothing.
///
/// Keys are 256 random bits, so that a hash without salt and stretching gives nothing away.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash(pub(super) [u8; 32]);

impl KeyHash {
    /// Of a key as it was sent.
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

/// A new API key: it is shown once, to whom it is given. Debug shows nothing.
pub struct ApiKey(String);

impl ApiKey {
    /// A key of 256 random bits.
    ///
    /// # Errors
    /// [`StoreError::Failed`] when the operating system has no random numbers.
    pub fn generate() -> Result<Self, StoreError> {
        let mut bytes = [0_u8; 32];
        random(&mut bytes)?;
        let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
        Ok(Self(format!("fk_{}", digits.collect::<String>())))
    }

    /// The key itself, a secret.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    /// What is stored of it.
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

/// A call's own id, its `transactionId`: 1 to 2^53-1.
///
/// It is made before the commit, so that after a lost one the call can be looked for. It is random, so that processes that
/// know nothing of each other do not collide, and it tells nobody how many calls there are. Should two collide after all, the
/// second one's commit is a conflict, and its next attempt has another id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId(pub(super) u64);

impl CallId {
    /// A new id.
    ///
    /// # Errors
    /// [`StoreError::Failed`] when the operating system has no random numbers.
    pub fn random() -> Result<Self, StoreError> {
        loop {
            let mut bytes = [0_u8; 8];
            random(&mut bytes)?;
            if let Some(id) = Self::from_number(u64::from_le_bytes(bytes) & MAX_TRANSACTION_ID) {
                return Ok(id);
            }
        }
    }

    /// The number itself.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }

    /// The id of that number, if it can be one.
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
