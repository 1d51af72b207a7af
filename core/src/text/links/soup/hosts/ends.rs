//! The kinds of ends that readers give a host.

use core::ops::Range;

use super::super::super::host::length_without_punctuation;
use super::super::super::run::is_cut;
use super::super::super::work;
use super::super::find::space_at;
use crate::bytes::class::{ByteTable, byte_table};

/// The kinds of ends of a reading: a slash, `?` or `#`, or one of these before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A quote, parenthesis, comma, semicolon, `<`, `>` or white space: the short reading.
    Short,
    /// Nothing else: the long reading.
    Long,
    DoubleQuote,
    SingleQuote,
    Parenthesis,
    /// `>` or white space of ASCII, which ends a value without quotes.
    Tag,
    /// What ends the short reading, or a tab or line break, which ends a value without quotes and a link in text.
    Line,
    /// A quote, `<`, `>` or white space. Only links in text have this end and those after it.
    Word,
    /// What ends [`Self::Word`], or a sign at which some readers end a link.
    Sign,
    /// What ends [`Self::Word`], or a character beyond ASCII.
    Ascii,
    /// What ends [`Self::Word`], or a tab or line break.
    WordLine,
}

impl End {
    pub(super) const ALL: [Self; 11] = [
        Self::Short,
        Self::Long,
        Self::DoubleQuote,
        Self::SingleQuote,
        Self::Parenthesis,
        Self::Tag,
        Self::Line,
        Self::Word,
        Self::Sign,
        Self::Ascii,
        Self::WordLine,
    ];

    /// Whether only links in text have this end.
    pub(super) const fn is_of_text(self) -> bool {
        !Ends::OF_HTML.contains(self)
    }

    /// Whether readings that have this end lose all punctuation at their end.
    pub(super) const fn loses_punctuation(self) -> bool {
        self.is_of_text() || matches!(self, Self::Line)
    }

    /// The kinds before this one that are read for the same starts.
    pub(super) const fn before(self) -> Range<usize> {
        let first = if self.is_of_text() {
            Self::Word
        } else {
            Self::Short
        };
        first as usize..self as usize
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// The kinds of readings that a byte ends, and [`BEYOND_ASCII`].
    const fn of_byte(byte: u8) -> u16 {
        const SHORT: u16 = End::Short.bit() | End::Line.bit();
        const TEXT: u16 = Ends::OF_TEXT.without(Ends::OF_HTML).0;
        const SHORT_OR_TEXT: u16 = SHORT | TEXT;
        let of_links = match byte {
            0x80.. => Self::Ascii.bit() | BEYOND_ASCII,
            _ if is_cut(byte) => Self::Sign.bit(),
            _ => 0,
        };
        let of_html = match byte {
            b'/' | b'\\' | b'?' | b'#' => u16::MAX,
            b'"' => SHORT_OR_TEXT | Self::DoubleQuote.bit(),
            b'\'' => SHORT_OR_TEXT | Self::SingleQuote.bit(),
            b')' => SHORT | Self::Parenthesis.bit(),
            b'>' | b'\t'..=b'\r' | b' ' => SHORT_OR_TEXT | Self::Tag.bit(),
            b'<' => SHORT_OR_TEXT,
            b'(' | b',' | b';' => SHORT,
            _ => 0,
        };
        of_links | of_html
    }

    /// The ends of the readings of these kinds that begin where `text` does and go no further than `limit`. For the other
    /// kinds it is `limit`.
    pub(super) fn find(kinds: Ends, text: &[u8], limit: usize) -> [usize; Self::ALL.len()] {
        let spaces = Ends::of(&[
            Self::Short,
            Self::Line,
            Self::Word,
            Self::Sign,
            Self::WordLine,
        ]);
        let mut found = [limit; Self::ALL.len()];
        let mut open = kinds;
        let mut at = 0;
        while !open.is_empty() {
            let rest = &text[at..limit];
            let wanted = open.0 | BEYOND_ASCII;
            let next = rest.iter().position(|byte| ENDS.of(*byte) & wanted != 0);
            let Some(length) = next else {
                work::count(rest.len());
                break;
            };
            work::count(length + 1);
            at += length;
            let mut ended = ENDS.of(text[at]);
            if text[at] >= 0x80 && space_at(&text[at..]) > 0 {
                ended |= spaces.0;
            }
            ended &= open.0;
            open.0 &= !ended;
            while ended != 0 {
                found[ended.trailing_zeros() as usize] = at;
                ended &= ended - 1;
            }
            at += 1;
        }
        found
    }

    /// The length of a reading that has this end. Readings of links in text, and those that may end at a line break, lose
    /// all punctuation at their end. Readings up to a quote of one kind, a parenthesis or the end of a tag lose some of it.
    /// Control characters at the end of a URL are not a part of it, so readings that may be a whole URL lose them first.
    pub(super) fn trim(self, text: &[u8]) -> usize {
        if text.last().is_some_and(u8::is_ascii_alphanumeric) {
            return text.len();
        }
        let is_mark = |byte| matches!(byte, b'"' | b'\'' | b'(' | b')' | b',' | b';');
        let url = || &text[..length_without(text, |byte| byte <= b' ')];
        match self {
            Self::Long | Self::Short => text.len(),
            Self::Word | Self::WordLine => length_without_punctuation(url()),
            _ if self.loses_punctuation() => length_without_punctuation(text),
            _ => length_without(url(), is_mark),
        }
    }
}

/// A set of kinds of ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ends(u16);

impl Ends {
    /// The ends that links in HTML have: those before [`End::Word`].
    pub(super) const OF_HTML: Self = Self(End::Word.bit() - 1);
    /// All ends: those of HTML, and those that only links in text have.
    pub(super) const OF_TEXT: Self = Self::of(&End::ALL);
    /// The ends of what begins at an `@`.
    pub(super) const OF_USER: Self = Self::of(&[End::Short, End::Line]);
    /// The ends of the value of an attribute or of a `url()`. Only these ends are found before escapes are resolved.
    pub(super) const OF_VALUE: Self = Self::OF_HTML.without(Self::of(&[End::Short, End::Long]));
    /// The ends for which a tab or line break counts.
    pub(super) const AT_GAP: Self = Self::of(&[End::Line, End::WordLine]);

    const fn of(kinds: &[End]) -> Self {
        let mut set = Self(0);
        let mut at = 0;
        while at < kinds.len() {
            set.0 |= kinds[at].bit();
            at += 1;
        }
        set
    }

    pub(super) const fn insert(&mut self, kind: End) {
        self.0 |= kind.bit();
    }

    pub(super) const fn contains(self, kind: End) -> bool {
        self.0 & kind.bit() != 0
    }

    /// The ends that are in both sets.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The ends of this set that are not in the other one.
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The length of a text without these bytes at its end.
fn length_without(text: &[u8], is_trimmed: impl Fn(u8) -> bool) -> usize {
    let last = text.iter().rposition(|byte| !is_trimmed(*byte));
    last.map_or(0, |last| last + 1)
}

/// A flag beside the kinds that a byte ends: it may begin white space beyond ASCII, which ends further kinds.
const BEYOND_ASCII: u16 = 1 << End::ALL.len();

static ENDS: ByteTable<u16> = byte_table!(|byte| End::of_byte(byte));
