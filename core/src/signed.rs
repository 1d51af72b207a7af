//! Signs and verifies webhooks, as Standard Webhooks 1.0.0 specifies.

mod headers;
mod secret;

use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

pub use headers::{Headers, ID, SIGNATURE, TIMESTAMP};
pub use secret::{Secret, SecretError};

/// Why a webhook is not to be trusted. Each error says what to do, and none holds any part of the webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// No secret was given.
    #[error("there is no secret: give those of the endpoint")]
    NoSecret,
    /// A header is missing or empty.
    #[error("the header {0} is missing: hand over all headers of the request")]
    HeaderMissing(&'static str),
    /// A header is repeated.
    #[error("the header {0} is there more than once: refuse the request")]
    HeaderRepeated(&'static str),
    /// The header `webhook-timestamp` is not a number of seconds.
    #[error("webhook-timestamp is not a whole number of seconds since 1970: refuse the request")]
    TimestampMalformed,
    /// The webhook was sent longer ago than is tolerated.
    #[error(
        "the webhook was sent longer ago than is tolerated: refuse it, and check the clock if all are refused"
    )]
    TooOld,
    /// The webhook comes from further in the future than is tolerated.
    #[error(
        "the webhook was sent later than now: refuse it, and check the clock if all are refused"
    )]
    TooNew,
    /// The header `webhook-signature` has no signature of the kind that a secret makes.
    #[error(
        "webhook-signature has no signature for a secret of this kind: check which secret the endpoint has"
    )]
    NoSignature,
    /// No signature matches.
    #[error(
        "no signature fits: refuse the request; if all are refused, check the secret, and that the body is as it came, byte for byte"
    )]
    Mismatch,
}

/// Why a webhook cannot be signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SignError {
    /// No secret was given.
    #[error("there is no secret: give those of the endpoint")]
    NoSecret,
    /// The id is empty, or it has a full stop or a character that is not visible ASCII.
    #[error("an id is visible ASCII without full stops: give another one")]
    IdMalformed,
    /// A public key can only verify.
    #[error("a public key (whpk_) cannot sign: give the secret key (whsk_)")]
    PublicKey,
}

/// Returns the value of `webhook-signature` for a webhook: one signature for each secret, in order. During a rotation,
/// pass both secrets. `timestamp` is the time of the attempt, in seconds since 1970.
///
/// ```
/// use franking::webhook::{Secret, sign};
/// let secret = Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?;
/// let signature = sign(&[secret], "msg_1", 1_614_265_330, b"{}")?;
/// assert!(signature.starts_with("v1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// - [`SignError::NoSecret`] when `secrets` is empty;
/// - [`SignError::IdMalformed`] when the id is empty, or has a full stop or a character that is not visible ASCII;
/// - [`SignError::PublicKey`] when a secret is a public key.
pub fn sign(
    secrets: &[Secret],
    id: &str,
    timestamp: u64,
    body: &[u8],
) -> Result<String, SignError> {
    if secrets.is_empty() {
        return Err(SignError::NoSecret);
    }
    if id.is_empty()
        || !id
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && byte != b'.')
    {
        return Err(SignError::IdMalformed);
    }
    let mut digits = itoa::Buffer::new();
    let content = content(id, digits.format(timestamp), body);
    let signed = |secret: &Secret| {
        let signature = STANDARD.encode(secret.sign(&content)?);
        Some(alloc::format!("{},{signature}", secret.version()))
    };
    let signatures: Option<Vec<String>> = secrets.iter().map(signed).collect();
    Ok(signatures.ok_or(SignError::PublicKey)?.join(" "))
}

/// Checks that a webhook was signed with one of these secrets, and that it was sent at most `tolerance` seconds before
/// or after `now`. `now` is in seconds since 1970. `body` is the body as received, before it is parsed as JSON.
///
/// Signatures are compared in a time that does not depend on where they differ. A verified webhook may be one that you
/// have received before: compare its `webhook-id`.
///
/// ```
/// use franking::webhook::{Headers, Secret, VerifyError, sign, verify};
/// let secrets = [Secret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")?];
/// let signature = sign(&secrets, "msg_1", 1_614_265_330, b"{}")?;
/// let headers = Headers::read([
///     ("Webhook-Id", "msg_1"),
///     ("Webhook-Timestamp", "1614265330"),
///     ("Webhook-Signature", &signature),
/// ])?;
/// assert_eq!(verify(&secrets, &headers, b"{}", 1_614_265_400, 300), Ok(()));
/// assert_eq!(verify(&secrets, &headers, b"{ }", 1_614_265_400, 300), Err(VerifyError::Mismatch));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the webhook is not to be trusted:
/// - [`VerifyError::NoSecret`] when `secrets` is empty;
/// - [`VerifyError::TimestampMalformed`] when its time is not a number of seconds;
/// - [`VerifyError::TooOld`] or [`VerifyError::TooNew`] when its time is more than `tolerance` seconds before or after `now`;
/// - [`VerifyError::NoSignature`] when it has no signature of the kind that one of the secrets makes;
/// - [`VerifyError::Mismatch`] when no signature was made with one of the secrets.
pub fn verify(
    secrets: &[Secret],
    headers: &Headers<'_>,
    body: &[u8],
    now: u64,
    tolerance: u64,
) -> Result<(), VerifyError> {
    if secrets.is_empty() {
        return Err(VerifyError::NoSecret);
    }
    let sent = headers.seconds()?;
    if now.abs_diff(sent) > tolerance {
        return Err(if sent < now {
            VerifyError::TooOld
        } else {
            VerifyError::TooNew
        });
    }
    // The signature covers the text of the header, not the number.
    let content = content(headers.id(), headers.timestamp, body);
    let mut error = VerifyError::NoSignature;
    for secret in secrets {
        let signatures = headers.signatures(secret.version());
        let signatures: Vec<Vec<u8>> = signatures
            .filter_map(|signature| STANDARD.decode(signature).ok())
            .collect();
        if signatures.is_empty() {
            continue;
        }
        if secret.has_signed(&content, &signatures) {
            return Ok(());
        }
        error = VerifyError::Mismatch;
    }
    Err(error)
}

/// The bytes that are signed: id, timestamp and body, joined by full stops.
fn content(id: &str, timestamp: &str, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), timestamp.as_bytes(), body].join(&b'.')
}
