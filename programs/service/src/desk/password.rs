//! Passwords of operators, which are stored as hashes by argon2id.

use std::sync::OnceLock;

use argon2::password_hash::SaltString;
use argon2::{Argon2, PasswordHash, PasswordHasher as _, PasswordVerifier as _};

/// The least number of characters of a password.
pub(crate) const LEAST: usize = 12;

/// The hash of a password, as a PHC string with its salt and its costs.
///
/// # Errors
/// The system has no random numbers.
pub(crate) fn hash_of_text(password: &str) -> Result<String, PasswordError> {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(|_| PasswordError)?;
    let salt = SaltString::encode_b64(&salt).map_err(|_| PasswordError)?;
    let hash = Argon2::default().hash_password(password.as_bytes(), &salt);
    Ok(hash.map_err(|_| PasswordError)?.to_string())
}

/// A password cannot be hashed.
#[derive(Debug, thiserror::Error)]
#[error("the password cannot be hashed: the system has no random numbers")]
pub(crate) struct PasswordError;

/// Whether a password is the one that was hashed. Without a hash this takes as long, and returns false.
pub(crate) fn is_right(password: &str, hash: Option<&str>) -> bool {
    // Without this hash, the time of the answer would tell a client which names exist.
    static NOBODY: OnceLock<Option<String>> = OnceLock::new();
    let nobody = NOBODY.get_or_init(|| hash_of_text("nobody's password").ok());
    let Some(compared) = hash.or(nobody.as_deref()) else {
        return false;
    };
    let parsed = PasswordHash::new(compared);
    let is_right = parsed.is_ok_and(|parsed| {
        Argon2::default()
            .verify_password(password.as_bytes(), &parsed)
            .is_ok()
    });
    is_right && hash.is_some()
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn a_password_is_right_for_its_own_hash_alone() {
        let one = hash_of_text("correct horse battery").unwrap();
        assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
        assert_ne!(one, hash_of_text("correct horse battery").unwrap());
        assert!(is_right("correct horse battery", Some(&one)));
        assert!(!is_right("correct horse batterz", Some(&one)));
        assert!(!is_right("correct horse battery", None));
        assert!(!is_right("correct horse battery", Some("not a hash")));
    }
}
