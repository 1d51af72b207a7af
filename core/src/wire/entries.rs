//! The entries of an address list, with their places in the body.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use memchr::memchr3;

use super::json::{Characters, Shape, Value};
use crate::bytes::{self, text_part};
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

/// Most addresses are not longer, so that the text of one takes a single allocation.
const USUAL_LEN: usize = 32;

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
        let list = rest.as_bytes();
        let mut entry = EscapedEntry::default();
        let mut at = 0;
        self.at = None;
        loop {
            // What has no mark is added at once.
            let marked = memchr3(b'\\', b',', b'"', bytes::rest(list, at));
            let plain = at..marked.map_or(list.len(), |marked| at + marked);
            at = plain.end;
            entry.add(text_part(rest, plain.clone()), plain);
            let mark = Characters::new(bytes::rest(list, at)).next();
            let Some((Range { end: length, .. }, character)) = mark else {
                break;
            };
            let written = at..at + length;
            at = written.end;
            if character == ',' {
                self.at = Some(start + at);
                break;
            }
            // An unescaped quote ends the string. It occurs if `raw` continues after the end of the list.
            if character == '"' && length == 1 {
                break;
            }
            entry.add(character.encode_utf8(&mut [0; 4]), written);
        }
        let offset = self.offset + start;
        entry.text.truncate(entry.kept);
        Entry {
            span: offset + entry.span.start..offset + entry.span.end,
            text: Cow::Owned(entry.text),
        }
    }
}

/// An entry of a list with escapes, while it is read.
#[derive(Default)]
struct EscapedEntry {
    text: String,
    /// The length of the text up to its last character that is not white space.
    kept: usize,
    span: Range<usize>,
}

impl EscapedEntry {
    /// Adds a part of the text, which is written in these bytes. White space before the entry is left out.
    fn add(&mut self, part: &str, bytes: Range<usize>) {
        let mut added = part;
        if self.text.is_empty() {
            added = part.trim_start_matches(unicode::is_white_space);
            if added.is_empty() {
                return;
            }
            self.text.reserve(USUAL_LEN);
            // A part whose ends are left out is written without escapes.
            self.span.start = bytes.start + (part.len() - added.len());
        }
        self.text.push_str(added);
        let trimmed = added.trim_end_matches(unicode::is_white_space);
        if !trimmed.is_empty() {
            self.kept = self.text.len() - (added.len() - trimmed.len());
            self.span.end = bytes.end - (added.len() - trimmed.len());
        }
    }
}
