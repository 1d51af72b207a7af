//! Webhooks: signing and verifying.

use franking_core::webhook::{self, Headers, ID, SIGNATURE, Secret, TIMESTAMP};

use crate::error::FrankingError;
use crate::handle::{check_out, put_out, run_alone};
use crate::memory::ask_for_copy;
use crate::status::{Fail, Outcome};
use crate::text::{FrankingBytes, FrankingString, FrankingText, slice};

/// Signs a webhook by Standard Webhooks 1.0.0. *signature is the value of its header webhook-signature, with one signature
/// for each secret. Secrets are texts in the form in which they are shown, whsec_... or whsk_.... During a rotation, pass
/// both secrets. timestamp is the time of the attempt, in seconds since 1970. The string is owned: free it with
/// franking_string_free.
///
/// Fails with FRANKING_STATUS_INVALID when a secret or the id is invalid, or there is no secret, and with
/// FRANKING_STATUS_MEMORY when there is not enough memory for a copy of the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_webhook_sign(
    secrets: *const FrankingText,
    secret_count: usize,
    id: FrankingText,
    timestamp: u64,
    body: FrankingBytes,
    signature: *mut *mut FrankingString,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes that many texts that can be read.
        let secrets = unsafe { read(secrets, secret_count) }?;
        // SAFETY: the caller passes a text that can be read.
        let id = unsafe { id.read("id") }?;
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { body.read("body") }?;
        check_out(signature, "signature")?;
        ask_for_copy(body)?;
        let signed = webhook::sign(&secrets, id, timestamp, body).map_err(Fail::invalid)?;
        // SAFETY: checked above.
        unsafe { put_out(signature, FrankingString::new(signed)?) }
    })
}

/// Checks, by Standard Webhooks 1.0.0, that the sender of a webhook has one of the secrets. Secrets are texts in the form in
/// which they are shown: whsec_..., or whpk_..., the public key. id, timestamp and signature are the values of the headers
/// webhook-id, webhook-timestamp and webhook-signature; pass an empty text for a missing header. body is the body as it
/// came. now is the current time in seconds since 1970. The timestamp of the webhook may differ from it by at most tolerance
/// seconds.
///
/// Fails with FRANKING_STATUS_INVALID when the webhook is not to be trusted or a secret is invalid; the message of the error
/// says why. Fails with FRANKING_STATUS_MEMORY when there is not enough memory for a copy of the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_webhook_verify(
    secrets: *const FrankingText,
    secret_count: usize,
    id: FrankingText,
    timestamp: FrankingText,
    signature: FrankingText,
    body: FrankingBytes,
    now: u64,
    tolerance: u64,
    error: *mut *mut FrankingError,
) -> i32 {
    run_alone(error, || {
        // SAFETY: the caller passes that many texts that can be read.
        let secrets = unsafe { read(secrets, secret_count) }?;
        // SAFETY: the caller passes a text that can be read.
        let id = unsafe { id.read("id") }?;
        // SAFETY: as above.
        let timestamp = unsafe { timestamp.read("timestamp") }?;
        // SAFETY: as above.
        let signature = unsafe { signature.read("signature") }?;
        // SAFETY: the caller passes bytes that can be read.
        let body = unsafe { body.read("body") }?;
        ask_for_copy(body)?;
        let headers = [(ID, id), (TIMESTAMP, timestamp), (SIGNATURE, signature)];
        let headers = Headers::read(headers).map_err(Fail::invalid)?;
        webhook::verify(&secrets, &headers, body, now, tolerance).map_err(Fail::invalid)
    })
}

/// # Safety
/// There are that many texts, and they can be read.
unsafe fn read(secrets: *const FrankingText, count: usize) -> Outcome<Vec<Secret>> {
    // SAFETY: as demanded of the caller.
    let secrets = unsafe { slice(secrets, count, "secrets") }?;
    let secrets = secrets.iter().map(|secret| {
        // SAFETY: as demanded of the caller.
        let secret = unsafe { secret.read("a secret") }?;
        Secret::parse(secret).map_err(Fail::invalid)
    });
    secrets.collect()
}
