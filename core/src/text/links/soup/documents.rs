//! Documents in documents: the `data:` URLs of soup, each decoded once.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use memchr::{memchr, memmem};
use percent_encoding::percent_decode;

use super::super::hidden::Clause;
use super::super::span::word_before;
use super::super::work;
use super::texts::{
    Next, Text, ends_word, find_space_or, find_word, has_word, space_at, without_space,
};
use super::{Findings, Soup, SoupKind, words};

/// The way in which a `data:` URL is loaded, which decides what types of it are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Loads {
    /// As its type says.
    ByType,
    /// As a document: `iframe`, `frame`, `object`, `embed`.
    Document,
    /// As a style sheet, whatever its type: `link`, `@import`, `<?xml-stylesheet`.
    Sheet,
}

/// A `data:` URL, without tabs and line breaks.
pub(super) struct Data<'t> {
    kind: &'t [u8],
    parameters: &'t [u8],
    body: &'t [u8],
}

impl<'t> Data<'t> {
    /// Parses what follows `data:`.
    pub(super) fn parse(rest: &'t [u8]) -> Option<Self> {
        Some(Self::of(rest, memchr(b',', rest)?))
    }

    fn of(rest: &'t [u8], comma: usize) -> Self {
        let begin = rest[..comma]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let begin = begin.count();
        let is_token = |byte: &&u8| is_token(**byte) || **byte == b'/';
        let end = begin + rest[begin..comma].iter().take_while(is_token).count();
        Self {
            kind: &rest[begin..end],
            parameters: &rest[end..comma],
            body: &rest[comma + 1..],
        }
    }

    /// The two parts of the type, unless it is absent or malformed.
    fn kind(&self) -> Option<(&'t [u8], &'t [u8])> {
        let slash = memchr(b'/', self.kind)?;
        let (kind, subtype) = (&self.kind[..slash], &self.kind[slash + 1..]);
        let next = self
            .parameters
            .iter()
            .find(|byte| !byte.is_ascii_whitespace());
        let is_whole = matches!(next, None | Some(b';'));
        let is_sound = !kind.is_empty() && !subtype.is_empty() && memchr(b'/', subtype).is_none();
        (is_whole && is_sound).then_some((kind, subtype))
    }

    /// Whether it is read as a document.
    pub(super) fn is_read(&self, loads: Loads) -> bool {
        let Some((kind, subtype)) = self.kind() else {
            return true;
        };
        let is = |word: &[u8]| kind.eq_ignore_ascii_case(word);
        let is_xml = ends_word(subtype, subtype.len(), b"xml");
        match loads {
            Loads::Sheet => true,
            Loads::Document => {
                let is_picture = is(b"image") && !is_xml || is(b"audio") || is(b"video");
                let is_pdf = is(b"application") && subtype.eq_ignore_ascii_case(b"pdf");
                !is_picture && !is_pdf && !is(b"font")
            }
            Loads::ByType => is(b"text") || is_xml || ends_word(subtype, subtype.len(), b"html"),
        }
    }

    /// Reads the document, as soup.
    pub(super) fn read(
        &self,
        loads: Loads,
        written: &dyn Fn() -> Range<usize>,
        findings: &mut Findings<'_>,
    ) {
        let decoded = decode_percents(self.body);
        let decoded = match ends_in_base64(self.parameters) {
            true => decode_base64(decoded.into_owned()).map(Cow::Owned),
            false => Some(decoded),
        };
        let Some(decoded) = decoded else {
            // Nobody knows what is in it.
            findings.open(Clause::Charset, written);
            return;
        };
        let mut charsets = self.charsets().peekable();
        let is_named = charsets.peek().is_some();
        let is_utf8 = self.charsets().all(words::is_utf8);
        if decoded.starts_with(b"\xff\xfe")
            || decoded.starts_with(b"\xfe\xff")
            || charsets.any(words::is_wide)
            || words::names_wide(&decoded)
        {
            findings.open(Clause::Charset, written);
        }
        let subtype = self.kind().map_or(&b""[..], |(_, subtype)| subtype);
        // Few readers look at the type of a sheet, and a sheet can name its charset.
        let is_xml = loads != Loads::Sheet && ends_word(subtype, subtype.len(), b"xml");
        let is_utf8 = match is_named {
            true => is_utf8,
            false => is_xml && !words::names_other_encoding(&decoded),
        };
        let is_sheet = loads == Loads::Sheet || self.kind.eq_ignore_ascii_case(b"text/css");
        let kind = if is_sheet {
            SoupKind::Sheet
        } else {
            SoupKind::Markup
        };
        Soup::inner(&decoded, written, is_utf8, kind).read(findings);
    }

    /// The charsets that it names. Readers differ on which of several counts.
    fn charsets(&self) -> impl Iterator<Item = &'t [u8]> {
        let parameters = self.parameters.split(|byte| *byte == b';').skip(1);
        parameters.filter_map(|parameter| {
            let equals = memchr(b'=', parameter)?;
            let name = parameter[..equals].trim_ascii();
            let value = parameter[equals + 1..].trim_ascii();
            let value = value.strip_prefix(b"\"").unwrap_or(value);
            let ends = |byte: &u8| *byte == b'"' || byte.is_ascii_whitespace();
            name.eq_ignore_ascii_case(b"charset")
                .then(|| value.split(ends).next().unwrap_or(value))
        })
    }
}

const fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'!' | b'#'
                | b'$'
                | b'%'
                | b'&'
                | b'\''
                | b'*'
                | b'+'
                | b'.'
                | b'^'
                | b'_'
                | b'`'
                | b'|'
                | b'~'
                | b'-'
        )
}

/// Whether the part of a `data:` URL before its comma says that base64 follows.
pub(super) fn ends_in_base64(head: &[u8]) -> bool {
    let head = &head[..without_space(head)];
    word_before(head, head.len(), b"base64")
        .is_some_and(|begin| head[..without_space(&head[..begin])].last() == Some(&b';'))
}

/// Decodes percent escapes, with no more memory than the text takes.
fn decode_percents(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr(b'%', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    decoded.extend(percent_decode(text));
    Cow::Owned(decoded)
}

/// Decodes base64 as far as it goes, without white space and whatever its padding is.
fn decode_base64(mut text: Vec<u8>) -> Option<Vec<u8>> {
    text.retain(|byte| !byte.is_ascii_whitespace());
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    let digits = text.iter().take_while(|byte| is_digit(byte)).count();
    // A digit alone is not an octet.
    text.truncate(if digits % 4 == 1 { digits - 1 } else { digits });
    const CONFIG: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&STANDARD, CONFIG);
    // This cannot fail: the text holds nothing but digits, and as many as octets need.
    engine.decode(&text).ok()
}

/// The ends that `data:` URLs have in soup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UrlEnd {
    Space,
    /// White space, or a tab or line break that was taken out, which ends a value without quotes.
    Line,
    DoubleQuote,
    SingleQuote,
    Parenthesis,
}

/// The next end of each kind. It is remembered until it is passed, so that many URLs with one end cost one search.
#[derive(Default)]
struct NextEnds {
    space: Next,
    gap: Next,
    double_quote: Next,
    single_quote: Next,
    parenthesis: Next,
}

impl NextEnds {
    /// The end of this kind of a URL whose scheme ends at `from`.
    fn after(&mut self, kind: UrlEnd, text: &Text<'_>, from: usize) -> usize {
        let rest = &text.bytes[from..];
        let end = text.bytes.len();
        match kind {
            UrlEnd::Space => self.space.after(from, end, || find_space_or(rest, b'>')),
            UrlEnd::Line => {
                // The search for white space does not end at a gap, so it has to be remembered beyond the gap.
                let space = self.space.after(from, end, || find_space_or(rest, b'>'));
                let gap = self.gap.next_of(text.gaps, from);
                gap.map_or(space, |gap| gap.min(space))
            }
            UrlEnd::DoubleQuote => self.double_quote.after(from, end, || memchr(b'"', rest)),
            UrlEnd::SingleQuote => self.single_quote.after(from, end, || memchr(b'\'', rest)),
            UrlEnd::Parenthesis => self.parenthesis.after(from, end, || memchr(b')', rest)),
        }
    }
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
            let loads = match imports.binary_search(&at) {
                Ok(_) => Loads::Sheet,
                Err(_) => Loads::ByType,
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
fn imports_of(text: &[u8]) -> Vec<usize> {
    let mut begins = Vec::new();
    let mut close = Next::default();
    // Comments that follow one another. Each of them leads to the same URL, which begins at `after_gap`.
    let mut gap = 0..0;
    let mut after_gap = 0;
    let mut from = 0;
    while let Some(found) = find_word(&text[from..], b"@import", 0) {
        from += found + 7;
        let at = space_end(text, from);
        if !text[at..].starts_with(b"/*") {
            begins.push(url_begin(text, at));
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
        begins.push(after_gap);
    }
    begins.sort_unstable();
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

fn space_end(text: &[u8], mut at: usize) -> usize {
    loop {
        work::count(1);
        match space_at(&text[at..]) {
            0 => return at,
            length => at += length,
        }
    }
}
