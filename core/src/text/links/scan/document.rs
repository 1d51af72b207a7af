//! The walk over one document: its tags, their attributes, its text and its comments.

use alloc::borrow::Cow;
use alloc::string::String;

use memchr::{memchr2, memmem};

use super::super::attribute::Attribute;
use super::super::css::Strings;
use super::super::element::Element;
use super::super::span::{Span, has_word, tail};
use super::super::tokenizer::{Token, conditional};
use super::super::{references, work};
use super::{Event, Found, Noscript, Piece, Place, Scanner, Source, State};

impl<'h> Scanner<'h> {
    /// The URL of a link, character references resolved.
    pub(super) fn resolved<'a>(&'a self, found: Found, buffer: &'a mut String) -> &'a str {
        match found.piece {
            Piece::Raw(span) => {
                let raw = span.of(self.html);
                if memchr2(b'&', 0, raw.as_bytes()).is_none() {
                    return raw;
                }
                buffer.clear();
                references::decode_attribute(raw, buffer);
                buffer
            }
            Piece::Verbatim(span) => span.of(self.html),
            Piece::Decoded(span) => span.of(&self.state.buffer),
            Piece::Unescaped => &self.state.css_buffer,
        }
    }

    /// Goes on to the next link, or to the next text that is read as soup.
    #[inline]
    pub(in super::super) fn advance(&mut self) -> Option<Event<'h>> {
        loop {
            work::count(1);
            if let Some(source) = self.state.source {
                if let Some(found) = self.state.next_in_source(self.html, source) {
                    return Some(Event::Link(found));
                }
                self.state.source = None;
                if let Some((span, source)) = self.state.without_nulls.take() {
                    self.state.read(self.html, span, source, "");
                    continue;
                }
            }
            let next = self.state.next_attribute;
            if let Some((attribute, value)) = self.state.tokenizer.attributes.get(next).copied() {
                self.state.next_attribute = next.saturating_add(1);
                let event = self.state.attribute(self.html, attribute, value);
                if event.is_some() {
                    return event;
                }
                continue;
            }
            if let Some(element) = self.state.raw.take() {
                let html = self.state.bytes(self.html);
                let content = self.state.tokenizer.raw(html, element);
                self.state.pass_noscript(None);
                let event = self.state.raw_content(self.html, element, content);
                if event.is_some() {
                    return event;
                }
                continue;
            }
            match self.token()? {
                Some(event) => return Some(event),
                None => continue,
            }
        }
    }

    /// Reads a token. `None`: the scan is at its end.
    #[inline]
    fn token(&mut self) -> Option<Option<Event<'h>>> {
        let state = &mut self.state;
        let html = state.bytes(self.html);
        let begin = state.tokenizer.position;
        let token = state.tokenizer.next(html);
        if state.noscript != Noscript::Unknown {
            state.pass_noscript((token == Token::End).then_some(begin));
        }
        match token {
            Token::Start => {
                state.next_attribute = 0;
                state.start(self.html);
            }
            Token::Text(span) => state.text(self.html, span),
            Token::Comment(data) => self.comment(data),
            Token::End | Token::Other => {}
            Token::Eof => return self.end(),
        }
        Some(None)
    }

    /// A conditional comment is a document by itself. Within one, a comment ends with it: what it holds is read on.
    fn comment(&mut self, data: Span) {
        let state = &mut self.state;
        let html = state.bytes(self.html);
        if state.conditional {
            if let Some(inner) = conditional(html, data, &mut state.endless) {
                state.tokenizer.position = inner.start;
                state.document = inner;
            }
        } else if state.strings != Strings::All
            && let Some(inner) = conditional(html, data, &mut false)
        {
            let state = State::begin(&mut self.spare, inner, true, state.exact);
            self.outer = Some(core::mem::replace(&mut self.state, state));
        }
    }

    /// What the end of a document leads to: its soup, its CSS once more, or the document around it.
    fn end(&mut self) -> Option<Option<Event<'h>>> {
        let state = &mut self.state;
        if let Some(soup) = state.soup.take() {
            let text = soup.of(self.html);
            return Some(Some(Event::Soup(Cow::Borrowed(text))));
        }
        if state.has_image_set && state.strings == Strings::Expected {
            state.strings = Strings::All;
            state.document = state.first;
            state.endless = false;
            state.tokenizer.is_endless = false;
            state.tokenizer.position = state.first.start;
            return Some(None);
        }
        let outer = self.outer.take()?;
        self.spare.push(core::mem::replace(&mut self.state, outer));
        Some(None)
    }
}

impl State {
    /// The text up to the end of the document.
    #[inline]
    fn bytes<'a>(&self, html: &'a str) -> &'a [u8] {
        Span::new(0, self.document.end).bytes(html.as_bytes())
    }

    /// What follows depends on a tree.
    fn mark_soup(&mut self) {
        if self.strings != Strings::All && self.soup.is_none() {
            self.soup = Some(self.document);
        }
    }

    /// What a start tag changes in how the rest is read.
    #[inline]
    fn start(&mut self, html: &str) {
        self.element_name = self.tokenizer.name;
        let name = self.element_name.bytes(html.as_bytes());
        self.refresh = false;
        self.itemprop = false;
        self.element = Element::named(name);
        match self.element {
            Element::Ordinary => return,
            Element::Tree => self.mark_soup(),
            Element::Noscript => self.await_noscript(html),
            Element::Meta => {
                self.refresh = self
                    .decoded_attribute(html, Attribute::HttpEquiv)
                    .is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case("refresh"));
                self.itemprop = self.decoded_attribute(html, Attribute::Itemprop).is_some();
            }
            Element::Script => {
                self.linked_data =
                    self.decoded_attribute(html, Attribute::Type)
                        .is_some_and(|value| {
                            let kind = value.split_once(';').map_or(&*value, |(kind, _)| kind);
                            kind.trim_ascii()
                                .eq_ignore_ascii_case("application/ld+json")
                        });
            }
            _ => {}
        }
        if self.element.is_raw() {
            self.raw = Some(self.element);
        }
    }

    fn decoded_attribute(&self, html: &str, wanted: Attribute) -> Option<String> {
        let attributes = &self.tokenizer.attributes;
        let (_, value) = attributes
            .iter()
            .find(|(attribute, _)| *attribute == wanted)?;
        let mut decoded = String::new();
        references::decode_attribute(value.of(html), &mut decoded);
        Some(decoded)
    }

    /// Looks for the end tag of a `noscript`: where scripts run, that alone ends it.
    fn await_noscript(&mut self, html: &str) {
        if self.noscript != Noscript::Unknown {
            return;
        }
        let bytes = self.bytes(html);
        let begin = self.tokenizer.position;
        if self.next_noscript >= begin && self.next_noscript > 0 {
            self.noscript = Noscript::At(self.next_noscript);
            return;
        }
        let rest = tail(bytes, begin);
        let found = memmem::find_iter(rest, b"</").find(|at| has_word(rest, *at, b"</noscript"));
        work::count(found.unwrap_or(rest.len()));
        self.noscript = match found {
            Some(at) => {
                self.next_noscript = begin.saturating_add(at);
                Noscript::At(self.next_noscript)
            }
            None => Noscript::Absent,
        };
    }

    /// Notes that the walk has gone on, over an end tag that begins at `end_tag` or over something else.
    fn pass_noscript(&mut self, end_tag: Option<usize>) {
        let Noscript::At(at) = self.noscript else {
            return;
        };
        let is_named = self
            .tokenizer
            .name
            .end
            .saturating_sub(self.tokenizer.name.start)
            == 8;
        if end_tag == Some(at) && is_named {
            self.noscript = Noscript::Unknown;
        } else if self.tokenizer.position > at {
            self.noscript = Noscript::Unknown;
            self.mark_soup();
        }
    }

    #[inline]
    fn attribute<'h>(
        &mut self,
        html: &'h str,
        attribute: Attribute,
        value: Span,
    ) -> Option<Event<'h>> {
        work::count(value.end.saturating_sub(value.start));
        if self.strings == Strings::All && attribute != Attribute::Style {
            return None;
        }
        match attribute {
            Attribute::Style => self.open_css(html, value, Source::StyleAttribute),
            Attribute::Srcset
            | Attribute::Imagesrcset
            | Attribute::Ping
            | Attribute::Archive
            | Attribute::Profile => self.open(html, value, Source::List(attribute)),
            Attribute::Srcdoc => {
                let mut text = String::new();
                references::decode_attribute(value.of(html), &mut text);
                return Some(Event::Soup(Cow::Owned(text)));
            }
            Attribute::Data | Attribute::Classid if self.element != Element::Object => {}
            Attribute::Code if self.element != Element::Embed => {}
            Attribute::HttpEquiv | Attribute::Itemprop | Attribute::Type => {}
            Attribute::Content if self.refresh => self.open(html, value, Source::Refresh),
            Attribute::Content if !self.itemprop => {}
            _ => {
                return Some(Event::Link(Found {
                    place: Place::Attribute(attribute),
                    span: value,
                    piece: Piece::Raw(value),
                    loads_any_type: self.element.loads_any_type(),
                    is_second: false,
                }));
            }
        }
        None
    }
}
