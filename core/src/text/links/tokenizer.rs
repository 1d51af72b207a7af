//! Splits HTML into tags, text and comments (WHATWG HTML, section 13.2.5). It keeps no more of a tag than links need.

use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memrchr};

use super::attribute::Attribute;
use super::element::Element;
use super::search::{find, text_end, value_end};
use super::span::{Span, has_word, skip, tail};
use super::words::first_letters;
use super::work;
use crate::bytes::class::{ByteTable, byte_table};
use crate::text::unicode;

/// One token. The name and the attributes of a tag are in the [`Tokenizer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Start,
    End,
    /// Text, in which character references count. [`Tokenizer::may_hold_link`] says whether it may hold a link.
    Text(Span),
    /// The data of a comment.
    Comment(Span),
    /// A token that cannot hold a link: a doctype, a comment that does not begin with `<!--`, or an end tag that the
    /// document does not finish.
    Other,
    Eof,
}

/// A tokenizer in the data state, at `position`.
#[derive(Clone, Debug, Default)]
pub(super) struct Tokenizer {
    pub(super) position: usize,
    /// Whether it is known that no comment from here on has an end.
    pub(super) is_endless: bool,
    /// Whether the document has vertical tabs. Some readers take them for white space in a tag.
    pub(super) has_vertical_tab: bool,
    /// The name of the last tag.
    pub(super) name: Span,
    /// The kind of element that the last tag names.
    pub(super) element: Element,
    /// The attributes of the last start tag, including repeated ones, each with its value and whether that may be CSS with
    /// a URL.
    pub(super) attributes: Vec<(Attribute, Span, bool)>,
    /// Whether the last text may hold a link.
    pub(super) may_hold_link: bool,
}

impl Tokenizer {
    /// The next token.
    #[inline]
    pub(super) fn next(&mut self, html: &[u8]) -> Token {
        let start = self.position;
        let mut searched = start;
        self.may_hold_link = false;
        loop {
            let (end, may_hold_link) = text_end(html, searched);
            self.may_hold_link |= may_hold_link;
            let Some(at) = end else {
                self.position = html.len();
                return if start < html.len() {
                    Token::Text(Span::new(start, html.len()))
                } else {
                    Token::Eof
                };
            };
            let markup = match html.get(at + 1) {
                Some(b'/') => html.get(at + 2).is_some_and(|next| *next != b'>'),
                Some(b'!' | b'?') => true,
                Some(next) => next.is_ascii_alphabetic(),
                None => false,
            };
            if !markup {
                // Text with a `<` of its own is always searched for links.
                self.may_hold_link = true;
                searched = at + 1;
                continue;
            }
            if start < at {
                self.position = at;
                return Token::Text(Span::new(start, at));
            }
            return self.markup(html, at);
        }
    }

    #[inline]
    fn markup(&mut self, html: &[u8], at: usize) -> Token {
        let inside = at + 1;
        match html.get(inside) {
            Some(b'/') => {
                let begin = inside + 1;
                if html.get(begin).is_some_and(u8::is_ascii_alphabetic) {
                    let is_finished = self.tag(html, begin, false);
                    return if is_finished {
                        Token::End
                    } else {
                        Token::Other
                    };
                }
            }
            Some(b'!') if tail(html, inside).starts_with(b"!--") => {
                return self.comment(html, inside + 3);
            }
            Some(b'!' | b'?') => {}
            _ => {
                self.tag(html, inside, true);
                return Token::Start;
            }
        }
        self.position = find(html, inside, b'>').map_or(html.len(), |end| end + 1);
        Token::Other
    }

    fn comment(&mut self, html: &[u8], begin: usize) -> Token {
        let rest = tail(html, begin);
        for abrupt in [&b">"[..], b"->"] {
            if rest.starts_with(abrupt) {
                self.position = begin + abrupt.len();
                return Token::Comment(Span::new(begin, begin));
            }
        }
        let mut searched = if self.is_endless { html.len() } else { begin };
        loop {
            let Some(at) = find(html, searched, b'>') else {
                self.is_endless = true;
                self.position = html.len();
                return Token::Comment(Span::new(begin, html.len()));
            };
            let data = Span::new(begin, at).bytes(html);
            if let Some(data) = data
                .strip_suffix(b"--")
                .or_else(|| data.strip_suffix(b"--!"))
            {
                self.position = at + 1;
                return Token::Comment(Span::new(begin, begin + data.len()));
            }
            searched = at + 1;
        }
    }

    /// Reads a tag whose name begins at `begin`, up to its end or the end of the document. Returns whether the tag has an
    /// end.
    #[inline]
    pub(super) fn tag(&mut self, html: &[u8], begin: usize, start: bool) -> bool {
        self.attributes.clear();
        let mut at = self.tag_name(html, begin);
        let is_odd = start && self.has_vertical_tab;
        if html.get(at) == Some(&b'>') && !is_odd {
            self.position = at + 1;
            return true;
        }
        at = self.read_attributes::<false>(html, at, start);
        if is_odd && memchr(VERTICAL_TAB, Span::new(begin, at).bytes(html)).is_some() {
            let name_end = skip(html, begin, |byte| !ends_name(byte) && byte != VERTICAL_TAB);
            self.read_attributes::<true>(html, name_end, true);
        }
        work::count(at - begin);
        self.position = (at + 1).min(html.len());
        at < html.len()
    }

    /// Reads the name of a tag that begins at `begin`, and returns its end.
    #[inline]
    fn tag_name(&mut self, html: &[u8], begin: usize) -> usize {
        let (length, word) = first_letters(html, begin);
        let mut end = begin + length;
        let is_whole = length > 0 && html.get(end).is_some_and(|byte| ends_name(*byte));
        if !is_whole {
            end = skip(html, end, |byte| !ends_name(byte));
        }
        self.name = Span::new(begin, end);
        let name = self.name.bytes(html);
        self.element = match is_whole {
            true => Element::of_word(word, name),
            false => Element::named(name),
        };
        end
    }

    /// Reads the attributes of a tag whose name ends at `at`. Returns the position of the tag's `>`, or the end of the
    /// document. With `VERTICAL`, a vertical tab is white space.
    #[inline]
    fn read_attributes<const VERTICAL: bool>(
        &mut self,
        html: &[u8],
        mut at: usize,
        start: bool,
    ) -> usize {
        let is_space = |byte| is(byte, SPACE) || VERTICAL && byte == VERTICAL_TAB;
        let mut passed = 0;
        while let Some(byte) = html.get(at).copied() {
            if byte == b'>' {
                break;
            }
            if byte == b'/' || is_space(byte) {
                at += 1;
                continue;
            }
            let begin = at;
            let (length, word) = first_letters(html, begin);
            at += length;
            let is_whole = length > 0 && html.get(at).is_some_and(|byte| is(*byte, ENDS_ATTRIBUTE));
            if !is_whole {
                // The first byte always belongs to the name.
                at = skip(html, at.max(begin + 1), |byte| {
                    !is(byte, ENDS_ATTRIBUTE) && !is_space(byte)
                });
            }
            let spelling = Span::new(begin, at).bytes(html);
            let known = match is_whole {
                true => Attribute::of_word(word, spelling),
                false => attribute(spelling),
            };
            at = skip(html, at, is_space);
            let mut value = Span::new(at, at);
            let mut may_hold_url = true;
            if html.get(at) == Some(&b'=') {
                at = skip(html, at + 1, is_space);
                match html.get(at) {
                    Some(quote @ (b'"' | b'\'')) => {
                        let open = at + 1;
                        let close;
                        (close, may_hold_url) = value_end(html, open, *quote);
                        value = Span::new(open, close);
                        at = close + 1;
                    }
                    _ => {
                        let open = at;
                        at = skip(html, at, |byte| byte != b'>' && !is_space(byte));
                        value = Span::new(open, at);
                    }
                }
            }
            if start && let Some(attribute) = known {
                let attribute = (attribute, value, may_hold_url);
                if !VERTICAL || !self.has_read(attribute, &mut passed) {
                    self.add(attribute);
                }
            }
        }
        at
    }

    /// Adds an attribute. A list of very many grows by little at a time: if it doubled, it could take more than eight times
    /// the HTML.
    #[inline]
    fn add(&mut self, attribute: (Attribute, Span, bool)) {
        const MANY: usize = 1024;
        let count = self.attributes.len();
        if count >= MANY && count == self.attributes.capacity() {
            self.attributes.reserve_exact(count / 16);
        }
        self.attributes.push(attribute);
    }

    /// Whether the reading in which a vertical tab is not white space has this attribute, too. Its attributes come first in the
    /// list, in the order of their values. `passed` counts the ones before this attribute.
    fn has_read(&self, attribute: (Attribute, Span, bool), passed: &mut usize) -> bool {
        let (_, value, _) = attribute;
        while let Some((_, read, _)) = self.attributes.get(*passed)
            && read.start < value.start
        {
            *passed += 1;
        }
        self.attributes.get(*passed) == Some(&attribute)
    }
}

pub(super) const VERTICAL_TAB: u8 = 0x0b;

/// White space.
const SPACE: u8 = 1;
/// Ends the name of a tag.
const ENDS_NAME: u8 = 1 << 1;
/// Ends the name of an attribute.
const ENDS_ATTRIBUTE: u8 = 1 << 2;

/// The meaning of each byte in a tag, as a set of flags.
static IN_TAG: ByteTable<u8> = byte_table!(|byte| match byte {
    b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' => SPACE | ENDS_NAME | ENDS_ATTRIBUTE,
    b'>' | b'/' => ENDS_NAME | ENDS_ATTRIBUTE,
    b'=' => ENDS_ATTRIBUTE,
    _ => 0,
});

#[inline]
fn is(byte: u8, flags: u8) -> bool {
    IN_TAG.of(byte) & flags != 0
}

/// The attribute with this name, or with this name without control characters and without the separators of lines and of
/// paragraphs, which some readers leave out.
#[inline]
fn attribute(spelling: &[u8]) -> Option<Attribute> {
    let known = Attribute::named(spelling);
    if known.is_some() || spelling.iter().all(|byte| (b' '..=b'~').contains(byte)) {
        return known;
    }
    let name = String::from_utf8_lossy(spelling);
    Attribute::named(name.replace(unicode::is_control, "").as_bytes())
}

#[inline]
pub(super) fn ends_name(byte: u8) -> bool {
    is(byte, ENDS_NAME)
}

/// The mark that ends the document in a conditional comment.
const ENDIF: &[u8; 9] = b"<![endif]";

/// The part of a conditional comment's data that some mail readers take for HTML. `endless` says that no mark ends the
/// document, and is set when a search finds that.
pub(super) fn conditional(html: &[u8], data: Span, endless: &mut bool) -> Option<Span> {
    let bytes = data.bytes(html);
    if !has_word(bytes, 0, b"[if") {
        return None;
    }
    let found = memchr::memmem::find(bytes, b"]>");
    work::count(found.unwrap_or(bytes.len()));
    let begin = found?.checked_add(2)?;
    let mut end = bytes.len();
    while !*endless {
        let Some(at) = bytes.get(begin..end).and_then(|rest| memrchr(b'<', rest)) else {
            *endless = true;
            break;
        };
        end = begin + at;
        work::count(ENDIF.len());
        if has_word(bytes, end, ENDIF) {
            if bytes.get(end..).is_some_and(|rest| rest.starts_with(ENDIF)) {
                return Some(Span::new(begin, end).shifted(data.start));
            }
            // Some readers know only the exact spelling. For them this mark does not end the document.
            *endless = true;
        }
    }
    Some(Span::new(begin, bytes.len()).shifted(data.start))
}
