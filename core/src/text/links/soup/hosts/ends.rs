//! The kinds of ends that readers give a host.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use super::super::texts::space_at;
use crate::bytes::class::{ByteTable, byte_table};

/// Where a reading ends: at a slash, `?` or `#`, or at one of these before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing else: the long reading.
    Long,
    /// A quote, parenthesis, comma, semicolon, `<`, `>` or white space: the short reading.
    Short,
    DoubleQuote,
    SingleQuote,
    Parenthesis,
    /// `>` or white space of ASCII, which ends a value without quotes.
    Tag,
    /// What ends the short reading, or a tab or line break, which ends a value without quotes.
    Line,
}

impl End {
    pub(super) const ALL: [Self; 7] = [
        Self::Long,
        Self::Short,
        Self::DoubleQuote,
        Self::SingleQuote,
        Self::Parenthesis,
        Self::Tag,
        Self::Line,
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The kinds of ends at which a byte ends a reading.
    const fn of_byte(byte: u8) -> u8 {
        const SHORT: u8 = End::Short.bit() | End::Line.bit();
        match byte {
            b'/' | b'\\' | b'?' | b'#' => u8::MAX,
            b'"' => SHORT | Self::DoubleQuote.bit(),
            b'\'' => SHORT | Self::SingleQuote.bit(),
            b')' => SHORT | Self::Parenthesis.bit(),
            b'>' | b'\t'..=b'\r' | b' ' => SHORT | Self::Tag.bit(),
            b'(' | b',' | b';' | b'<' => SHORT,
            _ => 0,
        }
    }

    /// Where the reading ends that begins where `text` does.
    pub(super) fn find(self, text: &[u8]) -> usize {
        let has_space = matches!(self, Self::Short | Self::Line);
        let end = (0..text.len()).find(|at| {
            let byte = text[*at];
            ENDS.of(byte) & self.bit() != 0
                || has_space && byte >= 0x80 && space_at(&text[*at..]) > 0
        });
        end.unwrap_or(text.len())
    }

    /// How long a reading is that ends here. The four beside the long and the short one go without punctuation at their end.
    pub(super) fn trim(self, text: &[u8]) -> usize {
        let is_trimmed = |byte: &u8| matches!(byte, b'"' | b'\'' | b'(' | b')' | b',' | b';');
        match self {
            Self::Long | Self::Short | Self::Line => text.len(),
            _ => text
                .iter()
                .rposition(|byte| !is_trimmed(byte))
                .map_or(0, |last| last + 1),
        }
    }
}

static ENDS: ByteTable<u8> = byte_table!(|byte| End::of_byte(byte));
