//! HTML into tags, text and comments (WHATWG HTML, section 13.2.5), keeping no more of a tag than links need.

mod raw;

use memchr::{memchr, memrchr};

use super::attribute::Attribute;
use super::names::{Name, name};
use super::span::Span;
use super::work;
pub(super) use raw::Raw;
use raw::{raw_end, script_end};

/// What tree construction needs of a tag besides its name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Details {
    /// It has a `color`, `face` or `size` attribute.
    pub(super) font: bool,
    /// Its `encoding` attribute.
    pub(super) encoding: Option<Span>,
    /// Its `type` attribute.
    pub(super) kind: Option<Span>,
    /// The same for two tags with the same attributes.
    pub(super) fingerprint: u64,
}

/// One token. A tag's particulars are in the [`Tokenizer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Start,
    End,
    /// Text, in which character references count.
    Text(Span),
    /// Text, in which they do not.
    Cdata(Span),
    /// The data of a comment.
    Comment(Span),
    /// What follows the word of a doctype.
    Doctype(Span),
    /// A comment that can hold no link.
    Other,
    Eof,
}

/// A tokenizer in the data state, at `position`.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokenizer {
    pub(super) position: usize,
    /// Whether [`Details`] are wanted.
    pub(super) detailed: bool,
    /// The name of the last tag.
    pub(super) name: Span,
    pub(super) self_closing: bool,
    /// Attributes of the last start tag, without repeated ones.
    pub(super) attributes: alloc::vec::Vec<(Attribute, Span)>,
    pub(super) details: Details,
    every: alloc::vec::Vec<(u64, u64)>,
}

impl Tokenizer {
    /// The next token. `foreign`: the current node is an element of SVG or MathML, where CDATA sections exist.
    #[inline]
    pub(super) fn next(&mut self, html: &[u8], foreign: bool) -> Token {
        let start = self.position;
        let mut searched = start;
        loop {
            let Some(at) = find(html, searched, b'<') else {
                self.position = html.len();
                return if start < html.len() {
                    Token::Text(Span::new(start, html.len()))
                } else {
                    Token::Eof
                };
            };
            let markup = match html.get(at.saturating_add(1)) {
                Some(b'/') => html
                    .get(at.saturating_add(2))
                    .is_some_and(|next| *next != b'>'),
                Some(b'!' | b'?') => true,
                Some(next) => next.is_ascii_alphabetic(),
                None => false,
            };
            if !markup {
                searched = at.saturating_add(1);
                continue;
            }
            if start < at {
                self.position = at;
                return Token::Text(Span::new(start, at));
            }
            return self.markup(html, at, foreign);
        }
    }

    #[inline]
    fn markup(&mut self, html: &[u8], at: usize, foreign: bool) -> Token {
        let inside = at.saturating_add(1);
        match html.get(inside) {
            Some(b'/') => {
                let begin = inside.saturating_add(1);
                if html.get(begin).is_some_and(u8::is_ascii_alphabetic) {
                    return if self.tag(html, begin, false) {
                        Token::End
                    } else {
                        self.unfinished()
                    };
                }
            }
            Some(b'!') => return self.declaration(html, inside.saturating_add(1), foreign),
            Some(b'?') => {}
            _ => {
                return if self.tag(html, inside, true) {
                    Token::Start
                } else {
                    self.unfinished()
                };
            }
        }
        self.position = find(html, inside, b'>').map_or(html.len(), |end| end.saturating_add(1));
        Token::Other
    }

    /// A tag that the document does not finish is none.
    fn unfinished(&mut self) -> Token {
        self.attributes.clear();
        Token::Eof
    }

    fn declaration(&mut self, html: &[u8], begin: usize, foreign: bool) -> Token {
        let rest = html.get(begin..).unwrap_or_default();
        if rest.starts_with(b"--") {
            return self.comment(html, begin.saturating_add(2));
        }
        if foreign && rest.starts_with(b"[CDATA[") {
            let data = begin.saturating_add(7);
            let end = html
                .get(data..)
                .and_then(|tail| memchr::memmem::find(tail, b"]]>"));
            let end = end.map_or(html.len(), |length| data.saturating_add(length));
            work::count(end.saturating_sub(data));
            self.position = end.saturating_add(3).min(html.len());
            return Token::Cdata(Span::new(data, end));
        }
        let end = find(html, begin, b'>').unwrap_or(html.len());
        self.position = end.saturating_add(1).min(html.len());
        match rest.get(..7) {
            Some(word) if word.eq_ignore_ascii_case(b"doctype") => {
                Token::Doctype(Span::new(begin.saturating_add(7), end))
            }
            _ => Token::Other,
        }
    }

    fn comment(&mut self, html: &[u8], begin: usize) -> Token {
        let rest = html.get(begin..).unwrap_or_default();
        for abrupt in [&b">"[..], b"->"] {
            if rest.starts_with(abrupt) {
                self.position = begin.saturating_add(abrupt.len());
                return Token::Comment(Span::new(begin, begin));
            }
        }
        let mut searched = begin;
        loop {
            let Some(at) = find(html, searched, b'>') else {
                self.position = html.len();
                return Token::Comment(Span::new(begin, html.len()));
            };
            let data = html.get(begin..at).unwrap_or_default();
            if let Some(data) = data
                .strip_suffix(b"--")
                .or_else(|| data.strip_suffix(b"--!"))
            {
                self.position = at.saturating_add(1);
                return Token::Comment(Span::new(begin, begin.saturating_add(data.len())));
            }
            searched = at.saturating_add(1);
        }
    }

    /// Reads a tag whose name begins at `begin`. `false`: the document ends first, so there is no such tag.
    #[inline]
    fn tag(&mut self, html: &[u8], begin: usize, start: bool) -> bool {
        self.attributes.clear();
        self.self_closing = false;
        let mut at = begin;
        while html.get(at).is_some_and(|byte| !ends_name(*byte)) {
            at = at.saturating_add(1);
        }
        self.name = Span::new(begin, at);
        if html.get(at) == Some(&b'>') && !self.detailed {
            self.position = at.saturating_add(1);
            return true;
        }
        self.details = Details::default();
        self.every.clear();
        let mut seen: u32 = 0;
        loop {
            let Some(byte) = html.get(at) else {
                work::count(at.saturating_sub(begin));
                self.position = html.len();
                return false;
            };
            match byte {
                b'>' => break,
                b'/' => {
                    at = at.saturating_add(1);
                    self.self_closing = html.get(at) == Some(&b'>');
                    continue;
                }
                b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => {
                    at = at.saturating_add(1);
                    continue;
                }
                _ => {}
            }
            let name_begin = at;
            at = at.saturating_add(1);
            while html
                .get(at)
                .is_some_and(|byte| !ends_name(*byte) && *byte != b'=')
            {
                at = at.saturating_add(1);
            }
            let spelling = Span::new(name_begin, at);
            at = skip_space(html, at);
            let mut value = Span::new(at, at);
            if html.get(at) == Some(&b'=') {
                at = skip_space(html, at.saturating_add(1));
                match html.get(at) {
                    Some(quote @ (b'"' | b'\'')) => {
                        let open = at.saturating_add(1);
                        let Some(close) = find(html, open, *quote) else {
                            self.position = html.len();
                            return false;
                        };
                        value = Span::new(open, close);
                        at = close.saturating_add(1);
                    }
                    Some(b'>') | None => value = Span::new(at, at),
                    Some(_) => {
                        let open = at;
                        while html
                            .get(at)
                            .is_some_and(|byte| *byte != b'>' && !byte.is_ascii_whitespace())
                        {
                            at = at.saturating_add(1);
                        }
                        value = Span::new(open, at);
                    }
                }
            }
            if !start {
                continue;
            }
            let spelling = spelling.bytes(html);
            if let Some(attribute) = Attribute::named(spelling)
                && seen & attribute.bit() == 0
            {
                seen |= attribute.bit();
                self.attributes.push((attribute, value));
            }
            if self.detailed {
                self.detail(spelling, value, html);
            }
        }
        work::count(at.saturating_sub(begin));
        self.position = at.saturating_add(1);
        if self.detailed {
            self.fingerprint();
        }
        true
    }

    fn detail(&mut self, spelling: &[u8], value: Span, html: &[u8]) {
        let name = name(spelling);
        match name {
            COLOR | FACE | SIZE => self.details.font = true,
            ENCODING if self.details.encoding.is_none() => self.details.encoding = Some(value),
            TYPE if self.details.kind.is_none() => self.details.kind = Some(value),
            _ => {}
        }
        self.every
            .push((hash(name.to_le_bytes().as_slice()), hash(value.bytes(html))));
    }

    /// Sorting, rather than a table, finds repeated attributes in time that no choice of names can spoil.
    fn fingerprint(&mut self) {
        self.every.sort_by_key(|(name, _)| *name);
        self.every.dedup_by_key(|(name, _)| *name);
        self.details.fingerprint = self.every.iter().fold(0, |sum: u64, (name, value)| {
            sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15)
                ^ name.wrapping_add(value.rotate_left(32))
        });
    }

    /// Reads the content of a raw element up to its end tag, and that tag.
    pub(super) fn raw(&mut self, html: &[u8], raw: Raw) -> Span {
        let begin = self.position;
        let element = self.name.bytes(html);
        let end = match raw {
            Raw::Plaintext => None,
            Raw::Script => script_end(html, begin),
            _ => raw_end(html, begin, element),
        };
        let Some(end) = end else {
            self.position = html.len();
            return Span::new(begin, html.len());
        };
        // An end tag that the document does not finish ends the content all the same.
        self.tag(html, end.saturating_add(2), false);
        Span::new(begin, end)
    }
}

const COLOR: Name = name(b"color");
const FACE: Name = name(b"face");
const SIZE: Name = name(b"size");
const ENCODING: Name = name(b"encoding");
const TYPE: Name = name(b"type");

const NEAR: usize = 8;

/// The first `byte` of `html` at or after `from`.
#[inline]
fn find(html: &[u8], from: usize, byte: u8) -> Option<usize> {
    let rest = html.get(from..)?;
    // Most of what is looked for is near, where a call costs more than the search.
    let found = match rest.iter().take(NEAR).position(|other| *other == byte) {
        Some(near) => Some(near),
        None => memchr(byte, rest.get(NEAR..).unwrap_or_default())
            .map(|length| length.saturating_add(NEAR)),
    };
    work::count(found.unwrap_or(rest.len()).saturating_add(1));
    found.map(|length| from.saturating_add(length))
}

#[inline]
const fn ends_name(byte: u8) -> bool {
    matches!(byte, b' ' | b'>' | b'/' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

#[inline]
fn skip_space(html: &[u8], mut at: usize) -> usize {
    while html.get(at).is_some_and(u8::is_ascii_whitespace) {
        at = at.saturating_add(1);
    }
    at
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The part of a conditional comment's data that some mail readers take for HTML; none where no end is marked.
pub(super) fn conditional(html: &[u8], data: Span) -> Option<Span> {
    let bytes = data.bytes(html);
    work::count(bytes.len());
    if !bytes.get(..3)?.eq_ignore_ascii_case(b"[if") {
        return None;
    }
    let begin = memchr::memmem::find(bytes, b"]>")?.checked_add(2)?;
    let mut searched = bytes.len();
    loop {
        let at = begin.saturating_add(memrchr(b'<', bytes.get(begin..searched)?)?);
        if bytes
            .get(at..at.saturating_add(9))
            .is_some_and(|tail| tail.eq_ignore_ascii_case(b"<![endif]"))
        {
            return Some(Span::new(begin, at).shifted(data.start));
        }
        searched = at;
    }
}
