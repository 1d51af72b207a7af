//! Places in HTML where any host could be hidden, because one reading does not tell.

use core::fmt;
use core::ops::Range;

/// Why a host may be hidden, by the clauses of `docs/links.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Clause {
    /// 1: in a style sheet, markup follows the beginning of a URL, or splits an escape.
    MarkupInUrl,
    /// 2: a named reference without its semicolon is a part of a host.
    OpenReference,
    /// 3: there is an ESC, which begins the escapes of ISO-2022.
    Escape,
    /// 4: the charset of a document in the document is not known to be UTF-8, and matters.
    Charset,
    /// 5: a document in a document holds another one, or computes what it shows.
    Nested,
    /// 6: readers disagree on more hosts than can be judged.
    TooMany,
}

impl Clause {
    /// Every clause, by its number.
    pub const ALL: [Self; 6] = [
        Self::MarkupInUrl,
        Self::OpenReference,
        Self::Escape,
        Self::Charset,
        Self::Nested,
        Self::TooMany,
    ];

    /// The number of the clause, from 1 to 6.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// A description of what the clause finds, without a full stop.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::MarkupInUrl => {
                "in a style sheet, markup follows the beginning of a URL, or parts an escape"
            }
            Self::OpenReference => "a host has a character reference without its semicolon",
            Self::Escape => "there is an ESC (U+001B)",
            Self::Charset => "a document inside the HTML may not be UTF-8",
            Self::Nested => {
                "a document inside the HTML holds another one, or computes what it shows"
            }
            Self::TooMany => "readers disagree on more hosts than can be judged",
        }
    }
}

impl fmt::Display for Clause {
    /// As `clause 3: there is an ESC (U+001B)`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "clause {}: {}", self.number(), self.meaning())
    }
}

/// A place of the HTML where any host could be hidden: mail readers read it so differently that no reading tells which.
///
/// HTML with a place like this counts as if it led to the host `computed.invalid`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HiddenHost {
    /// The clause that says why.
    pub clause: Clause,
    /// The bytes of the HTML that leave the host open. For a document inside the HTML, they are those of the whole URL or
    /// attribute value.
    pub span: Range<usize>,
    /// Whether there are more hosts than can be judged ([`Clause::TooMany`]), here or at a later place, so that not all were
    /// visited.
    pub(crate) has_unread_hosts: bool,
}

/// The host that HTML with a [`HiddenHost`] counts as.
pub(crate) const COMPUTED: &str = "computed.invalid";

/// The first ESC in the HTML.
pub(super) fn escape(html: &str) -> Option<HiddenHost> {
    let at = memchr::memchr(0x1b, html.as_bytes())?;
    Some(HiddenHost {
        clause: Clause::Escape,
        span: at..at + 1,
        has_unread_hosts: false,
    })
}
