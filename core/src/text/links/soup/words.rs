//! The words that show that a document in a document holds another one, computes what it shows, or names a charset.

use alloc::vec::Vec;

use memchr::memchr;

use super::super::hidden::Clause;
use super::super::span::has_word;
use super::find::{find_word, space_at, space_end};
use super::texts::Text;
use super::{Findings, Soup, SoupKind};

/// Looks in one of the four texts of a document in a document for words that leave open what it shows.
pub(super) fn read(soup: &Soup<'_>, text: &Text<'_>, findings: &mut Findings<'_>) {
    if findings.hidden.is_some() {
        return;
    }
    let bytes = text.bytes;
    let words: [(&[u8], usize, bool); 5] = [
        (b"srcdoc", 2, true),
        (b"<!attlist", 1, true),
        (b"www.w3.org/1999/xsl/transform", 3, true),
        (b"image-set", 5, soup.kind == SoupKind::Sheet),
        (b"<!entity", 1, true),
    ];
    let mut found = None;
    for (word, rare, is_wanted) in words {
        let mut from = 0;
        while is_wanted
            && found.is_none()
            && let Some(length) = find_word(&bytes[from..], word, rare)
        {
            let at = from + length;
            from = at + word.len();
            if word != b"<!entity" || !is_plain_entity(&bytes[from..]) {
                found = Some(at..from);
            }
        }
    }
    if let Some(found) = found {
        findings.open(Clause::Nested, || soup.written(text, found));
    }
}

/// Whether the value of an entity is a whole URL with a path, from which nothing can be put together. Drawing programs
/// write entities of this kind: `ENTITY ns_svg "http://www.w3.org/2000/svg"`.
fn is_plain_entity(rest: &[u8]) -> bool {
    let is_odd = |byte: &u8| matches!(byte, b'&' | b'%');
    let is_odd_in_host =
        |byte: &u8| is_odd(byte) || matches!(byte, b'"' | b'\'') || byte.is_ascii_whitespace();
    entity_url(rest).is_some_and(|(host, path)| {
        !host.is_empty() && !host.iter().any(is_odd_in_host) && !path.iter().any(is_odd)
    })
}

/// The host and the path of the URL that is the value of an entity.
fn entity_url(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = after_space(rest)?;
    let name = (0..rest.len()).find(|at| space_at(&rest[*at..]) > 0)?;
    let Some((quote @ (b'"' | b'\''), value)) = after_space(&rest[name..])?.split_first() else {
        return None;
    };
    let value = &value[..memchr(*quote, value)?];
    let schemes = [&b"https://"[..], b"http://"];
    let scheme = schemes.iter().find(|scheme| has_word(value, 0, scheme))?;
    let url = &value[scheme.len()..];
    Some(url.split_at(memchr(b'/', url)?))
}

/// The text after the white space that it begins with; `None` if it does not begin with any.
fn after_space(text: &[u8]) -> Option<&[u8]> {
    let end = space_end(text, 0);
    (end > 0).then(|| &text[end..])
}

/// Whether a label names UTF-8 (WHATWG Encoding, section 4.2).
pub(super) fn is_utf8(label: &[u8]) -> bool {
    let labels: [&[u8]; 6] = [
        b"utf-8",
        b"utf8",
        b"unicode-1-1-utf-8",
        b"unicode11utf8",
        b"unicode20utf8",
        b"x-unicode20utf8",
    ];
    labels.iter().any(|known| label.eq_ignore_ascii_case(known))
}

/// The beginnings of the labels of UTF-16 and of ISO-2022, without hyphens.
const WIDE: [&[u8]; 6] = [
    b"utf16",
    b"ucs2",
    b"iso10646ucs2",
    b"iso2022",
    b"csiso2022",
    b"hzgb2312",
];

/// Labels of UTF-16 that are compared as a whole, because other labels that begin like them name UTF-8.
const WIDE_WHOLE: [&[u8]; 4] = [b"csunicode", b"unicode", b"unicodefeff", b"unicodefffe"];

/// Whether a label names UTF-16 or ISO-2022, whose letters may be written with the bytes of others.
pub(in super::super) fn is_wide(label: &[u8]) -> bool {
    // More letters than any of these words has.
    const LONGEST: usize = 24;
    let letters = label.iter().filter(|byte| **byte != b'-').take(LONGEST);
    let plain: Vec<u8> = letters.map(u8::to_ascii_lowercase).collect();
    WIDE.iter().any(|word| plain.starts_with(word)) || WIDE_WHOLE.contains(&plain.as_slice())
}

/// The labels that follow `word` in a text, which is `charset` or `encoding`.
fn named<'t>(text: &'t [u8], word: &'static [u8]) -> impl Iterator<Item = &'t [u8]> {
    let mut rest = text;
    core::iter::from_fn(move || {
        let at = find_word(rest, word, 0)?;
        rest = &rest[at + word.len()..];
        let mut label = rest.trim_ascii_start();
        label = label.strip_prefix(b"=").unwrap_or(label).trim_ascii_start();
        label = label
            .strip_prefix(b"\"")
            .or_else(|| label.strip_prefix(b"'"))
            .unwrap_or(label)
            .trim_ascii_start();
        let is_label = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let length = label.iter().take(32).take_while(is_label).count();
        Some(&label[..length])
    })
}

/// Whether a document names UTF-16 or ISO-2022.
pub(super) fn names_wide(document: &[u8]) -> bool {
    let cleaned = super::texts::clean(document);
    let mut labels = named(&cleaned, b"charset").chain(named(&cleaned, b"encoding"));
    labels.any(is_wide)
}

/// Whether a document of XML names another encoding than UTF-8.
pub(super) fn names_other_encoding(document: &[u8]) -> bool {
    named(document, b"encoding").any(|label| !label.is_empty() && !is_utf8(label))
}
