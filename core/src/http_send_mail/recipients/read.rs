//! Reading recipients again from the body.

use alloc::borrow::Cow;

use crate::bytes::distinct::Folded;
use crate::bytes::text_part;
use crate::text::address::{self, Scan, scan_ascii};
use crate::wire::entries::{Entry, entries_in};
use crate::wire::value::lend;

/// The entry that starts at `offset`.
pub(super) fn entry_at(body: &str, offset: usize, scan: Option<Scan>) -> Entry<'_> {
    let Some(scan) = scan else {
        return other_entry(body, offset);
    };
    let span = offset..offset + scan.len();
    Entry {
        text: Cow::Borrowed(text_part(body, span.clone())),
        span,
    }
}

/// The match key in the form in which keys are compared. It borrows from the body if it can.
pub(super) fn folded_key_of(body: &str, offset: usize, scan: Option<Scan>) -> Folded<'_> {
    if let Some(scan) = scan {
        let place = offset..offset + scan.len();
        return Folded(Cow::Borrowed(text_part(body, place).as_bytes()));
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
        // It was an address when the entry was noted.
        None => lend(text, |text| Some(address::parse(text).ok()?.match_key())).unwrap_or_default(),
    }
}

/// Reads an entry that has no scan: up to a comma, or to the string's closing quote.
fn other_entry(body: &str, offset: usize) -> Entry<'_> {
    let rest = text_part(body, offset..body.len()).as_bytes();
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
