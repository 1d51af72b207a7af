//! What the tags and the text of a document change in how the rest of it is read.

use alloc::string::String;

use super::super::attribute::Attribute;
use super::super::names::{self, Name, name};
use super::super::references;
use super::super::span::Span;
use super::super::tokenizer::{Raw, Token, Tokenizer};
use super::super::tree::{Event, Next, Tag, Tree};
use super::{Reading, State};

impl State {
    pub(super) fn is_foreign(&self) -> bool {
        match self.reading {
            Reading::Exact => self.tree.as_ref().is_some_and(Tree::foreign),
            Reading::AllHtml => false,
            Reading::AllForeign => true,
        }
    }

    pub(super) fn name_of_tag(&self, text: &str) -> Name {
        name(self.element.bytes(text.as_bytes()))
    }

    /// What a start tag changes, that began at `begin`; `next`: what tree construction says, if it was asked.
    #[inline]
    pub(super) fn start(&mut self, text: &str, next: Next, begin: usize) {
        // The commonest names begin nothing of all this.
        if self.tree.is_none()
            && matches!(
                self.element.bytes(text.as_bytes()),
                b"td" | b"tr" | b"a" | b"p" | b"br" | b"img"
            )
        {
            self.refresh = false;
            return;
        }
        let name = self.name_of_tag(text);
        if name == names::META {
            self.refresh = self.tokenizer.attributes.iter().any(|(attribute, value)| {
                if *attribute != Attribute::HttpEquiv {
                    return false;
                }
                let mut decoded = String::new();
                references::decode_attribute(value.of(text), &mut decoded);
                decoded.eq_ignore_ascii_case("refresh")
            });
        } else {
            self.refresh = false;
        }
        if self.tree.is_some() {
            if let Next::Raw(raw) = next {
                self.raw = Some(raw);
            }
            return;
        }
        if self.reading == Reading::AllForeign {
            return;
        }
        if self.reading == Reading::Exact
            && matches!(
                name,
                names::SVG | names::MATH | names::FRAMESET | names::TEMPLATE
            )
        {
            self.build_tree(text, begin);
            return;
        }
        self.raw = Raw::named(name);
    }

    /// Repeats what was read so far, and the start tag at `begin`, for tree construction.
    pub(super) fn build_tree(&mut self, text: &str, begin: usize) {
        let html = text.as_bytes();
        let mut tokenizer = Tokenizer::default();
        tokenizer.detailed = true;
        let mut tree = Tree::new(html.len());
        while tokenizer.position <= begin {
            let foreign = tree.foreign();
            let token = tokenizer.next(html, foreign);
            let next = feed(&mut tree, &tokenizer, text, token);
            if tree.exhausted() || token == Token::Eof {
                self.give_up(begin);
                return;
            }
            if let Next::Raw(raw) = next {
                tokenizer.raw(html, raw);
            }
        }
        self.tokenizer = tokenizer;
        self.element = self.tokenizer.name;
        self.tree = Some(tree);
    }

    /// Leaves tree construction: what begins at `begin` is read in both ways.
    pub(super) fn give_up(&mut self, begin: usize) {
        self.tree = None;
        self.tokenizer.detailed = false;
        self.reading = Reading::AllHtml;
        self.second = Some(begin);
    }

    pub(super) fn feed(&mut self, text: &str, token: Token, begin: usize) -> Next {
        let Some(tree) = &mut self.tree else {
            return Next::Data;
        };
        let next = feed(tree, &self.tokenizer, text, token);
        self.ended_styles = self
            .styles
            .iter()
            .rev()
            .take_while(|style| token == Token::Eof || !tree.is_open(style.id))
            .count();
        if tree.exhausted() {
            self.ended_styles = self.styles.len();
            self.give_up(begin);
        }
        next
    }
}

/// Hands a token to tree construction.
pub(super) fn feed(tree: &mut Tree, tokenizer: &Tokenizer, text: &str, token: Token) -> Next {
    let ignore_line_feed = tree.take_ignore_line_feed();
    match token {
        Token::Start | Token::End => {
            return tree.take(Event::Tag(tag(tokenizer, text, token == Token::End)));
        }
        Token::Comment(_) | Token::Other => return tree.take(Event::Comment),
        Token::Doctype(span) => tree.doctype(is_quirky(span.of(text))),
        Token::Cdata(span) => TextFeed::new(tree, ignore_line_feed).take(span.of(text)),
        Token::Text(span) => {
            let mut feed = TextFeed::new(tree, ignore_line_feed);
            for (index, part) in span.of(text).split('\0').enumerate() {
                if index > 0 {
                    feed.take("\0");
                }
                references::decode_text(part, "", |piece, _| feed.take(piece));
            }
        }
        Token::Eof => {}
    }
    Next::Data
}

/// Hands a run of text to tree construction. Nothing that follows visible text in the same run makes a difference.
struct TextFeed<'a> {
    tree: &'a mut Tree,
    ignore_line_feed: bool,
    last: u8,
}

impl<'a> TextFeed<'a> {
    fn new(tree: &'a mut Tree, ignore_line_feed: bool) -> Self {
        Self {
            tree,
            ignore_line_feed,
            last: b'<',
        }
    }

    fn take(&mut self, piece: &str) {
        for byte in piece.bytes() {
            if self.last == b'x' {
                return;
            }
            if self.ignore_line_feed {
                self.ignore_line_feed = byte == b'\r';
                if matches!(byte, b'\r' | b'\n') {
                    continue;
                }
            }
            let (kind, event) = match byte {
                0 => (0, Event::Null),
                _ if byte.is_ascii_whitespace() => (b' ', Event::Space),
                _ => (b'x', Event::Text),
            };
            if self.last != kind {
                self.tree.take(event);
                self.last = kind;
            }
        }
    }
}

/// Whether a doctype asks for quirks mode, which changes where a table closes a paragraph (WHATWG HTML, 13.2.6.4.1).
fn is_quirky(doctype: &str) -> bool {
    let mut words = doctype.split(|character: char| {
        character.is_ascii_whitespace() || matches!(character, '"' | '\'')
    });
    let mut named = words.by_ref().filter(|word| !word.is_empty());
    if !named
        .next()
        .is_some_and(|name| name.eq_ignore_ascii_case("html"))
    {
        return true;
    }
    let public = named
        .next()
        .is_some_and(|keyword| keyword.eq_ignore_ascii_case("public"));
    if !public {
        return false;
    }
    let lower = doctype.to_ascii_lowercase();
    let has_system = lower.contains("http:") || lower.contains(".dtd");
    if lower.contains("-//w3c//dtd html 4.01 transitional//")
        || lower.contains("-//w3c//dtd html 4.01 frameset//")
    {
        return !has_system;
    }
    !(lower.contains("-//w3c//dtd xhtml 1.") || lower.contains("-//w3c//dtd html 4.01//"))
}

fn tag(tokenizer: &Tokenizer, text: &str, end: bool) -> Tag {
    let value = |span: Option<Span>| {
        span.map(|span| {
            let mut value = String::new();
            references::decode_attribute(span.of(text), &mut value);
            value
        })
    };
    let details = tokenizer.details;
    let is = |value: &Option<String>, word: &str| {
        value
            .as_ref()
            .is_some_and(|value| value.eq_ignore_ascii_case(word))
    };
    let encoding = value(details.encoding);
    Tag {
        name: name(tokenizer.name.bytes(text.as_bytes())),
        end,
        self_closing: tokenizer.self_closing,
        font: details.font,
        annotation: is(&encoding, "text/html") || is(&encoding, "application/xhtml+xml"),
        hidden: is(&value(details.kind), "hidden"),
        fingerprint: details.fingerprint,
    }
}
