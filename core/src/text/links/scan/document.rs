//! The walk over one document: its tags, their attributes, its text and its comments.

use alloc::string::String;

use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::super::attribute::Attribute;
use super::super::css::Strings;
use super::super::element::Element;
use super::super::soup::{self, Loads};
use super::super::span::{Span, has_word, tail};
use super::super::tokenizer::{Token, VERTICAL_TAB, conditional};
use super::super::{lists, references, work};
use super::{FoundLink, LinkPlaceKind, Piece, ScanEvent, ScanState, Scanner, SoupText, Source};

impl Scanner<'_> {
    /// Advances to the next link, or to the next text that is read as soup.
    #[inline]
    pub(in super::super) fn advance(&mut self) -> Option<ScanEvent> {
        loop {
            work::count(1);
            if let Some(source) = self.state.source {
                if let Some(found) = self.state.next_in_source(self.html, source) {
                    return Some(ScanEvent::Link(found));
                }
                self.state.source = None;
                if let Some((span, source)) = self.state.without_nulls.take() {
                    self.state.read(self.html, span, source, "");
                    continue;
                }
            }
            let next = self.state.next_attribute;
            if let Some((attribute, value, may_hold_url)) =
                self.state.tokenizer.attributes.get(next).copied()
            {
                self.state.next_attribute = next + 1;
                // CSS without a sign of a URL holds none, unless its strings are read, or NULs are left out of it.
                let is_plain = self.state.strings == Strings::Expected && !self.state.has_null;
                if attribute == Attribute::Style && !may_hold_url && is_plain {
                    continue;
                }
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
            if let Some(event) = self.tokens()? {
                return Some(event);
            }
        }
    }

    /// Reads tokens up to one in which something may be found. `None` means that the scan is at its end.
    #[inline]
    fn tokens(&mut self) -> Option<Option<ScanEvent>> {
        let state = &mut self.state;
        loop {
            let html = state.bytes(self.html);
            let begin = state.tokenizer.position;
            let token = state.tokenizer.next(html);
            if state.noscript.is_some() {
                state.pass_noscript((token == Token::End).then_some(begin));
            }
            match token {
                Token::Start => {
                    state.next_attribute = 0;
                    state.start(self.html);
                    if !state.tokenizer.attributes.is_empty() || state.raw.is_some() {
                        return Some(None);
                    }
                }
                Token::Text(span) => {
                    state.text(self.html, span);
                    if state.source.is_some() {
                        return Some(None);
                    }
                }
                Token::Comment(data) => return Some(self.comment(data)),
                Token::End | Token::Other => {}
                Token::Eof => return self.end(),
            }
        }
    }

    /// Reads a comment. A conditional comment is a document of its own. If it is inside another conditional comment,
    /// reading goes on in the inner one and ends with it.
    ///
    /// For mail readers in a terminal, `-- >` ends a comment, too. What follows it in the comment is soup. These readers do not
    /// read a conditional comment as a document.
    fn comment(&mut self, data: Span) -> Option<ScanEvent> {
        let is_conditional = self.is_conditional();
        let state = &mut self.state;
        let html = state.bytes(self.html);
        let is_read = !is_conditional && !state.options.exact && state.strings != Strings::Others;
        let soup = is_read.then(|| after_early_end(html, data)).flatten();
        if is_conditional {
            if let Some(inner) = conditional(html, data, &mut state.endless) {
                state.tokenizer.position = inner.start;
                state.document = inner;
            }
        } else if state.strings != Strings::Others
            && let Some(inner) = conditional(html, data, &mut false)
        {
            let state = ScanState::begin(self.html, inner, state.options);
            self.outer = Some(core::mem::replace(&mut self.state, state));
        }
        soup.map(|rest| ScanEvent::Soup(SoupText::Part(rest)))
    }

    /// Continues after the end of a document: with its soup, with its CSS once more, or with the document around it.
    fn end(&mut self) -> Option<Option<ScanEvent>> {
        let state = &mut self.state;
        if let Some(soup) = state.soup.take() {
            state.has_soup = true;
            return Some(Some(ScanEvent::Soup(SoupText::Part(soup))));
        }
        let has_strings = state.has_image_set || state.has_soup;
        if has_strings && state.strings == Strings::Expected {
            state.strings = Strings::Others;
            state.document = state.first;
            state.endless = false;
            state.tokenizer.is_endless = false;
            state.tokenizer.position = state.first.start;
            return Some(None);
        }
        self.state = self.outer.take()?;
        Some(None)
    }
}

impl ScanState {
    /// The URL of a link, with character references resolved. It is written to `buffer`, which is empty, if it has any.
    pub(super) fn resolved<'a>(
        &'a self,
        html: &'a str,
        found: FoundLink,
        buffer: &'a mut String,
    ) -> &'a str {
        match found.piece {
            Piece::Raw(span) => {
                let raw = span.of(html);
                if memchr2(b'&', 0, raw.as_bytes()).is_none() {
                    return raw;
                }
                references::decode_attribute(raw, buffer);
                buffer
            }
            Piece::Verbatim(span) => span.of(html),
            Piece::Decoded(span) => span.of(&self.buffer),
            Piece::Unescaped => &self.css_buffer,
        }
    }

    /// The text up to the end of the document.
    #[inline]
    fn bytes<'a>(&self, html: &'a str) -> &'a [u8] {
        Span::new(0, self.document.end).bytes(html.as_bytes())
    }

    /// Notes that from `begin` on, what is a tag depends on a tree.
    fn mark_soup(&mut self, begin: usize) {
        if self.strings != Strings::Others {
            // A `noscript` may turn out to begin soup only after a tag inside of it was marked.
            let first = self.soup.map_or(begin, |soup| soup.start.min(begin));
            self.soup = Some(Span::new(first, self.first.end));
        }
    }

    /// The start of the start tag that was read last.
    fn tag_begin(&self) -> usize {
        self.element_name.start - 1
    }

    /// Applies what a start tag changes in how the rest is read.
    #[inline]
    fn start(&mut self, html: &str) {
        self.element_name = self.tokenizer.name;
        let name = self.element_name.bytes(html.as_bytes());
        self.refresh = false;
        self.itemprop = false;
        self.is_wide = None;
        self.element = self.tokenizer.element;
        if self.element == Element::Ordinary
            && self.tokenizer.has_vertical_tab
            && let Some(end) = memchr(VERTICAL_TAB, name)
        {
            // For some readers the name ends at the vertical tab.
            let element = Element::named(Span::new(0, end).bytes(name));
            if !matches!(element, Element::Tree | Element::Noscript) && !element.is_raw() {
                self.element = element;
            }
        }
        match self.element {
            Element::Ordinary => return,
            Element::Tree => self.mark_soup(self.tag_begin()),
            Element::Noscript => self.await_noscript(html),
            Element::Meta => {
                let refresh = self
                    .decoded_attributes(html, Attribute::HttpEquiv)
                    .any(|value| value.trim_ascii().eq_ignore_ascii_case("refresh"));
                self.refresh = refresh;
                let mut attributes = self.tokenizer.attributes.iter();
                self.itemprop = attributes.any(|(attribute, ..)| *attribute == Attribute::Itemprop);
            }
            Element::Script => {
                let is_linked_data = self
                    .decoded_attributes(html, Attribute::Type)
                    .any(|value| lists::is_linked_data(value.as_bytes()));
                self.linked_data = is_linked_data;
            }
            Element::Link => {
                let mut rels = String::new();
                for value in self.decoded_attributes(html, Attribute::Rel) {
                    rels.push_str(&value);
                    rels.push(' ');
                }
                self.is_icon = soup::is_icon(rels.as_bytes());
            }
            _ => {}
        }
        if self.element.is_raw() {
            self.raw = Some(self.element);
        }
    }

    /// The values of an attribute of the tag, which may be repeated.
    fn decoded_attributes<'a>(
        &'a self,
        html: &'a str,
        wanted: Attribute,
    ) -> impl Iterator<Item = String> + 'a {
        let attributes = self.tokenizer.attributes.iter();
        attributes
            .filter(move |(attribute, ..)| *attribute == wanted)
            .map(|(_, value, _)| {
                let mut decoded = String::new();
                references::decode_attribute(value.of(html), &mut decoded);
                decoded
            })
    }

    /// Whether the tag names UTF-16 or ISO-2022 as the charset of what it loads.
    pub(super) fn names_wide_charset(&mut self, html: &str) -> bool {
        if let Some(is_wide) = self.is_wide {
            return is_wide;
        }
        work::count(self.tokenizer.attributes.len());
        let is_wide = self
            .decoded_attributes(html, Attribute::Charset)
            .any(|label| soup::is_wide(label.trim().as_bytes()));
        self.is_wide = Some(is_wide);
        is_wide
    }

    /// The way in which the element loads a `data:` URL.
    pub(super) fn loads(&self) -> Loads {
        match self.element {
            Element::Link if self.is_icon => Loads::ByType,
            Element::Link => Loads::Sheet,
            Element::Iframe | Element::Frame | Element::Object | Element::Embed => Loads::Document,
            _ => Loads::ByType,
        }
    }

    /// Looks for the end tag of a `noscript`. If scripts run, only that tag ends the element.
    fn await_noscript(&mut self, html: &str) {
        if self.noscript.is_some() {
            return;
        }
        self.noscript_begin = self.tag_begin();
        let bytes = self.bytes(html);
        let begin = self.tokenizer.position;
        if self.next_noscript < begin {
            let rest = tail(bytes, begin);
            let mut ends = memmem::find_iter(rest, b"</");
            let found = ends.find(|at| has_word(rest, *at, b"</noscript"));
            let length = found.unwrap_or(rest.len());
            work::count(length);
            self.next_noscript = begin + length;
        }
        self.noscript = Some(self.next_noscript);
        if self.next_noscript == bytes.len() {
            self.mark_soup(self.noscript_begin);
        }
    }

    /// Notes that the walk has passed an end tag that begins at `end_tag`, or something else.
    fn pass_noscript(&mut self, end_tag: Option<usize>) {
        let Some(at) = self.noscript else {
            return;
        };
        let Span { start, end } = self.tokenizer.name;
        let is_named = end - start == 8;
        if end_tag == Some(at) && is_named {
            self.noscript = None;
        } else if self.tokenizer.position > at {
            self.noscript = None;
            self.mark_soup(self.noscript_begin);
        }
    }

    #[inline]
    fn attribute(&mut self, html: &str, attribute: Attribute, value: Span) -> Option<ScanEvent> {
        work::count(value.end - value.start);
        if self.strings == Strings::Others && attribute != Attribute::Style {
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
                return Some(ScanEvent::Soup(SoupText::Srcdoc(text, value)));
            }
            Attribute::Data | Attribute::Classid if self.element != Element::Object => {}
            Attribute::Code if self.element != Element::Embed => {}
            Attribute::HttpEquiv | Attribute::Itemprop | Attribute::Type => {}
            Attribute::Rel | Attribute::Charset => {}
            Attribute::Content if !self.refresh && !self.itemprop => {}
            _ => {
                let is_url = attribute != Attribute::Content || self.itemprop;
                if attribute == Attribute::Content && self.refresh {
                    self.open(html, value, Source::Refresh);
                }
                return is_url.then_some(ScanEvent::Link(FoundLink {
                    place: LinkPlaceKind::Attribute(attribute),
                    span: value,
                    piece: Piece::Raw(value),
                    loads: self.loads(),
                    is_second: false,
                }));
            }
        }
        None
    }
}

/// The rest of a comment after its early end, if it has one: mail readers in a terminal end a comment at `--`, white space and
/// `>`.
fn after_early_end(html: &[u8], data: Span) -> Option<Span> {
    let bytes = data.bytes(html);
    let after = memchr_iter(b'-', bytes).find_map(|at| {
        let spaces = bytes.get(at..)?.strip_prefix(b"--")?;
        let rest = spaces.trim_ascii_start();
        let after = rest.strip_prefix(b">")?;
        (rest.len() < spaces.len()).then_some(bytes.len() - after.len())
    });
    work::count(after.unwrap_or(bytes.len()));
    Some(Span::new(data.start + after?, data.end))
}
