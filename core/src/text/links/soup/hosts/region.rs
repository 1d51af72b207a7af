//! The part of a text that readings of one kind of end share.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use memchr::memrchr;

use super::super::texts::Text;
use super::ends::End;
use crate::bytes::class::{ByteTable, byte_table};

/// The readings that share one end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Region {
    /// Where they end in the text.
    pub(super) end: usize,
    /// The same, without the punctuation there.
    pub(super) trimmed: usize,
    /// Where the host ends: there, or before a port.
    pub(super) host_end: usize,
    /// Where the last `@` ends in it.
    pub(super) user: usize,
    /// Where the last look began.
    pub(super) looked: usize,
    /// The first look found a host.
    pub(super) has_host: bool,
    /// The first change of the text at or after where the last region of this kind ended: one at or before the end of this
    /// region makes it another one than in the text that this one was made from.
    pub(super) change: usize,
}

impl Region {
    /// That of the first reading to an end, which is at `gap` at the latest.
    pub(super) fn new(text: &Text<'_>, end: End, begin: usize, gap: Option<usize>) -> Self {
        let rest = &text.bytes[begin..];
        let rest = &rest[..gap.map_or(rest.len(), |gap| gap - begin)];
        let reading = &rest[..end.find(rest)];
        let trimmed = &reading[..end.trim(reading)];
        let user = memrchr(b'@', trimmed).map_or(0, |at| at + 1);
        let region = Self {
            end: begin + reading.len(),
            trimmed: begin + trimmed.len(),
            ..Self::default()
        };
        Self::within(text.bytes, region, begin + user)
    }

    /// That of a reading to the same end which has no `@`.
    pub(super) fn within(bytes: &[u8], region: Self, begin: usize) -> Self {
        let text = &bytes[begin..region.trimmed];
        let host = &text[..host_length(text)];
        let divided = match host.first() {
            Some(b'[') => None,
            _ => host.iter().rposition(|byte| NEVER.of(*byte)),
        };
        Self {
            host_end: begin + host.len(),
            user: begin,
            // The labels after a byte that no host has may be the end of one.
            looked: begin + divided.unwrap_or(0),
            has_host: false,
            ..region
        }
    }

    /// Whether it may have a host that the text from which this one was made does not have.
    pub(super) fn is_new(&self) -> bool {
        self.change <= self.end
    }
}

/// The bytes that no host has, as the URL standard calls them forbidden. Brackets are not among them, nor what ends a reading.
static NEVER: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, 0..=b' ' | b'<' | b'>' | b'^' | b'|' | 0x7f));

/// How long the host is that a text begins with, which a port may follow. In brackets a colon is a part of it.
pub(super) fn host_length(text: &[u8]) -> usize {
    let mut is_in_brackets = false;
    let end = text.iter().position(|byte| {
        match byte {
            b'[' => is_in_brackets = true,
            b']' => is_in_brackets = false,
            _ => {}
        }
        *byte == b':' && !is_in_brackets
    });
    end.unwrap_or(text.len())
}
