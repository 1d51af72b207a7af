//! Secrets and keys of an endpoint.

#[cfg(feature = "webhook-v1a")]
use alloc::boxed::Box;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
#[cfg(feature = "webhook-v1a")]
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::debug::debug_shows;

/// The lengths that a shared secret can have, in bytes.
const LENGTHS: core::ops::RangeInclusive<usize> = 24..=64;

/// A secret or key with which an endpoint's webhooks are signed or verified. Debug does not show it.
#[derive(Clone)]
pub struct Secret(Kind);

#[derive(Clone)]
enum Kind {
    /// Both sides have it.
    Shared(Hmac<Sha256>),
    #[cfg(feature = "webhook-v1a")]
    Signing(Box<SigningKey>),
    #[cfg(feature = "webhook-v1a")]
    Verifying(Box<VerifyingKey>),
}

/// Why a text is not a secret. No error holds any part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The text does not begin with the prefix of a secret.
    #[error(
        "a secret begins with whsec_, whsk_ or whpk_: give it as it was shown, with its beginning"
    )]
    Prefix,
    /// What follows the prefix is not base64.
    #[error(
        "what follows the beginning of a secret is base64: give it as it was shown, to its end"
    )]
    Base64,
    /// The secret is too short or too long.
    #[error(
        "a shared secret has 24 to 64 bytes, a key 32, and a secret key 32 or, with its public key, 64: give it as it was shown"
    )]
    Length,
    /// The bytes are not a key, or the secret key and the public key in them do not belong together.
    #[error("these bytes are not an Ed25519 key: give it as it was shown")]
    Key,
    /// The library is built without keys.
    #[error(
        "keys (whsk_, whpk_) need the feature webhook-v1a of franking: turn it on, or use a shared secret (whsec_)"
    )]
    WithoutKeys,
}

impl Secret {
    /// Reads a secret in the form in which it is shown, a prefix and bytes in base64:
    /// - `whsec_` and a shared secret of 24 to 64 bytes;
    /// - `whsk_` and a secret Ed25519 key, of 32 bytes or, with its public key, of 64;
    /// - `whpk_` and a public Ed25519 key of 32 bytes.
    ///
    /// # Errors
    /// - [`SecretError::Prefix`] when the text does not begin with one of these prefixes;
    /// - [`SecretError::Base64`] when what follows is not base64;
    /// - [`SecretError::Length`] when the secret or key has another number of bytes;
    /// - [`SecretError::Key`] when the bytes are not a key;
    /// - [`SecretError::WithoutKeys`] for a key, when the library is built without keys.
    pub fn parse(text: &str) -> Result<Self, SecretError> {
        let (prefix, encoded) = text.split_once('_').ok_or(SecretError::Prefix)?;
        let decoded = || STANDARD.decode(encoded).map_err(|_| SecretError::Base64);
        match prefix {
            "whsec" => Self::shared(&decoded()?),
            "whsk" => Self::signing(&decoded()?),
            "whpk" => Self::verifying(&decoded()?),
            _ => Err(SecretError::Prefix),
        }
    }

    fn shared(bytes: &[u8]) -> Result<Self, SecretError> {
        if !LENGTHS.contains(&bytes.len()) {
            return Err(SecretError::Length);
        }
        let mac = Hmac::new_from_slice(bytes).map_err(|_| SecretError::Length)?;
        Ok(Self(Kind::Shared(mac)))
    }

    #[cfg(feature = "webhook-v1a")]
    fn signing(bytes: &[u8]) -> Result<Self, SecretError> {
        let key = match (<&[u8; 32]>::try_from(bytes), <&[u8; 64]>::try_from(bytes)) {
            (Ok(secret), _) => SigningKey::from_bytes(secret),
            (_, Ok(pair)) => SigningKey::from_keypair_bytes(pair).map_err(|_| SecretError::Key)?,
            _ => return Err(SecretError::Length),
        };
        Ok(Self(Kind::Signing(Box::new(key))))
    }

    #[cfg(feature = "webhook-v1a")]
    fn verifying(bytes: &[u8]) -> Result<Self, SecretError> {
        let bytes = bytes.try_into().map_err(|_| SecretError::Length)?;
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| SecretError::Key)?;
        Ok(Self(Kind::Verifying(Box::new(key))))
    }

    #[cfg(not(feature = "webhook-v1a"))]
    const fn signing(_: &[u8]) -> Result<Self, SecretError> {
        Err(SecretError::WithoutKeys)
    }

    #[cfg(not(feature = "webhook-v1a"))]
    const fn verifying(_: &[u8]) -> Result<Self, SecretError> {
        Err(SecretError::WithoutKeys)
    }

    /// The version of its signatures.
    pub(super) const fn version(&self) -> &'static str {
        match self.0 {
            Kind::Shared(_) => "v1",
            #[cfg(feature = "webhook-v1a")]
            Kind::Signing(_) | Kind::Verifying(_) => "v1a",
        }
    }

    /// The signature; `None` when it is a public key.
    pub(super) fn sign(&self, content: &[u8]) -> Option<Vec<u8>> {
        match &self.0 {
            Kind::Shared(mac) => {
                let signature = mac.clone().chain_update(content).finalize();
                Some(signature.into_bytes().to_vec())
            }
            #[cfg(feature = "webhook-v1a")]
            Kind::Signing(key) => Some(key.sign(content).to_bytes().to_vec()),
            #[cfg(feature = "webhook-v1a")]
            Kind::Verifying(_) => None,
        }
    }

    /// Whether one of the signatures was made with this secret or, for a public key, with its secret key.
    pub(super) fn has_signed(&self, content: &[u8], signatures: &[Vec<u8>]) -> bool {
        match &self.0 {
            Kind::Shared(mac) => {
                let mac = mac.clone().chain_update(content);
                let mut signatures = signatures.iter();
                // `verify_slice` compares in constant time.
                signatures.any(|signature| mac.clone().verify_slice(signature).is_ok())
            }
            #[cfg(feature = "webhook-v1a")]
            Kind::Signing(key) => is_by(&key.verifying_key(), content, signatures),
            #[cfg(feature = "webhook-v1a")]
            Kind::Verifying(key) => is_by(key, content, signatures),
        }
    }
}

#[cfg(feature = "webhook-v1a")]
fn is_by(key: &VerifyingKey, content: &[u8], signatures: &[Vec<u8>]) -> bool {
    signatures.iter().any(|signature| {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| key.verify_strict(content, &signature).is_ok())
    })
}

debug_shows!(Secret {});
