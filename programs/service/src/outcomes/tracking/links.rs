//! The links that replace an email's own links, and the link of its image. They hold no address and no target, so that a
//! changed link does not lead anywhere else. They hold a keyed hash of the target. When a link is followed, the hash shows
//! whether the target that is found is the same.

use crate::key_file::KeyFile;
use crate::outcomes::SignedNumbers;
use crate::settings::BaseUrl;

/// The path of the service below which the links are.
pub const TRACKED: &str = "/t/";

/// What a tracked link is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracked {
    /// The image of a delivery.
    Image(u64),
    /// A link of a delivery, by its index among the links that can be tracked.
    Link(u64, u64),
}

/// Makes and reads tracked links.
#[derive(Debug)]
pub struct TrackingLinks {
    base: BaseUrl,
    numbers: SignedNumbers,
}

impl TrackingLinks {
    /// Links below a URL, signed by the keys that a key file has for them.
    ///
    /// `None` if the file has no key.
    #[must_use]
    pub fn of(base: BaseUrl, keys: &KeyFile) -> Option<Self> {
        let numbers = SignedNumbers::of("tracking", keys)?;
        Some(Self::new(base, numbers))
    }

    /// Links below a URL, with tokens of `numbers`, which must not be used for anything else.
    #[must_use]
    pub const fn new(base: BaseUrl, numbers: SignedNumbers) -> Self {
        Self { base, numbers }
    }

    /// The URL of the image of a delivery. It stays the same as long as the newest key does.
    #[must_use]
    pub fn image(&self, delivery: u64) -> String {
        self.url(&self.numbers.token([delivery]))
    }

    /// The URL of a link of a delivery. `place` is the link's index among the links that can be tracked. The URL stays the
    /// same as long as the newest key does.
    #[must_use]
    pub fn link(&self, delivery: u64, place: u64, target: &str) -> String {
        let hash = self.numbers.hash(target);
        self.url(&self.numbers.token([delivery, place, hash]))
    }

    fn url(&self, token: &str) -> String {
        [self.base.as_str(), TRACKED, token].concat()
    }

    /// Reads the last part of a link's path.
    ///
    /// `None` if it was not made by the service, was changed, or was signed by a key that is not known any more.
    #[must_use]
    pub fn read(&self, token: &str) -> Option<Tracked> {
        if let Some([delivery, place, _]) = self.numbers.read(token) {
            return Some(Tracked::Link(delivery, place));
        }
        let [delivery] = self.numbers.read(token)?;
        Some(Tracked::Image(delivery))
    }

    /// Whether the link whose path ends with this token was made for this target. A later version of the service may find
    /// another target at the link's place.
    #[must_use]
    pub fn is_of(&self, token: &str, target: &str) -> bool {
        let Some([_, _, hash]) = self.numbers.read(token) else {
            return false;
        };
        self.numbers.hash_by(token, target) == Some(hash)
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

    const TARGET: &str = "https://shop.example/a";

    fn key(id: u8, byte: u8) -> SigningKey {
        SigningKey::new(id, &[byte; KEY_BYTES])
    }

    fn links_by(newest: SigningKey, older: Vec<SigningKey>) -> TrackingLinks {
        let numbers = SignedNumbers::new(newest, older);
        TrackingLinks::new("https://t.example.com".parse().unwrap(), numbers)
    }

    fn links(byte: u8) -> TrackingLinks {
        links_by(key(1, byte), Vec::new())
    }

    fn token(tracked: Tracked) -> String {
        let url = match tracked {
            Tracked::Image(delivery) => links(7).image(delivery),
            Tracked::Link(delivery, place) => links(7).link(delivery, place, TARGET),
        };
        url.strip_prefix("https://t.example.com/t/")
            .unwrap()
            .to_owned()
    }

    #[test]
    fn a_link_names_what_it_is_of() {
        for tracked in [
            Tracked::Image(0),
            Tracked::Image(u64::MAX),
            Tracked::Link(0, 0),
            Tracked::Link(42, 7),
            Tracked::Link(u64::MAX, u64::MAX),
        ] {
            assert_eq!(links(7).read(&token(tracked)), Some(tracked));
            assert_eq!(links(8).read(&token(tracked)), None);
        }
    }

    #[test]
    fn a_link_is_of_its_own_target_also_after_its_key_was_followed_by_another() {
        let link = token(Tracked::Link(42, 7));
        let rotated = links_by(key(2, 8), vec![key(1, 7)]);
        for links in [links(7), rotated] {
            assert!(links.is_of(&link, TARGET));
            assert!(!links.is_of(&link, "https://shop.example/b"));
            assert!(!links.is_of(&token(Tracked::Image(42)), TARGET));
        }
        assert!(!links(8).is_of(&link, TARGET));
    }

    #[test]
    fn whatever_is_changed_in_a_link_it_names_nothing() {
        let mut tried = 0;
        for token in [token(Tracked::Image(42)), token(Tracked::Link(42, 7))] {
            for (at, old) in token.char_indices() {
                let (before, rest) = token.split_at(at);
                let after = rest.strip_prefix(old).unwrap();
                let new = (0..=0xFF_u8).map(char::from).filter(|new| *new != old);
                let changed = new.flat_map(|new| {
                    [
                        format!("{before}{new}{after}"),
                        format!("{before}{new}{rest}"),
                    ]
                });
                let shorter = [
                    format!("{before}{after}"),
                    before.to_owned(),
                    rest.to_owned(),
                ];
                for changed in changed.chain(shorter).filter(|changed| *changed != token) {
                    assert_eq!(links(7).read(&changed), None, "{changed}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 30_000, "{tried}");
        // The numbers of one token with the tag of another.
        let (image, link) = (token(Tracked::Image(42)), token(Tracked::Link(42, 7)));
        let tag = |token: &str| token.rsplit_once('-').unwrap().1.to_owned();
        assert_eq!(links(7).read(&format!("1-2a-{}", tag(&link))), None);
        assert_eq!(links(7).read(&format!("1-2a-7-{}", tag(&image))), None);
        assert_eq!(links(7).read(&format!("1-2a-8-{}", tag(&link))), None);
    }
}
