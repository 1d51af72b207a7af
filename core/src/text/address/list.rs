//! Lists of addresses that are separated by commas.

use core::ops::Range;

use super::Scan;
use super::window::{scan_ascii, scan_start};
use crate::text::unicode;

/// The entries of a comma-separated list of addresses, each with its range in the list.
///
/// White space around an entry is cut off, and empty entries are skipped. There are no display names,
/// so a comma always ends an entry. Entries need not be valid: [`parse`](super::parse) tells.
///
/// ```
/// use franking::address::entries;
/// let list = " a@example.com,, b@example.com ";
/// assert!(entries(list).eq([(1..14, "a@example.com"), (17..30, "b@example.com")]));
/// ```
pub fn entries(list: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    scan_places(list.as_bytes()).filter_map(|entry| {
        let range = entry.start..entry.start + entry.len;
        Some((range.clone(), list.get(range)?))
    })
}

/// The ranges of the [`entries`] of a list, each with the result of [`scan_ascii`](super::scan_ascii). The list has to be
/// UTF-8. Takes little longer than the scans alone.
#[inline]
pub(crate) fn scan_places(list: &[u8]) -> Places<'_> {
    Places { list, at: 0 }
}

/// The position of an entry in a list of addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedEntry {
    /// Its start in the list.
    pub(crate) start: usize,
    /// Its length, without white space around it.
    pub(crate) len: usize,
    /// The result of [`scan_ascii`](super::scan_ascii): `Some` for an ordinary, valid address.
    pub(crate) ascii: Option<Scan>,
}

/// The iterator that [`scan_places`] returns.
#[derive(Clone)]
pub(crate) struct Places<'a> {
    list: &'a [u8],
    /// The start of the part that has not been read yet.
    at: usize,
}

impl Iterator for Places<'_> {
    type Item = PlacedEntry;

    #[inline]
    fn next(&mut self) -> Option<PlacedEntry> {
        loop {
            let mut rest = self.list.get(self.at..)?;
            while let [b' ' | b',', others @ ..] = rest {
                rest = others;
            }
            if rest.is_empty() {
                return None;
            }
            let start = self.list.len() - rest.len();
            // The scan of an ordinary address finds the end of the entry as well.
            if let Some(scan) = scan_start(rest)
                && matches!(rest.get(scan.len()), None | Some(b','))
            {
                self.at = start + scan.len();
                return Some(PlacedEntry {
                    start,
                    len: scan.len(),
                    ascii: Some(scan),
                });
            }
            if let Some(entry) = self.out_of_the_ordinary(start, rest) {
                return Some(entry);
            }
        }
    }
}

impl Places<'_> {
    /// Reads the entry that `rest` begins with, and moves past it. `None` when the entry is empty.
    fn out_of_the_ordinary(&mut self, start: usize, rest: &[u8]) -> Option<PlacedEntry> {
        let end = memchr::memchr(b',', rest).unwrap_or(rest.len());
        self.at = start + end;
        // Cutting UTF-8 at a comma does not cut through a character.
        let field = core::str::from_utf8(rest.get(..end)?).ok()?;
        let text = unicode::trim(field);
        let entry = PlacedEntry {
            start: start + (field.len() - field.trim_start().len()),
            len: text.len(),
            ascii: scan_ascii(text.as_bytes()),
        };
        (entry.len > 0).then_some(entry)
    }
}

#[cfg(test)]
mod tests;
