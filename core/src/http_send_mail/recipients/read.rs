//! Reading recipients again from the body.

use alloc::borrow::Cow;

use super::Recipients;
use crate::bytes::distinct::Folded;
use crate::bytes::{part, rest};
use crate::text::address::{self, Scan, scan_ascii};
use crate::wire::entries::{Entry, as_text, entries_in};
use crate::wire::value::lend;

/// The entry that starts at `offset`.
pub(super) fn entry_at(body: &[u8], offset: usize, scan: Option<Scan>) -> Entry<'_> {
    let Some(scan) = scan else {
        return other_entry(body, offset);
    };
    let span = offset..offset + scan.len();
    Entry {
        text: Cow::Borrowed(as_text(part(body, span.clone()))),
        span,
    }
}

/// The match key in the form in which keys are compared. It borrows from the body if it can.
pub(super) fn folded_key_of(body: &[u8], offset: usize, scan: Option<Scan>) -> Folded<'_> {
    if let Some(scan) = scan {
        let place = offset..offset + scan.len();
        return Folded(Cow::Borrowed(part(body, place)));
    }
    let bytes = match other_entry(body, offset).text {
        Cow::Borrowed(text) if scan_ascii(text.as_bytes()).is_some() => {
            Cow::Borrowed(text.as_bytes())
        }
        text => match key_of(text, None) {
            Cow::Borrowed(key) => Cow::Borrowed(key.as_bytes()),
            Cow::Owned(key) => Cow::Owned(key.into_bytes()),
        },
    };
    Folded(bytes)
}

/// The match key of an entry.
pub(super) fn key_of(text: Cow<'_, str>, scan: Option<Scan>) -> Cow<'_, str> {
    match scan {
        Some(scan) if scan.is_match_key() => text,
        Some(_) => Cow::Owned(text.to_ascii_lowercase()),
        // It was an address when the entry was noted, and is one unless the body has changed.
        None => lend(text, |text| Some(address::parse(text).ok()?.match_key())).unwrap_or_default(),
    }
}

/// Reads an entry that has no scan: up to a comma, or to the string's closing quote.
fn other_entry(body: &[u8], offset: usize) -> Entry<'_> {
    let rest = rest(body, offset);
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b',' | b'"' | b'\\'));
    let is_escaped = end.and_then(|end| rest.get(end)) == Some(&b'\\');
    let end = match end {
        // An entry with escapes is read up to its own end.
        Some(end) if !is_escaped => end,
        _ => rest.len(),
    };
    let found = entries_in(body, offset..offset + end, is_escaped).next();
    found.unwrap_or(Entry {
        span: offset..offset,
        text: Cow::Borrowed(""),
    })
}

/// Reads entries from the body. Several entries are checked to be UTF-8 together, with the bytes between them. This
/// takes less time than a check for each entry.
#[derive(Clone)]
pub(crate) struct Reader<'r> {
    pub(super) recipients: &'r Recipients,
    pub(super) body: &'r [u8],
    /// Bytes of the body that were checked. They start at `start`.
    pub(super) text: &'r str,
    pub(super) start: usize,
}

/// The number of entries that are checked together, if they lie within [`CLOSE`] bytes.
const TOGETHER: u32 = 32;
const CLOSE: usize = 4096;

impl<'r> Reader<'r> {
    /// The text of an entry; `None` when the entry has no scan.
    #[inline]
    pub(crate) fn text(&mut self, entry: u32) -> Option<&'r str> {
        let length = self.recipients.scan(entry)?.len();
        let offset = self.recipients.offset(entry);
        if let Some(text) = self.known(offset, length) {
            return Some(text);
        }
        let last = (entry + TOGETHER).min(self.recipients.count().checked_sub(1)?);
        let far = self
            .recipients
            .scan(last)
            .map_or(0, |scan| self.recipients.offset(last) + scan.len());
        let end = offset + length;
        let end = if (end..=offset + CLOSE).contains(&far) {
            far
        } else {
            end
        };
        self.start = offset;
        self.text = core::str::from_utf8(self.body.get(offset..end)?).ok()?;
        self.known(offset, length)
    }

    #[inline]
    fn known(&self, offset: usize, length: usize) -> Option<&'r str> {
        let from = offset.checked_sub(self.start)?;
        self.text.get(from..from + length)
    }

    /// The match key of an entry.
    #[inline]
    pub(crate) fn key(&mut self, entry: u32) -> Cow<'r, str> {
        let scan = self.recipients.scan(entry);
        match self.text(entry) {
            Some(text) => key_of(Cow::Borrowed(text), scan),
            None => self.recipients.key(self.body, entry),
        }
    }
}
