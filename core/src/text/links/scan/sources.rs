//! The sources that are searched for links: a value or a run of text, in the document or decoded.

use memchr::{memchr, memchr3};

use super::super::attribute::Attribute;
use super::super::css::{self, Css, Strings};
use super::super::element::Element;
use super::super::lists;
use super::super::references::{self, Context};
use super::super::run::Run;
use super::super::soup::Loads;
use super::super::span::Span;
use super::{FoundLink, LinkPlaceKind, Piece, ScanEvent, ScanState, SoupText, Source, marks};

impl ScanState {
    /// Opens a run of text as the source, if it may hold a link.
    pub(super) fn text(&mut self, html: &str, span: Span) {
        let may_hold_link = self.options.bare_domains
            || self.has_null
            || self.tokenizer.may_hold_link && marks::may_hold_link(span.bytes(html.as_bytes()));
        if self.strings == Strings::Expected && may_hold_link {
            self.open(html, span, Source::Text);
        }
    }

    pub(super) fn raw_content(
        &mut self,
        html: &str,
        element: Element,
        content: Span,
    ) -> Option<ScanEvent> {
        let is_first = self.strings == Strings::Expected;
        match element {
            Element::Style => self.open_css(html, content, Source::StyleElement),
            Element::Script if self.linked_data && is_first => {
                return Some(ScanEvent::Soup(SoupText::LinkedData(content)));
            }
            Element::Iframe | Element::Visible if is_first => {
                self.open(html, content, Source::RawText);
                // For mail readers in a terminal it is markup.
                return Some(ScanEvent::Soup(SoupText::Part(content)));
            }
            Element::Plaintext if is_first => self.open(html, content, Source::RawText),
            _ => {}
        }
        None
    }

    /// Opens CSS as the source, if it may hold a URL. Most style attributes hold none.
    pub(super) fn open_css(&mut self, html: &str, css: Span, source: Source) {
        let raw = css.bytes(html.as_bytes());
        let is_escaped = source == Source::StyleAttribute && memchr(b'&', raw).is_some();
        if is_escaped || self.strings == Strings::Others || css::may_hold_url(raw) {
            self.open(html, css, source);
        }
    }

    /// Opens a part of the document as the source. Some readers leave out NULs, so CSS and text with NULs are read once
    /// more without them.
    pub(super) fn open(&mut self, html: &str, part: Span, source: Source) {
        let (null, is_read_again) = match source {
            Source::Text | Source::RawText => ("\0", true),
            Source::StyleAttribute | Source::StyleElement => ("\u{fffd}", true),
            Source::List(_) | Source::Refresh => ("\u{fffd}", false),
        };
        self.read(html, part, source, null);
        let has_null = self.decoded && memchr(0, part.bytes(html.as_bytes())).is_some();
        self.without_nulls = (is_read_again && has_null).then_some((part, source));
    }

    /// Opens a part of the document as the source, with NULs replaced by `null`.
    pub(super) fn read(&mut self, html: &str, part: Span, source: Source, null: &str) {
        let context = match source {
            Source::Text => Context::Text,
            Source::RawText | Source::StyleElement => Context::Raw,
            Source::StyleAttribute | Source::List(_) | Source::Refresh => Context::Attribute,
        };
        self.source = Some(source);
        self.value = part;
        self.decoded = memchr3(b'&', 0, b'<', part.bytes(html.as_bytes())).is_some();
        self.position = 0;
        self.run = Run::new(self.options.bare_domains);
        self.css = Css::default();
        if !self.decoded {
            return;
        }
        self.buffer.clear();
        self.origins.clear();
        // Decoded text is hardly ever longer than it is as written.
        self.buffer.reserve(part.bytes(html.as_bytes()).len());
        let mut read_to = 0;
        references::decode(part.of(html), context, null, |piece, written| {
            let begin = self.buffer.len();
            self.buffer.push_str(piece);
            if self.options.spans {
                let mut note = |decoded, written: Span| {
                    self.origins.push((decoded, written.shifted(part.start)));
                };
                if written.start != read_to {
                    note(Span::new(begin, begin), Span::new(read_to, written.start));
                }
                if piece != written.of(part.of(html)) {
                    note(Span::new(begin, self.buffer.len()), written);
                }
            }
            read_to = written.end;
        });
    }

    /// The span in the document of a part of what the source walks over. A resolved reference counts as a whole.
    pub(super) fn origin(&self, part: Span) -> Span {
        if !self.decoded {
            return part.shifted(self.value.start);
        }
        let locate = |at: usize, end: bool| {
            let index = self
                .origins
                .partition_point(|(piece, _)| if end { piece.end < at } else { piece.end <= at });
            if let Some((piece, written)) = self.origins.get(index)
                && (piece.start < at || !end && piece.start == at)
            {
                return if end { written.end } else { written.start };
            }
            // The position is in text that is as written, after the last part that is not.
            let before = index
                .checked_sub(1)
                .and_then(|index| self.origins.get(index));
            let (decoded, written) = before.map_or((0, self.value.start), |(piece, written)| {
                (piece.end, written.end)
            });
            written + (at - decoded)
        };
        let start = locate(part.start, false);
        match part.start == part.end {
            // An empty part has no last byte, so its end cannot be looked up separately.
            true => Span::new(start, start),
            false => Span::new(start, locate(part.end, true)),
        }
    }

    #[inline]
    pub(super) fn next_in_source(&mut self, html: &str, source: Source) -> Option<FoundLink> {
        let value = match self.decoded {
            true => self.buffer.as_str(),
            false => self.value.of(html),
        };
        let mut is_second = false;
        let mut is_in_css_buffer = false;
        let mut loads = self.loads();
        let (place, part) = match source {
            Source::List(attribute) => {
                let position = &mut self.position;
                let part = match attribute {
                    Attribute::Srcset | Attribute::Imagesrcset => {
                        lists::next_candidate(value, position)
                    }
                    _ => lists::next_word(value, position, attribute == Attribute::Archive),
                };
                (LinkPlaceKind::Attribute(attribute), part?)
            }
            Source::Refresh => {
                let (first, last) = lists::refresh(value)?;
                is_second = self.position == 1;
                let part = match self.position {
                    0 => first,
                    1 if last > first.end => Span::new(first.start, last),
                    _ => return None,
                };
                self.position += 1;
                (LinkPlaceKind::Refresh, part)
            }
            Source::Text | Source::RawText => (LinkPlaceKind::Text, self.run.next(value)?),
            Source::StyleAttribute | Source::StyleElement => {
                let url = self.css.next(value, self.strings, &mut self.css_buffer);
                self.has_image_set |= self.css.has_image_set;
                loads = match self.css.is_import {
                    true => Loads::Sheet,
                    false => Loads::ByType,
                };
                is_second = self.css.is_second;
                is_in_css_buffer = self.css.is_in_buffer;
                let place = match source {
                    Source::StyleAttribute => LinkPlaceKind::Attribute(Attribute::Style),
                    _ => LinkPlaceKind::StyleElement,
                };
                (place, url?)
            }
        };
        let piece = match self.decoded {
            _ if is_in_css_buffer => Piece::Unescaped,
            true => Piece::Decoded(part),
            false => Piece::Verbatim(part.shifted(self.value.start)),
        };
        Some(FoundLink {
            place,
            span: self.origin(part),
            piece,
            loads,
            is_second,
        })
    }
}
