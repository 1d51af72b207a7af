//! The HTML of the emails that wait to be sent, and how much more may be claimed. One email that is longer than what is
//! free may wait beside the limit. So long emails are claimed, and do not keep others from being claimed.

use std::collections::HashMap;

/// The bytes of the texts that wait. Each text counts once, however many emails it is the HTML of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Texts {
    all: u64,
    longest: u64,
}

/// How many bytes may be claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) bytes: u64,
    /// Whether one longer email may be claimed as well.
    pub(super) longer: bool,
}

impl Texts {
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let by_place: HashMap<*const u8, u64> =
            texts.map(|text| (text.as_ptr(), length(text))).collect();
        let longest = by_place.values().copied().max().unwrap_or(0);
        Self {
            all: by_place.into_values().fold(0, u64::saturating_add),
            longest,
        }
    }

    /// The bytes without the longest text, which may be beside the limit.
    pub(super) const fn but_longest(self) -> u64 {
        self.all.saturating_sub(self.longest)
    }

    /// Returns how many bytes may be claimed up to a limit.
    pub(super) const fn free(self, limit: u64) -> Free {
        let longer = self.all < limit;
        let counted = if longer { self.all } else { self.but_longest() };
        Free {
            bytes: limit.saturating_sub(counted),
            longer,
        }
    }
}

/// The length of a text.
pub(super) fn length(text: &str) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_counts_once() {
        let (one, other) = ("x".repeat(100), "x".repeat(50));
        let texts = Texts::of([&*one, &*other, &*one].into_iter());
        assert_eq!((texts.all, texts.longest), (150, 100));
        assert_eq!(Texts::of(std::iter::empty()), Texts::default());
    }

    #[test]
    fn beside_one_longer_text_as_much_is_claimed_as_without_it_but_no_second_one() {
        let free = |all, longest| {
            let Free { bytes, longer } = Texts { all, longest }.free(800);
            (bytes, longer)
        };
        assert_eq!(free(0, 0), (800, true));
        assert_eq!(free(700, 100), (100, true));
        assert_eq!(free(900, 900), (800, false));
        assert_eq!(free(1000, 900), (700, false));
        // A text that has just fitted makes room, and is the one beside the limit.
        assert_eq!(free(800, 200), (200, false));
        assert_eq!(free(1700, 900), (0, false));
    }
}
