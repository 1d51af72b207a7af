//! A `data:` URL, and the document in it.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use memchr::memchr;
use percent_encoding::percent_decode;

use super::super::hidden::Clause;
use super::super::span::{ends_word, word_before};
use super::find::without_space;
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

    /// Parses what follows `data:`, up to the end of the URL. Its first comma is at `comma`.
    pub(super) fn of(rest: &'t [u8], comma: usize) -> Self {
        let begin = rest[..comma]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let begin = begin.count();
        let is_token =
            |byte: &&u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~/".contains(byte);
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
        if !ends_in_base64(self.parameters) {
            return self.read_content(&decoded, loads, written, findings);
        }
        if !ends_in(self.parameters, b"base64", without_spaces) {
            // For readers that keep to the standard, only spaces may be around the mark, and this is not base64.
            self.read_content(&decoded, loads, written, findings);
        }
        match decode_base64(decoded.into_owned()) {
            Some(octets) => self.read_content(&octets, loads, written, findings),
            // Nobody knows what is in it.
            None => findings.open(Clause::Charset, written),
        }
    }

    /// Reads the content of the URL after its escapes were resolved.
    fn read_content(
        &self,
        decoded: &[u8],
        loads: Loads,
        written: &dyn Fn() -> Range<usize>,
        findings: &mut Findings<'_>,
    ) {
        let mut charsets = self.charsets().peekable();
        let is_named = charsets.peek().is_some();
        let is_utf8 = self.charsets().all(words::is_utf8);
        if decoded.starts_with(b"\xff\xfe")
            || decoded.starts_with(b"\xfe\xff")
            || charsets.any(words::is_wide)
            || words::names_wide(decoded)
        {
            findings.open(Clause::Charset, written);
        }
        let subtype = self.kind().map_or(&b""[..], |(_, subtype)| subtype);
        // Few readers look at the type of a sheet, and a sheet can name its charset.
        let is_xml = loads != Loads::Sheet && ends_word(subtype, subtype.len(), b"xml");
        let is_utf8 = match is_named {
            true => is_utf8,
            false => is_xml && !words::names_other_encoding(decoded),
        };
        let is_sheet = loads == Loads::Sheet || self.kind.eq_ignore_ascii_case(b"text/css");
        let kind = if is_sheet {
            SoupKind::Sheet
        } else {
            SoupKind::Markup
        };
        Soup::inner(decoded, written, is_utf8, kind).read(findings);
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

/// Whether the part of a `data:` URL before its comma says that base64 follows, to any reader.
pub(super) fn ends_in_base64(head: &[u8]) -> bool {
    ends_in(head, b"base64", without_space_and_controls)
}

/// Whether a text ends in a semicolon and a word. `trim` is the length of a text without what may follow each of them.
fn ends_in(text: &[u8], word: &[u8], trim: impl Fn(&[u8]) -> usize) -> bool {
    let text = &text[..trim(text)];
    word_before(text, text.len(), word)
        .is_some_and(|begin| text[..trim(&text[..begin])].last() == Some(&b';'))
}

/// The length of a text without the spaces at its end.
fn without_spaces(text: &[u8]) -> usize {
    let spaces = text.iter().rev().take_while(|byte| **byte == b' ');
    text.len() - spaces.count()
}

/// The length of a text without the white space and the control characters at its end.
fn without_space_and_controls(text: &[u8]) -> usize {
    let mut end = without_space(text);
    while let Some(0..=b' ') = text[..end].last() {
        end = without_space(&text[..end - 1]);
    }
    end
}

/// Decodes percent escapes, with no more memory than the text takes.
pub(super) fn decode_percents(text: &[u8]) -> Cow<'_, [u8]> {
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
    // Decoding cannot fail. The text has only digits of base64, and a last digit that holds less than an octet was cut off.
    engine.decode(&text).ok()
}
