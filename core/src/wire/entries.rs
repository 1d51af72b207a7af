//! The entries of an address list, with their places in the body.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use super::json::{Characters, Shape, Value};
use crate::bytes::text_part;
use crate::text::{address, unicode};

/// One entry of an address list, trimmed, and its bytes in the body.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'b> {
    pub(crate) span: Range<usize>,
    pub(crate) text: Cow<'b, str>,
}

impl Entry<'_> {
    pub(crate) fn is_valid(&self) -> bool {
        address::parse(&self.text).is_ok()
    }
}

/// The entries of a list, in order; empty ones are skipped.
#[derive(Clone, Debug)]
pub(crate) struct Entries<'b> {
    raw: &'b str,
    /// The offset of `raw` in the body.
    offset: usize,
    is_escaped: bool,
    at: Option<usize>,
}

/// The entries of a text field's value. A value that is absent or not a text has none.
pub(crate) fn entries(value: Value, sent: &str) -> Entries<'_> {
    let content = value.content();
    match value.shape {
        Shape::Text | Shape::Number => entries_in(sent, content, false),
        Shape::Escaped => entries_in(sent, content, true),
        _ => entries_in(sent, 0..0, false),
    }
}

pub(crate) fn entries_in(sent: &str, content: Range<usize>, is_escaped: bool) -> Entries<'_> {
    Entries {
        offset: content.start,
        raw: text_part(sent, content),
        is_escaped,
        at: Some(0),
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = Entry<'b>;

    fn next(&mut self) -> Option<Entry<'b>> {
        loop {
            let start = self.at?;
            let rest = self.raw.get(start..)?;
            if !self.is_escaped {
                return self.plain(start, rest);
            }
            let entry = self.escaped(start, rest);
            if !entry.text.is_empty() {
                return Some(entry);
            }
        }
    }
}

impl<'b> Entries<'b> {
    /// Continues after an entry that ends at this offset of the body; 0 starts at the first entry.
    pub(crate) fn starting_from(mut self, end: usize) -> Self {
        // An offset before the list starts at its first entry.
        self.at = Some(end.saturating_sub(self.offset));
        self
    }

    fn plain(&mut self, start: usize, rest: &'b str) -> Option<Entry<'b>> {
        let found = address::scan_places(rest.as_bytes()).next()?;
        let length = found.start + found.len;
        self.at = Some(start + length);
        let offset = self.offset + start;
        Some(Entry {
            span: offset + found.start..offset + length,
            text: Cow::Borrowed(text_part(rest, found.start..length)),
        })
    }

    fn escaped(&mut self, start: usize, rest: &'b str) -> Entry<'b> {
        let mut text = String::new();
        let mut span = 0..0;
        // The length of the text up to its last character that is not white space.
        let mut kept = 0;
        self.at = None;
        for (bytes, character) in Characters::new(rest.as_bytes()) {
            if character == ',' {
                self.at = Some(start + bytes.end);
                break;
            }
            // An unescaped quote ends the string. It occurs if `raw` continues after the end of the list.
            if character == '"' && bytes.len() == 1 {
                break;
            }
            let is_space = unicode::is_white_space(character);
            if text.is_empty() {
                if is_space {
                    continue;
                }
                span.start = bytes.start;
            }
            text.push(character);
            if !is_space {
                kept = text.len();
                span.end = bytes.end;
            }
        }
        text.truncate(kept);
        let offset = self.offset + start;
        Entry {
            span: offset + span.start..offset + span.end,
            text: Cow::Owned(text),
        }
    }
}
