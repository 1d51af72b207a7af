//! DKIM signatures (RFC 6376, RFC 8463): relaxed canonical form, SHA-256, RSA or Ed25519.
//!
//! The body needs no canonicalization: the composer writes it without white space at the end of a line or after other white
//! space, and with one CR LF at its end.
//!
//! The signatures are made with ring, which is a dependency already because of TLS. The libraries for DKIM take RSA from a
//! crate whose private-key operations leak through their timing, or they need a C toolchain.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::pki_types::alg_id::RSA_ENCRYPTION;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::sign::public_key_to_spki;

use super::MailSettingsError;

/// The key that signs the emails of a sender domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DkimKey {
    /// The sender domain, which has to be exactly the domain of the sender address.
    pub domain: String,
    /// The selector: the public key is the TXT record of `<selector>._domainkey.<domain>`.
    pub selector: String,
    /// A PEM file with the private key: RSA with at least 2048 bits, or Ed25519.
    pub key: PathBuf,
}

/// The keys, by domain.
#[derive(Debug)]
pub(super) struct Signers(BTreeMap<String, Signer>);

struct Signer {
    selector: String,
    key: Key,
}

enum Key {
    Rsa(RsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// Signing with a key failed.
#[derive(Debug)]
pub(super) struct SignError;

/// The fields that are signed if they are present. Absent fields are named as well, so that nobody can add them.
const SIGNED: [&str; 12] = [
    "From",
    "Reply-To",
    "To",
    "Cc",
    "Subject",
    "Date",
    "Message-ID",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// A sender domain whose emails are signed.
#[derive(Debug)]
pub(crate) struct SignedDomain {
    /// The domain.
    pub(crate) domain: String,
    /// The selector.
    pub(crate) selector: String,
    /// The algorithm, by its name in a signature.
    pub(crate) algorithm: &'static str,
    /// The text of the TXT record.
    pub(crate) text: String,
}

/// The sender domains whose emails are signed by these keys.
///
/// # Errors
/// A key cannot be read, or is not valid.
pub(crate) fn signed_domains(keys: &[DkimKey]) -> Result<Vec<SignedDomain>, MailSettingsError> {
    let signers = Signers::open(keys)?.0.into_iter();
    let signed = signers.map(|(domain, Signer { selector, key })| SignedDomain {
        domain,
        selector,
        algorithm: key.algorithm(),
        text: key.text(),
    });
    Ok(signed.collect())
}

impl Signers {
    pub(super) fn open(keys: &[DkimKey]) -> Result<Self, MailSettingsError> {
        let mut signers = BTreeMap::new();
        for key in keys {
            let domain = franking::domain::parse(&key.domain)
                .map_err(|error| MailSettingsError::new("dkim", error.to_string()))?;
            let is_label =
                |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
            if key.selector.is_empty()
                || key.selector.len() > 63
                || !key.selector.bytes().all(is_label)
            {
                let reason = "a selector has at most 63 characters: letters, digits, dots, hyphens and underscores";
                return Err(MailSettingsError::new("dkim", reason));
            }
            let signer = Signer {
                selector: key.selector.clone(),
                key: Key::open(&key.key)?,
            };
            if signers.insert(domain.into_owned(), signer).is_some() {
                return Err(MailSettingsError::new(
                    "dkim",
                    "a domain can have only one key: remove the other table of this domain",
                ));
            }
        }
        Ok(Self(signers))
    }

    /// Returns the header field with the signature, or an empty text for a domain without a key. `head` is the header
    /// fields, and `body` is everything after the empty line.
    pub(super) fn sign(
        &self,
        domain: &str,
        time: i64,
        head: &str,
        body: &str,
    ) -> Result<String, SignError> {
        let Some(Signer { selector, key }) = self.0.get(domain) else {
            return Ok(String::new());
        };
        let fields = fields(head);
        // Verifiers take the fields of one name from the last to the first. Each name is listed once for its field and once
        // more, so that a field that somebody adds breaks the signature.
        let mut names = Vec::new();
        let mut signed = String::new();
        for name in SIGNED {
            if let Some((_, field)) = fields.iter().find(|(known, _)| *known == name) {
                names.push(name);
                relax(field, &mut signed);
                signed.push_str("\r\n");
            }
            names.push(name);
        }
        let algorithm = key.algorithm();
        let names = names.join(":\r\n ");
        let hash = STANDARD.encode(Sha256::digest(body.as_bytes()));
        let field = format!(
            "DKIM-Signature: v=1; a={algorithm}; c=relaxed/relaxed; d={domain};\r\n s={selector}; t={time};\r\n h={names};\r\n bh={hash};\r\n b="
        );
        relax(&field, &mut signed);
        let signature = STANDARD.encode(key.sign(signed.as_bytes())?);
        let mut whole = field;
        for (place, c) in signature.chars().enumerate() {
            if place % 72 == 0 {
                whole.push_str("\r\n ");
            }
            whole.push(c);
        }
        whole.push_str("\r\n");
        Ok(whole)
    }
}

impl Key {
    fn open(path: &Path) -> Result<Self, MailSettingsError> {
        let refuse = |reason: &dyn fmt::Display| {
            MailSettingsError::new("dkim", format!("{}: {reason}", path.display()))
        };
        let der = PrivateKeyDer::from_pem_file(path).map_err(|error| refuse(&error))?;
        match &der {
            PrivateKeyDer::Pkcs1(der) => {
                RsaKeyPair::from_der(der.secret_pkcs1_der()).map(Self::Rsa)
            }
            PrivateKeyDer::Pkcs8(der) => {
                let der = der.secret_pkcs8_der();
                // OpenSSL writes Ed25519 keys without the public half. This function computes it.
                Ed25519KeyPair::from_pkcs8_maybe_unchecked(der)
                    .map(Self::Ed25519)
                    .or_else(|_| RsaKeyPair::from_pkcs8(der).map(Self::Rsa))
            }
            _ => return Err(refuse(&"expected an RSA or Ed25519 key")),
        }
        .map_err(|error| refuse(&error))
    }

    const fn algorithm(&self) -> &'static str {
        match self {
            Self::Rsa(_) => "rsa-sha256",
            Self::Ed25519(_) => "ed25519-sha256",
        }
    }

    /// The text of the TXT record with the public key.
    fn text(&self) -> String {
        let (kind, public) = match self {
            // With the algorithm's identifier, as verifiers expect it (RFC 6376, erratum 3017).
            Self::Rsa(key) => {
                let key = public_key_to_spki(&RSA_ENCRYPTION, key.public());
                ("rsa", STANDARD.encode(key))
            }
            // The bare key (RFC 8463).
            Self::Ed25519(key) => ("ed25519", STANDARD.encode(key.public_key())),
        };
        format!("v=DKIM1; k={kind}; p={public}")
    }

    fn sign(&self, bytes: &[u8]) -> Result<Vec<u8>, SignError> {
        match self {
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(
                    &RSA_PKCS1_SHA256,
                    &SystemRandom::new(),
                    bytes,
                    &mut signature,
                )
                .map_err(|_| SignError)?;
                Ok(signature)
            }
            // RFC 8463: Ed25519 signs the hash.
            Self::Ed25519(key) => Ok(key.sign(&Sha256::digest(bytes)).as_ref().to_vec()),
        }
    }
}

/// Splits a head into its fields, each with its name. A folded field is one field.
fn fields(head: &str) -> Vec<(&str, &str)> {
    let mut fields = Vec::new();
    let mut start = 0;
    for (end, _) in head.match_indices("\r\n") {
        let after = end.saturating_add(2);
        let folds = head.get(after..).is_some_and(|rest| rest.starts_with(' '));
        if folds {
            continue;
        }
        let field = head.get(start..end).unwrap_or_default();
        if let Some((name, _)) = field.split_once(':') {
            fields.push((name, field));
        }
        start = after;
    }
    fields
}

/// The relaxed canonical form of a field (RFC 6376 3.4.2), without its CR LF.
fn relax(field: &str, out: &mut String) {
    let (name, value) = field.split_once(':').unwrap_or((field, ""));
    out.push_str(&name.to_ascii_lowercase());
    out.push(':');
    let words = value
        .split([' ', '\t', '\r', '\n'])
        .filter(|word| !word.is_empty());
    for (place, word) in words.enumerate() {
        if place > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer")
            .field("selector", &self.selector)
            .finish_non_exhaustive()
    }
}
