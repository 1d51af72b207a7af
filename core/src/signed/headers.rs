//! The three headers of a webhook.

use super::VerifyError;
use crate::debug::debug_shows;

/// The header with the id of the webhook. It is the same in each attempt to deliver it.
pub const ID: &str = "webhook-id";
/// The header with the time of the attempt, in seconds since 1970.
pub const TIMESTAMP: &str = "webhook-timestamp";
/// The header with the signatures.
pub const SIGNATURE: &str = "webhook-signature";

/// The three headers of a webhook. Debug shows none of their values.
#[derive(Clone, Copy)]
pub struct Headers<'h> {
    id: &'h str,
    pub(super) timestamp: &'h str,
    signature: &'h str,
}

impl<'h> Headers<'h> {
    /// Finds the three headers among those of a request, whatever the case of their names.
    ///
    /// # Errors
    /// [`VerifyError::HeaderMissing`] when a header is missing or empty, [`VerifyError::HeaderRepeated`] when one is
    /// repeated.
    pub fn read<'n>(
        headers: impl IntoIterator<Item = (&'n str, &'h str)>,
    ) -> Result<Self, VerifyError> {
        let mut found = [(ID, None), (TIMESTAMP, None), (SIGNATURE, None)];
        for (given, value) in headers {
            let own = found
                .iter_mut()
                .find(|(name, _)| given.eq_ignore_ascii_case(name));
            if let Some((name, own)) = own
                && own.replace(value).is_some()
            {
                return Err(VerifyError::HeaderRepeated(name));
            }
        }
        let [id, timestamp, signature] = found.map(|(name, value)| {
            let value = value.filter(|value: &&str| !value.is_empty());
            value.ok_or(VerifyError::HeaderMissing(name))
        });
        Ok(Self {
            id: id?,
            timestamp: timestamp?,
            signature: signature?,
        })
    }

    /// The id of the webhook. If you have already handled a webhook with this id, ignore this one.
    #[must_use]
    pub const fn id(&self) -> &'h str {
        self.id
    }

    pub(super) fn seconds(&self) -> Result<u64, VerifyError> {
        // `parse` would also accept a sign.
        let is_digits = self.timestamp.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = self.timestamp.parse().ok().filter(|_| is_digits);
        seconds.ok_or(VerifyError::TimestampMalformed)
    }

    /// The signatures of a version, in base64.
    pub(super) fn signatures(&self, version: &str) -> impl Iterator<Item = &'h str> {
        let signatures = self.signature.split(' ');
        signatures.filter_map(move |one| one.strip_prefix(version)?.strip_prefix(','))
    }
}

debug_shows!(Headers<'_> {});
