//! The parts of soup that are read as the tokenizer reads them: the tags that load a document of any type, `srcdoc`, and
//! linked data.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2};

use super::super::hidden::Clause;
use super::super::lists;
use super::super::references::{self, Context};
use super::super::span::{has_word, skip, skip_space};
use super::super::work;
use super::data::{Data, Loads};
use super::find::{Next, find_word, space_at};
use super::{Findings, Soup, SoupKind, linked_data, texts, words};
use crate::bytes::bits::Bits;

/// Reads the documents that tags of soup load, whatever type the documents name.
pub(super) fn read(soup: &Soup<'_>, findings: &mut Findings<'_>) {
    if soup.kind == SoupKind::Json {
        // In linked data, `data:` begins a URL only at the beginning of the string. In a tag it is never there.
        return;
    }
    let mut budget = TagBudget::of(soup.text);
    read_loading(soup, &mut budget, findings);
    if !soup.is_inner {
        read_srcdocs(soup, findings);
        read_scripts(soup, &mut budget, findings);
    }
}

/// The bytes of tags that may still be read in a text. In soup a tag can begin within another one, and both can go on to the
/// end of the text. So the tags can together be much longer than the text.
struct TagBudget(usize);

impl TagBudget {
    /// A budget for tags that are together twice as long as the text. A short text gets more: it costs little in any case.
    const fn of(text: &[u8]) -> Self {
        Self(text.len() * 2 + 4096)
    }

    /// Takes a tag from the budget, and returns whether there was enough left. If there was not, any host counts as named.
    fn take(&mut self, soup: &Soup<'_>, tag: Range<usize>, findings: &mut Findings<'_>) -> bool {
        let left = self.0.checked_sub(tag.len());
        match left {
            Some(left) => self.0 = left,
            None => findings.open(Clause::TooMany, || {
                soup.written_raw(tag.start..tag.start + 1)
            }),
        }
        left.is_some()
    }
}

/// The elements that load a document, or a style sheet.
const LOADING: [(&[u8], Loads); 5] = [
    (b"link", Loads::Sheet),
    (b"iframe", Loads::Document),
    (b"frame", Loads::Document),
    (b"object", Loads::Document),
    (b"embed", Loads::Document),
];

/// The way in which the tag at `at` loads a document, and the end of its name, which may have a prefix.
fn loading(text: &[u8], at: usize) -> Option<(Loads, usize)> {
    if has_word(text, at, b"<?xml-stylesheet") {
        let end = at + 16;
        return (space_at(&text[end..]) > 0).then_some((Loads::Sheet, end));
    }
    LOADING.iter().find_map(|(name, loads)| {
        let end = named_end(text, at, name)?;
        Some((*loads, end))
    })
}

/// The end of the name of the tag at `at`, if it is `name`, with a prefix or without.
pub(super) fn named_end(text: &[u8], at: usize, name: &[u8]) -> Option<usize> {
    let begin = at + 1;
    let ends = |end: usize| match text.get(end) {
        Some(b'/' | b'>') => true,
        Some(_) => space_at(&text[end..]) > 0,
        None => false,
    };
    if has_word(text, begin, name) && ends(begin + name.len()) {
        return Some(begin + name.len());
    }
    let local = local_name(text, begin);
    (local > begin && has_word(text, local, name) && ends(local + name.len()))
        .then(|| local + name.len())
}

/// The position after the prefix of the name that begins at `begin`; `begin` if it has no prefix.
pub(super) fn local_name(text: &[u8], begin: usize) -> usize {
    let is_of_prefix = |byte: &&u8| {
        !byte.is_ascii_whitespace()
            && !matches!(byte, b'<' | b'>' | b'/' | b'"' | b'\'' | b'=' | b':')
    };
    let name = text.get(begin..).map_or(&[][..], |rest| rest);
    match name.iter().take_while(is_of_prefix).count() {
        prefix if prefix > 0 && name.get(prefix) == Some(&b':') => begin + prefix + 1,
        _ => begin,
    }
}

fn read_loading(soup: &Soup<'_>, budget: &mut TagBudget, findings: &mut Findings<'_>) {
    let text = soup.text;
    let mut from = 0;
    while let Some((at, loads, name_end)) = next_loading(text, from) {
        from = name_end;
        let mut rels = Vec::new();
        let mut is_wide = false;
        let end = attributes(text, name_end, |name, value| {
            if name.eq_ignore_ascii_case(b"rel") {
                rels.extend(attribute_value(&text[value]));
                rels.push(b' ');
            } else if name.eq_ignore_ascii_case(b"charset") {
                is_wide |= words::is_wide(attribute_value(&text[value]).trim_ascii());
            }
        });
        if !budget.take(soup, at..end, findings) {
            return;
        }
        let is_link = loads == Loads::Sheet && text.get(at + 1) != Some(&b'?');
        if is_link && is_icon(&rels) {
            continue;
        }
        attributes(text, name_end, |_, value| {
            read_value(soup, value, loads, is_wide, findings);
        });
    }
}

fn next_loading(text: &[u8], from: usize) -> Option<(usize, Loads, usize)> {
    memchr::memchr_iter(b'<', &text[from..]).find_map(|found| {
        let at = from + found;
        let (loads, end) = loading(text, at)?;
        Some((at, loads, end))
    })
}

/// Reads the value of an attribute if it is a `data:` URL.
fn read_value(
    soup: &Soup<'_>,
    value: Range<usize>,
    loads: Loads,
    is_wide: bool,
    findings: &mut Findings<'_>,
) {
    let raw = &soup.text[value.clone()];
    if memchr2(b':', b'&', raw).is_none() {
        return;
    }
    let decoded = attribute_value(raw);
    let cleaned = texts::clean(&decoded);
    let url = &cleaned[cleaned.iter().take_while(|byte| **byte <= b' ').count()..];
    if !has_word(url, 0, b"data:") {
        return;
    }
    if let Some(data) = Data::parse(&url[5..])
        && data.is_read(loads)
    {
        let written = || soup.written_raw(value.clone());
        if is_wide {
            findings.open(Clause::Charset, written);
        }
        match soup.is_inner {
            true => findings.open(Clause::Nested, written),
            false => data.read(loads, &written, findings),
        }
    }
}

/// The value of an attribute, with its references resolved. NULs stay here, and are left out of the texts of soup.
fn attribute_value(raw: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(raw.len());
    let raw = String::from_utf8_lossy(raw);
    references::decode(&raw, Context::Attribute, "\0", |piece, _| {
        value.extend_from_slice(piece.as_bytes());
    });
    value
}

/// Whether the words of all `rel` attributes of a tag name icons, and nothing else. Mail readers do not load an icon as a
/// style sheet.
pub(in super::super) fn is_icon(rels: &[u8]) -> bool {
    const ICONS: [&[u8]; 5] = [
        b"icon",
        b"shortcut",
        b"apple-touch-icon",
        b"apple-touch-icon-precomposed",
        b"mask-icon",
    ];
    let words = rels.split(u8::is_ascii_whitespace);
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        && words.all(|word| ICONS.iter().any(|icon| word.eq_ignore_ascii_case(icon)))
}

/// Hands out the attributes of a tag whose name ends at `at`, each with its name and its value. Returns the position after
/// the tag.
fn attributes(text: &[u8], mut at: usize, mut each: impl FnMut(&[u8], Range<usize>)) -> usize {
    let first = at;
    loop {
        at = skip(text, at, |byte| byte.is_ascii_whitespace() || byte == b'/');
        if matches!(text.get(at), None | Some(b'>')) {
            break;
        }
        let begin = at;
        at = skip(text, at + 1, |byte| {
            !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>' | b'=')
        });
        let name = begin..at;
        at = skip_space(text, at);
        let mut value = at..at;
        if text.get(at) == Some(&b'=') {
            (value, at) = value_at(text, skip_space(text, at + 1));
        }
        each(&text[name], value);
    }
    let end = text.len().min(at + 1);
    work::count(end - first);
    end
}

/// The value of an attribute that begins at `at`, perhaps with a quote, and the position after it.
fn value_at(text: &[u8], at: usize) -> (Range<usize>, usize) {
    if let Some(quote @ (b'"' | b'\'')) = text.get(at) {
        let open = at + 1;
        let length = memchr(*quote, &text[open..]);
        let close = length.map_or(text.len(), |length| open + length);
        return (open..close, text.len().min(close + 1));
    }
    let end = skip(text, at, |byte| !byte.is_ascii_whitespace() && byte != b'>');
    (at..end, end)
}

/// Reads the value after each `srcdoc=`, wherever it is. A `srcdoc` inside another one is not read: [`words`] reports it.
fn read_srcdocs(soup: &Soup<'_>, findings: &mut Findings<'_>) {
    let text = soup.text;
    let mut from = 0;
    while let Some(found) = find_word(&text[from..], b"srcdoc", 2) {
        from += found + 6;
        let at = skip_space(text, from);
        if text.get(at) != Some(&b'=') {
            continue;
        }
        let (value, _) = value_at(text, skip_space(text, at + 1));
        from = value.end;
        let decoded = attribute_value(&text[value.clone()]);
        let written = || soup.written_raw(value.clone());
        Soup::inner(&decoded, &written, true, SoupKind::Markup).read(findings);
    }
}

/// Reads the linked data of scripts.
fn read_scripts(soup: &Soup<'_>, budget: &mut TagBudget, findings: &mut Findings<'_>) {
    let text = soup.text;
    let mut close = Next::default();
    let mut quote = Next::default();
    let mut strings = Bits::default();
    let mut from = 0;
    while let Some(found) = find_word(&text[from..], b"<script", 0) {
        let at = from + found;
        from = at + 7;
        let Some(name_end) = named_end(text, at, b"script") else {
            continue;
        };
        let mut is_linked_data = false;
        let end = attributes(text, name_end, |name, value| {
            is_linked_data |= name.eq_ignore_ascii_case(b"type")
                && lists::is_linked_data(&attribute_value(&text[value]));
        });
        if !budget.take(soup, at..end, findings) {
            return;
        }
        if !is_linked_data {
            continue;
        }
        let body = close.after(end, text.len(), || find_word(&text[end..], b"</script", 0));
        // Many scripts can have one body.
        let first = quote.after(end, text.len(), || memchr(b'"', &text[end..]));
        if first < body {
            let written = || soup.written_raw(end..body);
            linked_data::read_strings(&text[first..body], &written, findings, &mut |string| {
                strings.insert(first + string)
            });
        }
    }
}
