//! Signed numbers, which only the service can make. In return paths and in links they name a delivery, and hold no address.
//!
//! A token is `1-2a-5f0c…`: the key's id and the numbers in hexadecimal digits, and a truncated HMAC-SHA256 (RFC 2104) of
//! all. Each purpose has keys of its own, so that a token for one purpose is not valid for another.

use std::fmt;

use ring::hmac::{self, HMAC_SHA256, Key};

use crate::hex;
use crate::key_file::KeyFile;

/// The bytes of the HMAC that are in a token.
const TAG_BYTES: usize = 16;

/// The bytes of the HMAC that are in the hash of a text.
const HASH_BYTES: usize = 6;

/// The length of a key, in bytes.
pub const KEY_BYTES: usize = 32;

/// Makes and reads the tokens of one purpose. The newest key signs, and the older ones are still read.
#[derive(Debug)]
pub struct SignedNumbers {
    newest: SigningKey,
    older: Vec<SigningKey>,
}

/// A key that signs. `Debug` shows its id alone.
pub struct SigningKey {
    id: u8,
    key: Key,
}

impl SigningKey {
    /// A key from its id, which is part of what it signs, and its secret bytes.
    #[must_use]
    pub fn new(id: u8, bytes: &[u8; KEY_BYTES]) -> Self {
        let key = Key::new(HMAC_SHA256, bytes);
        Self { id, key }
    }

    fn token(&self, numbers: &[u64]) -> String {
        let numbers = numbers.iter().map(|number| format!("-{number:x}"));
        let shown = format!("{:x}{}", self.id, numbers.collect::<String>());
        let tag = hmac::sign(&self.key, shown.as_bytes());
        let digits = hex::digits(tag.as_ref().iter().take(TAG_BYTES));
        format!("{shown}-{digits}")
    }

    /// A short hash of a text, which reveals nothing about the text without the key.
    fn hash(&self, text: &str) -> u64 {
        // The key signs tokens as well, and no token begins like this.
        let tag = hmac::sign(&self.key, ["text ", text].concat().as_bytes());
        let bytes = tag.as_ref().iter().take(HASH_BYTES);
        bytes.fold(0, |hash, byte| (hash << 8) | u64::from(*byte))
    }

    /// Whether two texts are the same. The time that it takes reveals nothing about where they differ, because their HMACs
    /// are compared.
    fn are_same(&self, expected: &str, found: &str) -> bool {
        let found = hmac::sign(&self.key, found.as_bytes());
        hmac::verify(&self.key, expected.as_bytes(), found.as_ref()).is_ok()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SigningKey({})", self.id)
    }
}

impl SignedNumbers {
    /// Tokens for a purpose, such as `"return path"`, signed by the keys that a key file has for it.
    ///
    /// `None` if the file has no key.
    #[must_use]
    pub fn of(purpose: &str, keys: &KeyFile) -> Option<Self> {
        let mut keys = keys.derived(purpose).into_iter();
        let key = |(id, bytes)| SigningKey::new(id, &bytes);
        Some(Self::new(keys.next().map(key)?, keys.map(key).collect()))
    }

    /// Tokens signed by these keys. Their ids have to differ, and they must not sign anything else.
    #[must_use]
    pub const fn new(newest: SigningKey, older: Vec<SigningKey>) -> Self {
        Self { newest, older }
    }

    /// The token of a number, or of several.
    #[must_use]
    pub fn token<const N: usize>(&self, numbers: [u64; N]) -> String {
        self.newest.token(&numbers)
    }

    /// A short hash of a text, which can be one of the numbers of a token. It reveals nothing about the text.
    #[must_use]
    pub fn hash(&self, text: &str) -> u64 {
        self.newest.hash(text)
    }

    /// The hash of a text by the key that signed a token.
    ///
    /// `None` if the key is not known any more.
    #[must_use]
    pub fn hash_by(&self, token: &str, text: &str) -> Option<u64> {
        Some(self.key(token)?.hash(text))
    }

    /// The key whose id is in a token.
    fn key(&self, token: &str) -> Option<&SigningKey> {
        let id = u8::from_str_radix(token.split('-').next()?, 16).ok()?;
        let mut keys = std::iter::once(&self.newest).chain(&self.older);
        keys.find(|key| key.id == id)
    }

    /// Reads the numbers of a token, whose letters have to be in lower case.
    ///
    /// `None` if it has more or fewer numbers, was changed, or was signed by a key that is not known any more.
    #[must_use]
    pub fn read<const N: usize>(&self, token: &str) -> Option<[u64; N]> {
        let key = self.key(token)?;
        let mut parts = token.split('-').skip(1);
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = u64::from_str_radix(parts.next()?, 16).ok()?;
        }
        // The whole text is compared, so that the same numbers have only one token by each key.
        key.are_same(&key.token(&numbers), token).then_some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_show_a_key() {
        let key = SigningKey::new(1, &[7; KEY_BYTES]);
        assert_eq!(format!("{key:?}"), "SigningKey(1)");
    }
}
