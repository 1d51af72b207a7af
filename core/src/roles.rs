//! The roles in which a domain appears in a call.

use core::fmt;
use core::ops::{BitOr, BitOrAssign};

use crate::word::{is_name, words};

/// A set of roles in which a domain appears in a call.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct DomainRoles(u8);

impl DomainRoles {
    /// No role.
    pub const NONE: Self = Self(0);
    /// The domain of a sender's address (code 414).
    pub const SENDER: Self = Self(1);
    /// The domain of a reply address (code 415).
    pub const REPLY_TO: Self = Self(2);
    /// The domain of a recipient's address (code 416).
    pub const RECIPIENT: Self = Self(4);
    /// The host of a link or image in the HTML (code 413).
    pub const CONTENT: Self = Self(8);

    /// The four roles, in the order of the JSON forms.
    pub const ALL: &'static [Self] =
        &[Self::SENDER, Self::REPLY_TO, Self::RECIPIENT, Self::CONTENT];

    words! {
        pub const WORDS: DomainRole "The role in which a domain appears in a call. Blacklists may differ by role. Each role is one bit of a set."
        1 Sender "sender" "A sender's address: code 414."
        2 ReplyTo "reply_to" "A reply address: code 415."
        4 Recipient "recipient" "A recipient's address: code 416."
        8 Content "content" "A link or an image of the HTML: code 413."
    }

    /// The set with these bits: 1 sender, 2 reply address, 4 recipient, 8 content. Other bits are ignored.
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// The bits of the set, as [`DomainRoles::from_bits`] takes them.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether the set has all roles of `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The roles in both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the roles in the set: `sender`, `reply_to`, `recipient`, `content`.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let words = Self::ALL.iter().copied().zip(Self::WORDS.words);
        let own = words.filter(move |(role, _)| self.contains(*role));
        own.map(|(_, word)| word.name)
    }

    /// The role with that name; `None` when there is none. Its words may be joined by hyphens or by underscores.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut words = Self::ALL.iter().copied().zip(Self::WORDS.words);
        let found = words.find(|(_, word)| is_name(word.name, name));
        found.map(|(role, _)| role)
    }
}

impl BitOr for DomainRoles {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for DomainRoles {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl fmt::Debug for DomainRoles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
