//! What is searched for links at the moment: a value or a run of text, in the document or decoded.

use alloc::string::String;

use super::super::attribute::Attribute;
use super::super::css::{self, CssUrl};
use super::super::run::{self, Search};
use super::super::span::Span;
use super::super::tokenizer::{Raw, Token};
use super::super::tree::Tree;
use super::super::{lists, names, references};
use super::construction::feed;
use super::{ForeignStyle, Found, Piece, Place, Source, State};

impl State {
    /// Makes the text of an ended `style` element of SVG what the source walks over.
    pub(super) fn open_style(&mut self, exact: bool) {
        self.ended_styles = self.ended_styles.saturating_sub(1);
        let Some(style) = self.styles.pop() else {
            return;
        };
        self.buffer = style.text;
        self.origins.clear();
        if exact {
            self.origins.push((
                Span::new(0, self.buffer.len().saturating_add(1)),
                style.span,
            ));
        }
        self.value = style.span;
        self.decoded = true;
        self.css.restart();
        self.source = Source::StyleElement;
    }

    /// A run of text, in which `decoded` character references count.
    #[inline]
    pub(super) fn text(&mut self, text: &str, span: Span, decoded: bool, exact: bool) {
        if let Some((name, id)) = self.tree.as_ref().and_then(Tree::foreign_name) {
            match name {
                names::STYLE => {
                    if self.styles.last().is_none_or(|style| style.id != id) {
                        self.styles.push(ForeignStyle {
                            id,
                            span,
                            text: String::new(),
                        });
                    }
                    let Some(style) = self.styles.last_mut() else {
                        return;
                    };
                    style.span.end = span.end;
                    let out = &mut style.text;
                    if decoded {
                        references::decode_text(span.of(text), "\u{fffd}", |piece, _| {
                            out.push_str(piece)
                        });
                    } else {
                        out.push_str(span.of(text));
                    }
                    return;
                }
                names::SCRIPT | names::TITLE | names::TEXTAREA => return,
                _ => {}
            }
        }
        if self.is_foreign() && self.join_sections(text, span, decoded, exact) {
            self.run.restart();
            self.source = Source::Text;
            return;
        }
        match run::search(span.bytes(text.as_bytes()), decoded) {
            Search::Not => return,
            Search::Verbatim => {
                self.value = span;
                self.decoded = false;
            }
            Search::Decoded => self.open_run(text, span, decoded, exact),
        }
        self.run.restart();
        self.source = Source::Text;
    }

    pub(super) fn raw_content(&mut self, text: &str, raw: Raw, content: Span, exact: bool) {
        match raw {
            Raw::Hidden | Raw::Script => {}
            Raw::Style => {
                if css::may_hold_url(content.bytes(text.as_bytes())) {
                    self.open_value(text, content, false, exact);
                    self.css.restart();
                    self.source = Source::StyleElement;
                }
            }
            Raw::Visible | Raw::Plaintext => {
                if run::search(content.bytes(text.as_bytes()), false) != Search::Not {
                    if memchr::memchr(0, content.bytes(text.as_bytes())).is_some() {
                        self.value = content;
                        self.decoded = true;
                        self.buffer.clear();
                        self.origins.clear();
                        self.append_run(text, content, false, "\u{fffd}", exact);
                    } else {
                        self.open_value(text, content, false, exact);
                    }
                    self.run.restart();
                    self.source = Source::Text;
                }
            }
        }
    }

    /// Makes `value` what the source walks over, character references resolved if there are any.
    pub(super) fn open_value(&mut self, text: &str, value: Span, escaped: bool, exact: bool) {
        self.value = value;
        self.decoded = escaped;
        self.position = 0;
        if !escaped {
            return;
        }
        self.buffer.clear();
        self.origins.clear();
        let Self {
            buffer, origins, ..
        } = self;
        references::decode(
            value.of(text),
            references::Context::Attribute,
            "\u{fffd}",
            |piece, written| {
                let begin = buffer.len();
                buffer.push_str(piece);
                if exact {
                    origins.push((Span::new(begin, buffer.len()), written.shifted(value.start)));
                }
            },
        );
    }

    /// Makes a run of text what the source walks over, without what is no character of it.
    pub(super) fn open_run(&mut self, text: &str, span: Span, decoded: bool, exact: bool) {
        self.value = span;
        self.decoded = true;
        self.buffer.clear();
        self.origins.clear();
        self.append_run(text, span, decoded, self.null(), exact);
    }

    /// What NUL in text becomes here.
    pub(super) fn null(&self) -> &'static str {
        if self.tree.as_ref().is_some_and(Tree::replaces_null) {
            "\u{fffd}"
        } else {
            ""
        }
    }

    /// Makes one run of the text and CDATA sections that follow one another from `span` on, if there are several.
    pub(super) fn join_sections(
        &mut self,
        text: &str,
        span: Span,
        decoded: bool,
        exact: bool,
    ) -> bool {
        let mut joined = false;
        loop {
            let position = self.tokenizer.position;
            let (next, decoded_next) = match self.tokenizer.next(text.as_bytes(), true) {
                Token::Text(next) => (next, true),
                Token::Cdata(next) => (next, false),
                _ => {
                    self.tokenizer.position = position;
                    self.tokenizer.attributes.clear();
                    return joined;
                }
            };
            if !joined {
                joined = true;
                self.open_run(text, span, decoded, exact);
            }
            self.append_run(text, next, decoded_next, self.null(), exact);
            self.value.end = next.end;
            let token = if decoded_next {
                Token::Text(next)
            } else {
                Token::Cdata(next)
            };
            if let Some(tree) = &mut self.tree {
                feed(tree, &self.tokenizer, text, token);
            }
        }
    }

    pub(super) fn append_run(
        &mut self,
        text: &str,
        span: Span,
        decoded: bool,
        null: &str,
        exact: bool,
    ) {
        let Self {
            buffer, origins, ..
        } = self;
        let mut append = |piece: &str, written: Span| {
            let begin = buffer.len();
            buffer.push_str(piece);
            if exact {
                origins.push((Span::new(begin, buffer.len()), written.shifted(span.start)));
            }
        };
        let run = span.of(text);
        if decoded {
            references::decode_text(run, null, append);
            return;
        }
        let mut at: usize = 0;
        for (index, piece) in run.split('\0').enumerate() {
            if index > 0 {
                append(null, Span::new(at, at.saturating_add(1)));
                at = at.saturating_add(1);
            }
            let end = at.saturating_add(piece.len());
            append(piece, Span::new(at, end));
            at = end;
        }
    }

    /// Where in the document a part of what the source walks over is written.
    pub(super) fn origin(&self, part: Span) -> Span {
        if !self.decoded {
            return part.shifted(self.value.start);
        }
        let locate = |at: usize, end: bool| {
            let index = self
                .origins
                .partition_point(|(piece, _)| if end { piece.end < at } else { piece.end <= at });
            let Some((piece, written)) = self.origins.get(index) else {
                return self.value.end;
            };
            if piece.end.saturating_sub(piece.start) == written.end.saturating_sub(written.start) {
                written.start.saturating_add(at.saturating_sub(piece.start))
            } else if end {
                written.end
            } else {
                written.start
            }
        };
        Span::new(locate(part.start, false), locate(part.end, true))
    }

    #[inline]
    pub(super) fn next_in_source(&mut self, text: &str) -> Option<Found> {
        let value = if self.decoded {
            self.buffer.as_str()
        } else {
            self.value.of(text)
        };
        let (place, part) = match self.source {
            Source::None => return None,
            Source::Srcset(attribute) => (
                Place::Attribute(attribute),
                lists::next_candidate(value, &mut self.position)?,
            ),
            Source::Words(attribute) => (
                Place::Attribute(attribute),
                lists::next_word(value, &mut self.position)?,
            ),
            Source::Text => (Place::Text, self.run.next(value)?),
            Source::StyleAttribute | Source::StyleElement => {
                let place = match self.source {
                    Source::StyleAttribute => Place::Attribute(Attribute::Style),
                    _ => Place::StyleElement,
                };
                match self.css.next(value, &mut self.css_buffer)? {
                    CssUrl::Verbatim(part) => (place, part),
                    CssUrl::Unescaped(part) => {
                        return Some(Found {
                            place,
                            span: self.origin(part),
                            piece: Piece::Unescaped,
                        });
                    }
                }
            }
        };
        let piece = if self.decoded {
            Piece::Decoded(part)
        } else {
            Piece::Verbatim(part.shifted(self.value.start))
        };
        Some(Found {
            place,
            span: self.origin(part),
            piece,
        })
    }
}
