//! What is searched for links at the moment: a value or a run of text, in the document or decoded.

use alloc::borrow::Cow;

use memchr::{memchr, memchr2};

use super::super::attribute::Attribute;
use super::super::css::{self, CssUrl, Strings};
use super::super::element::Element;
use super::super::run::{self, Search};
use super::super::span::Span;
use super::super::{lists, references};
use super::{Event, Found, Piece, Place, Source, State};

impl State {
    /// A run of text.
    #[inline]
    pub(super) fn text(&mut self, text: &str, span: Span, exact: bool) {
        if self.strings == Some(Strings::All) {
            return;
        }
        match run::search(span.bytes(text.as_bytes()), true) {
            Search::Not => {}
            Search::Verbatim => {
                self.value = span;
                self.decoded = false;
                self.run.restart();
                self.source = Source::Text;
            }
            Search::Decoded => self.open_text(text, span, Source::Text, "\0", exact),
        }
    }

    pub(super) fn raw_content<'h>(
        &mut self,
        text: &'h str,
        element: Element,
        content: Span,
        exact: bool,
    ) -> Option<Event<'h>> {
        let raw = content.bytes(text.as_bytes());
        let is_first = self.strings == Some(Strings::Expected);
        match element {
            Element::Style if !is_first || css::may_hold_url(raw) || memchr(0, raw).is_some() => {
                self.open_css(text, content, Source::StyleElement, "\u{fffd}", exact);
            }
            Element::Script if self.linked_data && is_first => {
                return Some(Event::Soup(Cow::Borrowed(content.of(text))));
            }
            Element::Iframe | Element::Visible | Element::Plaintext
                if is_first && run::search(raw, false) != Search::Not =>
            {
                self.open_text(text, content, Source::RawText, "\0", exact);
            }
            _ => {}
        }
        None
    }

    /// Makes a `style` attribute what the source walks over.
    #[inline]
    pub(super) fn style_attribute(&mut self, text: &str, value: Span, exact: bool) {
        let raw = value.bytes(text.as_bytes());
        // Most style attributes have no URL; what is left of those that may have one is found by the tokens.
        let escaped = memchr(b'&', raw).is_some();
        if escaped || css::may_hold_url(raw) || self.strings == Some(Strings::All) {
            self.open_css(text, value, Source::StyleAttribute, "\u{fffd}", exact);
        }
    }

    /// Makes CSS what the source walks over. Some readers leave NUL out: where `null` is something else, it is read so
    /// once more.
    pub(super) fn open_css(
        &mut self,
        text: &str,
        css: Span,
        source: Source,
        null: &str,
        exact: bool,
    ) {
        let raw = css.bytes(text.as_bytes());
        let has_null = memchr(0, raw).is_some();
        if source == Source::StyleElement && has_null {
            self.open_run(text, css, false, null, exact);
        } else {
            let escaped = source == Source::StyleAttribute && memchr2(b'&', 0, raw).is_some();
            self.open_value(text, css, escaped, null, exact);
        }
        self.without_nulls = (has_null && !null.is_empty()).then_some((css, source));
        self.css.restart();
        self.source = source;
    }

    /// Makes a run of text what the source walks over. Some readers leave NUL out: where `null` is something else, it is
    /// read so once more.
    pub(super) fn open_text(
        &mut self,
        text: &str,
        run: Span,
        source: Source,
        null: &str,
        exact: bool,
    ) {
        let has_null = memchr(0, run.bytes(text.as_bytes())).is_some();
        if source == Source::RawText && !has_null {
            self.open_value(text, run, false, null, exact);
        } else {
            self.open_run(text, run, source == Source::Text, null, exact);
        }
        self.without_nulls = (has_null && !null.is_empty()).then_some((run, source));
        self.run.restart();
        self.source = source;
    }

    /// Makes `value` what the source walks over, character references resolved if there are any.
    pub(super) fn open_value(
        &mut self,
        text: &str,
        value: Span,
        escaped: bool,
        null: &str,
        exact: bool,
    ) {
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
        let append = |piece: &str, written: Span| {
            let begin = buffer.len();
            buffer.push_str(piece);
            if exact {
                origins.push((Span::new(begin, buffer.len()), written.shifted(value.start)));
            }
        };
        references::decode(value.of(text), references::Context::Attribute, null, append);
    }

    /// Makes a run of text what the source walks over, without what is no character of it. `referenced`: character
    /// references count in it.
    fn open_run(&mut self, text: &str, span: Span, referenced: bool, null: &str, exact: bool) {
        self.value = span;
        self.decoded = true;
        self.buffer.clear();
        self.origins.clear();
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
        if referenced {
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
        let mut is_second = false;
        let mut loads_any_type = self.element.loads_any_type();
        let (place, part) = match self.source {
            Source::None => return None,
            Source::Refresh(url) => {
                self.source = Source::None;
                return Some(Found {
                    is_second: true,
                    ..self.refreshed(url)
                });
            }
            Source::Srcset(attribute) => (
                Place::Attribute(attribute),
                lists::next_candidate(value, &mut self.position)?,
            ),
            Source::Words(attribute) => {
                let commas = attribute == Attribute::Archive;
                let word = lists::next_word(value, &mut self.position, commas)?;
                (Place::Attribute(attribute), word)
            }
            Source::Text | Source::RawText => (Place::Text, self.run.next(value)?),
            Source::StyleAttribute | Source::StyleElement => {
                let place = match self.source {
                    Source::StyleAttribute => Place::Attribute(Attribute::Style),
                    _ => Place::StyleElement,
                };
                let strings = self.strings.unwrap_or(Strings::Expected);
                let url = self.css.next(value, strings, &mut self.css_buffer);
                self.has_image_set |= self.css.has_image_set;
                loads_any_type = self.css.is_import;
                is_second = self.css.is_second;
                match url? {
                    CssUrl::Verbatim(part) => (place, part),
                    CssUrl::Unescaped(part) => {
                        return Some(Found {
                            place,
                            span: self.origin(part),
                            piece: Piece::Unescaped,
                            loads_any_type,
                            is_second,
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
            loads_any_type,
            is_second,
        })
    }
}
