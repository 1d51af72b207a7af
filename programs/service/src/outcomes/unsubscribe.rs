//! The links by which readers unsubscribe (RFC 2369, RFC 8058). They name a delivery by a signed number, and hold no
//! address.

use super::signed::SignedNumbers;
use crate::key_file::KeyFile;
use crate::settings::BaseUrl;

/// The path of the service below which the links are.
pub const UNSUBSCRIBE: &str = "/unsubscribe/";

/// Makes and reads the links by which readers unsubscribe.
#[derive(Debug)]
pub struct UnsubscribeLinks {
    base: BaseUrl,
    numbers: SignedNumbers,
}

impl UnsubscribeLinks {
    /// Links below a URL, signed by the keys that a key file has for them.
    ///
    /// `None` if the file has no key.
    #[must_use]
    pub fn of(base: BaseUrl, keys: &KeyFile) -> Option<Self> {
        let numbers = SignedNumbers::of("unsubscribe", keys)?;
        Some(Self::new(base, numbers))
    }

    /// Links below a URL, with tokens of `numbers`, which must not be used for anything else.
    #[must_use]
    pub const fn new(base: BaseUrl, numbers: SignedNumbers) -> Self {
        Self { base, numbers }
    }

    /// The link in the email of a delivery. It stays the same as long as the newest key does.
    #[must_use]
    pub fn url(&self, delivery: u64) -> String {
        let token = self.numbers.token([delivery]);
        [self.base.as_str(), UNSUBSCRIBE, &token].concat()
    }

    /// The delivery that the last part of a link's path names.
    ///
    /// `None` if it was not made by the service, was changed, or was signed by a key that is not known any more.
    #[must_use]
    pub fn read(&self, token: &str) -> Option<u64> {
        let [delivery] = self.numbers.read(token)?;
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
    use crate::outcomes::{KEY_BYTES, SigningKey};

    fn numbers(id: u8, byte: u8) -> SignedNumbers {
        SignedNumbers::new(SigningKey::new(id, &[byte; KEY_BYTES]), Vec::new())
    }

    fn links() -> UnsubscribeLinks {
        UnsubscribeLinks::new("https://mail.example.com/".parse().unwrap(), numbers(1, 7))
    }

    #[test]
    fn a_link_names_its_delivery_and_is_the_same_each_time() {
        for delivery in [0, 42, u64::MAX] {
            let url = links().url(delivery);
            assert_eq!(url, links().url(delivery));
            let token = url
                .strip_prefix("https://mail.example.com/unsubscribe/")
                .unwrap();
            assert_eq!(links().read(token), Some(delivery));
        }
    }

    #[test]
    fn a_token_with_any_character_changed_removed_or_added_names_nothing() {
        let token = numbers(1, 7).token([42]);
        for (at, old) in token.char_indices() {
            let (before, rest) = token.split_at(at);
            let after = rest.strip_prefix(old).unwrap();
            assert_eq!(links().read(&format!("{before}{after}")), None, "{at}");
            for new in ['0', '1', 'a', 'A', '-', '/', '%', 'é'] {
                assert_eq!(links().read(&format!("{before}{new}{rest}")), None);
                let changed = format!("{before}{new}{after}");
                assert!(new == old || links().read(&changed).is_none(), "{changed}");
            }
        }
        for other in ["", "-", "1-2a", "1-2a-", "reader@example.org"] {
            assert_eq!(links().read(other), None, "{other}");
        }
    }

    #[test]
    fn a_token_by_another_key_or_for_another_purpose_names_nothing() {
        assert_eq!(links().read(&numbers(1, 8).token([42])), None);
        assert_eq!(links().read(&numbers(2, 7).token([42])), None);
        let folder = tempfile::tempdir().unwrap();
        let keys = KeyFile::make(&folder.path().join("key")).unwrap();
        let base: BaseUrl = "https://mail.example.com".parse().unwrap();
        let links = UnsubscribeLinks::of(base, &keys).unwrap();
        let other = SignedNumbers::of("return path", &keys).unwrap();
        assert_eq!(links.read(&other.token([42])), None);
    }
}
