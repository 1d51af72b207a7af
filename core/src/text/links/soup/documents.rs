//! Documents in documents: the `data:` URLs of soup, each decoded once.

use memchr::{memchr, memmem};

use super::super::hidden::Clause;
use super::super::span::has_word;
use super::super::work;
use super::data::{Data, Loads};
use super::find::{Next, find_word, space_end};
use super::texts::Text;
use super::{Findings, Soup, SoupKind};
use crate::bytes::bits::Bits;

/// The ends that `data:` URLs have in soup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UrlEnd {
    /// White space of HTML, or `>`: what ends a value without quotes.
    Space,
    /// The same, or a tab or line break that was taken out, which ends a value without quotes.
    Line,
    DoubleQuote,
    SingleQuote,
    Parenthesis,
}

/// The next end of each kind. It is remembered until it is passed, so that many URLs with one end cost one search.
#[derive(Default)]
struct NextEnds {
    signs: [Next; 5],
    gap: Next,
}

impl NextEnds {
    /// The end of this kind of a URL whose scheme ends at `from`.
    fn after(&mut self, kind: UrlEnd, text: &Text<'_>, from: usize) -> usize {
        // The search for white space does not end at a gap, so it has to be remembered beyond the gap.
        let is_line = kind == UrlEnd::Line;
        let sign = if is_line { UrlEnd::Space } else { kind };
        let rest = &text.bytes[from..];
        let find = || match sign {
            UrlEnd::Space | UrlEnd::Line => value_end(rest),
            UrlEnd::DoubleQuote => memchr(b'"', rest),
            UrlEnd::SingleQuote => memchr(b'\'', rest),
            UrlEnd::Parenthesis => memchr(b')', rest),
        };
        let end = self.signs[sign as usize].after(from, text.bytes.len(), find);
        let gap = is_line.then(|| self.gap.next_of(text.gaps, from)).flatten();
        gap.map_or(end, |gap| gap.min(end))
    }
}

/// The end of a value without quotes.
fn value_end(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| {
        work::count(1);
        byte.is_ascii_whitespace() || *byte == b'>'
    })
}

/// The last URL of one kind of end that was read.
#[derive(Clone, Copy, Debug, Default)]
struct LastUrl {
    end: usize,
    /// The position of its comma.
    comma: usize,
}

/// Reads the documents in the `data:` URLs of a text.
pub(super) fn read(soup: &Soup<'_>, text: &Text<'_>, findings: &mut Findings<'_>) {
    let bytes = text.bytes;
    // The marks that are kept apart end nothing, and are a part of the URL.
    let together = text.together(bytes);
    let has_gaps = !text.gaps.is_empty();
    let mut ends = NextEnds::default();
    let mut last = [LastUrl::default(); 5];
    let mut comma = Next::default();
    let mut imports = None;
    let mut from = 0;
    while let Some(found) = find_word(&bytes[from..], b"data:", 4) {
        let at = from + found;
        from = at + 5;
        let before = bytes[..at].iter().rev();
        let spaces = before.take_while(|byte| **byte <= b' ').count();
        if soup.kind == SoupKind::Json && spaces < at {
            // In linked data, `data:` begins a URL only at the beginning of the string.
            return;
        }
        let kinds: &[UrlEnd] = match bytes[..at - spaces].last() {
            Some(b'"') => &[UrlEnd::DoubleQuote],
            Some(b'\'') => &[UrlEnd::SingleQuote],
            Some(b'(') => &[UrlEnd::Parenthesis],
            Some(b'=' | b';') => &[
                UrlEnd::Space,
                UrlEnd::Line,
                UrlEnd::DoubleQuote,
                UrlEnd::SingleQuote,
            ],
            _ => &[UrlEnd::Space, UrlEnd::Line],
        };
        let comma = comma.after(from, bytes.len(), || memchr(b',', &together[from..]));
        for kind in kinds {
            if *kind == UrlEnd::Line && !has_gaps {
                continue;
            }
            let end = ends.after(*kind, text, from);
            if comma >= end {
                continue;
            }
            let data = Data::of(&together[from..end], comma - from);
            let imports = imports.get_or_insert_with(|| imports_of(bytes));
            let loads = match imports.contains(at) {
                true => Loads::Sheet,
                false => Loads::ByType,
            };
            if !data.is_read(loads) {
                continue;
            }
            let last = &mut last[*kind as usize];
            // A URL that is inside the type of the last one has the body of that one.
            if from < last.end && comma == last.comma {
                continue;
            }
            let written = || soup.written(text, at..end);
            // A URL that begins before the end of the last one is a part of that one.
            if soup.is_inner || from < last.end {
                findings.open(Clause::Nested, written);
                continue;
            }
            *last = LastUrl { end, comma };
            data.read(loads, &written, findings);
        }
    }
}

/// The positions at which the URLs of `@import` begin. Between `@import` and its URL are only white space, comments, `url(`
/// and a quote.
fn imports_of(text: &[u8]) -> Bits {
    let mut begins = Bits::default();
    let mut close = Next::default();
    // Comments that follow one another. Each of them leads to the same URL, which begins at `after_gap`.
    let mut gap = 0..0;
    let mut after_gap = 0;
    let mut from = 0;
    while let Some(found) = find_word(&text[from..], b"@import", 0) {
        from += found + 7;
        let at = space_end(text, from);
        if !text[at..].starts_with(b"/*") {
            begins.insert(url_begin(text, at));
            continue;
        }
        let first = close.after(at + 2, text.len(), || memmem::find(&text[at + 2..], b"*/"));
        if !gap.contains(&first) {
            let mut end = text.len().min(first + 2);
            loop {
                end = space_end(text, end);
                if !text[end..].starts_with(b"/*") {
                    break;
                }
                let length = memmem::find(&text[end + 2..], b"*/");
                end = length.map_or(text.len(), |length| end + length + 4);
            }
            gap = first..end.max(first + 1);
            after_gap = url_begin(text, end);
        }
        begins.insert(after_gap);
    }
    begins
}

/// The position at which the URL of an `@import` begins. `at` is after the white space and the comments before it.
fn url_begin(text: &[u8], mut at: usize) -> usize {
    if has_word(text, at, b"url(") {
        at = space_end(text, at + 4);
    }
    match text.get(at) {
        Some(b'"' | b'\'') => space_end(text, at + 1),
        _ => at,
    }
}
