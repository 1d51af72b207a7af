//! Return paths that say which email a report is about (variable envelope return paths, VERP). They are signed, so that
//! nobody can make one for an email that the service did not send.
//!
//! A return path is `b1-2a-5f0c…@bounces.example.com`: a `b` and the signed number of the delivery. It holds no address of
//! a person. The part before the `@` has at most 53 of the 64 bytes that RFC 5321 allows.

use super::signed::{SignedNumbers, SigningKey};
use crate::key_file::KeyFile;
use crate::store::Domain;

/// Makes and reads the return paths of one domain.
#[derive(Debug)]
pub struct ReturnPaths {
    domain: Domain,
    numbers: SignedNumbers,
}

impl ReturnPaths {
    /// The return paths of a domain, signed by the keys that a key file has for them.
    ///
    /// `None` if the file has no key.
    #[must_use]
    pub fn of(domain: Domain, keys: &KeyFile) -> Option<Self> {
        let numbers = SignedNumbers::of("return path", keys)?;
        Some(Self { domain, numbers })
    }

    /// The return paths of a domain whose mail comes back to the service. The newest key signs, and the older ones are still
    /// read. Their ids differ.
    #[must_use]
    pub const fn new(domain: Domain, newest: SigningKey, older: Vec<SigningKey>) -> Self {
        let numbers = SignedNumbers::new(newest, older);
        Self { domain, numbers }
    }

    /// The envelope's sender for a delivery.
    #[must_use]
    pub fn address(&self, delivery: u64) -> String {
        let token = self.numbers.token([delivery]);
        format!("b{token}@{}", self.domain.as_str())
    }

    /// The domain of the return paths.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.domain.as_str()
    }

    /// Whether an address has the domain of the return paths. An address of that domain that `read` does not accept was not
    /// made by the service.
    #[must_use]
    pub fn has_domain(&self, address: &str) -> bool {
        let (_, domain) = address.rsplit_once('@').unwrap_or_default();
        domain.eq_ignore_ascii_case(self.domain.as_str())
    }

    /// The delivery whose return path an address is, in any case of its letters, which mail servers may change.
    ///
    /// `None` if it is another address, was changed, or was signed by a key that is not known any more.
    #[must_use]
    pub fn read(&self, address: &str) -> Option<u64> {
        let address = address.to_ascii_lowercase();
        let (local_part, domain) = address.rsplit_once('@')?;
        if domain != self.domain.as_str() {
            return None;
        }
        let [delivery] = self.numbers.read(local_part.strip_prefix('b')?)?;
        Some(delivery)
    }
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;
    use crate::outcomes::KEY_BYTES;

    const DOMAIN: &str = "bounces.example.com";

    fn key(id: u8, byte: u8) -> SigningKey {
        SigningKey::new(id, &[byte; KEY_BYTES])
    }

    fn paths(newest: SigningKey, older: Vec<SigningKey>) -> ReturnPaths {
        ReturnPaths::new(Domain::parse(DOMAIN).unwrap(), newest, older)
    }

    #[test]
    fn a_return_path_says_which_delivery_it_is_of() {
        let paths = paths(key(1, 7), Vec::new());
        for delivery in [0, 1, 42, (1 << 53) - 1, u64::MAX] {
            let address = paths.address(delivery);
            assert_eq!(paths.read(&address), Some(delivery), "{address}");
            assert_eq!(paths.read(&address.to_ascii_uppercase()), Some(delivery));
        }
    }

    #[test]
    fn the_part_before_the_at_sign_is_as_short_as_mail_servers_demand() {
        let address = paths(key(u8::MAX, 7), Vec::new()).address(u64::MAX);
        let (local_part, domain) = address.split_once('@').unwrap();
        assert!(local_part.len() <= 64, "{local_part}");
        assert_eq!(domain, DOMAIN);
    }

    #[test]
    fn a_return_path_with_any_character_changed_removed_or_added_is_not_one() {
        let paths = paths(key(1, 7), vec![key(2, 8)]);
        let address = paths.address(42);
        for (at, old) in address.char_indices() {
            let (before, rest) = address.split_at(at);
            let after = rest.strip_prefix(old).unwrap();
            assert_eq!(paths.read(&format!("{before}{after}")), None, "{at}");
            for new in ['0', '1', '2', 'a', '-', '+', '@', 'é'] {
                assert_eq!(
                    paths.read(&format!("{before}{new}{rest}")),
                    None,
                    "{at} {new}"
                );
                if new != old {
                    assert_eq!(
                        paths.read(&format!("{before}{new}{after}")),
                        None,
                        "{at} {new}"
                    );
                }
            }
        }
        for other in [
            "",
            "@",
            "b@",
            "b-",
            "b1-2a@bounces.example.com",
            "reader@example.org",
        ] {
            assert_eq!(paths.read(other), None, "{other}");
        }
    }

    #[test]
    fn a_return_path_of_another_key_or_domain_is_not_one() {
        let made = paths(key(1, 7), Vec::new());
        assert_eq!(made.read(&paths(key(1, 8), Vec::new()).address(42)), None);
        let address = made.address(42).replace(DOMAIN, "bounces.example.org");
        assert_eq!(made.read(&address), None);
        assert!(!made.has_domain(&address) && !made.has_domain(DOMAIN));
        assert!(made.has_domain("anybody@BOUNCES.example.com"));
    }

    #[test]
    fn after_a_rotation_the_key_before_is_read_until_it_goes() {
        let address = paths(key(1, 7), Vec::new()).address(42);
        assert_eq!(paths(key(2, 8), vec![key(1, 7)]).read(&address), Some(42));
        assert_eq!(paths(key(3, 9), vec![key(2, 8)]).read(&address), None);
    }
}
