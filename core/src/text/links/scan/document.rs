//! The walk over one document: its tags, their attributes, its text and its comments.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;

use memchr::memchr2;

use super::super::attribute::Attribute;
use super::super::names;
use super::super::span::Span;
use super::super::tokenizer::{Token, conditional};
use super::super::tree::Next;
use super::super::{css, lists, references, work};
use super::{Document, Found, Origin, Piece, Place, Reading, Source, State, Step};

impl<'h> Document<'h> {
    /// The URL of a link, character references resolved.
    pub(super) fn url<'a>(&'a self, found: Found, buffer: &'a mut String) -> &'a str {
        match found.piece {
            Piece::Raw(span) => {
                let raw = span.of(&self.text);
                if memchr2(b'&', 0, raw.as_bytes()).is_none() {
                    return raw;
                }
                buffer.clear();
                references::decode_attribute(raw, buffer);
                buffer
            }
            Piece::Verbatim(span) => span.of(&self.text),
            Piece::Decoded(span) => span.of(&self.state.buffer),
            Piece::Unescaped => &self.state.css_buffer,
        }
    }

    /// Goes on to the next link, or to the next document.
    #[inline]
    pub(super) fn advance(&mut self, exact: bool) -> Step<'h> {
        loop {
            work::count(1);
            if self.state.source != Source::None {
                if let Some(found) = self.state.next_in_source(&self.text) {
                    return Step::Found(found);
                }
                self.state.source = Source::None;
            }
            if self.state.ended_styles > 0 {
                self.state.open_style(exact);
                continue;
            }
            if let Some((attribute, value)) = self
                .state
                .tokenizer
                .attributes
                .get(self.state.next_attribute)
                .copied()
            {
                self.state.next_attribute = self.state.next_attribute.saturating_add(1);
                if let Some(step) = self.attribute(attribute, value, exact) {
                    return step;
                }
                continue;
            }
            if let Some(raw) = self.state.raw.take() {
                let content = self.state.tokenizer.raw(self.text.as_bytes(), raw);
                self.state.raw_content(&self.text, raw, content, exact);
                continue;
            }
            if let Some(step) = self.token(exact) {
                return step;
            }
        }
    }

    #[inline]
    pub(super) fn attribute(
        &mut self,
        attribute: Attribute,
        value: Span,
        exact: bool,
    ) -> Option<Step<'h>> {
        work::count(value.end.saturating_sub(value.start));
        let found = Found {
            place: Place::Attribute(attribute),
            span: value,
            piece: Piece::Raw(value),
        };
        match attribute {
            Attribute::Style => {
                // Most style attributes have no URL; what is left of those that may have one is found by the tokens.
                let raw = value.bytes(self.text.as_bytes());
                let escaped = memchr2(b'&', 0, raw).is_some();
                if escaped || css::may_hold_url(raw) {
                    self.state.open_value(&self.text, value, escaped, exact);
                    self.state.css.restart();
                    self.state.source = Source::StyleAttribute;
                }
                None
            }
            Attribute::Srcset | Attribute::Imagesrcset | Attribute::Ping => {
                let escaped = memchr2(b'&', 0, value.bytes(self.text.as_bytes())).is_some();
                self.state.open_value(&self.text, value, escaped, exact);
                self.state.source = match attribute {
                    Attribute::Ping => Source::Words(attribute),
                    _ => Source::Srcset(attribute),
                };
                None
            }
            Attribute::Srcdoc => {
                if self.embedded {
                    return None;
                }
                let mut html = String::new();
                references::decode_attribute(value.of(&self.text), &mut html);
                Some(Step::Enter(Box::new(Document {
                    text: Cow::Owned(html),
                    origin: Origin::From(self.origin.of(value)),
                    conditional: self.conditional,
                    embedded: true,
                    base: self.state.base,
                    state: State::default(),
                })))
            }
            Attribute::Href
                if !self.state.has_base && self.state.name_of_tag(&self.text) == names::BASE =>
            {
                let mut url = String::new();
                references::decode_attribute(value.of(&self.text), &mut url);
                self.state.has_base = true;
                self.state.base = self.state.base.with(&url);
                Some(Step::Found(found))
            }
            Attribute::Data if self.state.name_of_tag(&self.text) != names::OBJECT => None,
            Attribute::HttpEquiv => None,
            Attribute::Content => {
                if !self.state.refresh {
                    return None;
                }
                self.state.open_value(&self.text, value, true, exact);
                let url = lists::refresh(&self.state.buffer)?;
                let span = self.state.origin(url);
                Some(Step::Found(Found {
                    place: Place::Refresh,
                    span,
                    piece: Piece::Decoded(url),
                }))
            }
            _ => Some(Step::Found(found)),
        }
    }

    #[inline]
    pub(super) fn token(&mut self, exact: bool) -> Option<Step<'h>> {
        let html = self.text.as_bytes();
        let state = &mut self.state;
        let begin = state.tokenizer.position;
        let token = state.tokenizer.next(html, state.is_foreign());
        let mut next = Next::Data;
        if state.tree.is_some() {
            next = state.feed(&self.text, token, begin);
        }
        match token {
            Token::Start => {
                state.next_attribute = 0;
                state.element = state.tokenizer.name;
                state.start(&self.text, next, begin);
            }
            Token::Text(span) => state.text(&self.text, span, true, exact),
            Token::Cdata(span) => state.text(&self.text, span, false, exact),
            Token::Comment(data) => {
                if !self.conditional
                    && let Some(inner) = conditional(html, data)
                {
                    return Some(self.conditional_comment(inner));
                }
            }
            Token::End | Token::Doctype(_) | Token::Other => {}
            Token::Eof => {
                if state.ended_styles > 0 {
                    return None;
                }
                let Some(second) = state.second.take() else {
                    return Some(Step::End);
                };
                state.reading = Reading::AllForeign;
                state.tokenizer.position = second;
            }
        }
        None
    }

    pub(super) fn conditional_comment(&self, inner: Span) -> Step<'h> {
        let has_null = memchr::memchr(0, inner.bytes(self.text.as_bytes())).is_some();
        let text = match &self.text {
            _ if has_null => Cow::Owned(inner.of(&self.text).replace('\0', "\u{fffd}")),
            Cow::Borrowed(html) => Cow::Borrowed(html.get(inner.range()).unwrap_or_default()),
            Cow::Owned(html) => Cow::Owned(String::from(inner.of(html))),
        };
        let origin = match self.origin {
            _ if has_null => Origin::From(self.origin.of(inner)),
            Origin::At(offset) => Origin::At(offset.saturating_add(inner.start)),
            whole @ Origin::From(_) => whole,
        };
        Step::Enter(Box::new(Document {
            text,
            origin,
            conditional: true,
            embedded: self.embedded,
            base: self.state.base,
            state: State::default(),
        }))
    }
}
