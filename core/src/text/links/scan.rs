//! The scanner: one walk over a document and over the documents inside it, found links handed out one by one.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr2;

use super::css::{self, Css, CssUrl};
use super::host::{self, Base, Kind};
use super::lists;
use super::names::{self, Name, name};
use super::references;
use super::run::{self, Run, Search};
use super::span::Span;
use super::tokenizer::{Attribute, Raw, Token, Tokenizer, conditional};
use super::tree::{Event, Next, Tag, Tree};
use super::work;

/// Where a link was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Attribute(Attribute),
    StyleElement,
    Refresh,
    Text,
}

/// Where the characters of a found URL are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// In the document, character references to be resolved.
    Raw(Span),
    /// In the document.
    Verbatim(Span),
    /// In the buffer.
    Decoded(Span),
    /// In the buffer for CSS.
    Unescaped,
}

/// A link that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) place: Place,
    /// Where it is written, in its document.
    span: Span,
    piece: Piece,
}

/// What is being searched for links at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Source {
    #[default]
    None,
    Srcset(Attribute),
    Words(Attribute),
    StyleAttribute,
    StyleElement,
    Text,
}

/// How the document's tags are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reading {
    /// As tree construction has it.
    #[default]
    Exact,
    /// As if there were HTML elements only: the first reading of a document that is too costly for tree construction.
    AllHtml,
    /// As if all elements were SVG: the second reading of such a document.
    AllForeign,
}

/// The state of one document's scan, apart from the document. Reused from body to body for its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    tokenizer: Tokenizer,
    tree: Option<Tree>,
    reading: Reading,
    /// Where the second reading begins.
    second: Option<usize>,
    /// The name of the start tag whose attributes are being searched.
    element: Span,
    next_attribute: usize,
    refresh: bool,
    base: Base,
    /// A `base` has said what it is.
    has_base: bool,
    raw: Option<Raw>,
    source: Source,
    /// What the source walks over: a part of the document, or the buffer.
    value: Span,
    decoded: bool,
    position: usize,
    css: Css,
    run: Run,
    buffer: String,
    /// Where in the document the pieces of the buffer come from, in order: offsets in the buffer and in the document.
    origins: Vec<(Span, Span)>,
    css_buffer: String,
    url: String,
    /// The open `style` elements of SVG, whose text is CSS.
    styles: Vec<ForeignStyle>,
    /// How many of the last of them have ended.
    ended_styles: usize,
}

impl State {
    fn reset(&mut self) {
        self.tokenizer.position = 0;
        self.tokenizer.detailed = false;
        self.tokenizer.attributes.clear();
        self.tree = None;
        self.reading = Reading::Exact;
        self.second = None;
        self.next_attribute = 0;
        self.raw = None;
        self.base = Base::Special;
        self.has_base = false;
        self.source = Source::None;
        self.styles.clear();
        self.ended_styles = 0;
    }
}

/// The text of a `style` element of SVG, which comments, sections and other elements may part.
#[derive(Clone, Debug)]
struct ForeignStyle {
    id: u32,
    span: Span,
    text: String,
}

/// Where a document lies in the HTML that was given.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// It is a part of it that begins here.
    At(usize),
    /// It was decoded from this part.
    From(Span),
}

/// A document: the one given, or one inside it.
#[derive(Debug)]
struct Document<'h> {
    text: Cow<'h, str>,
    origin: Origin,
    /// It is in a conditional comment.
    conditional: bool,
    /// It is in a `srcdoc` attribute or a `data:` URL.
    embedded: bool,
    /// The base of the document that it is in.
    base: Base,
    state: State,
}

/// What a step of a document's scan comes to.
enum Step<'h> {
    Found(Found),
    Enter(Box<Document<'h>>),
    End,
}

/// A scan over a document and those inside it, which are at most one of each kind deep.
#[derive(Debug)]
pub(super) struct Scanner<'h> {
    documents: Vec<Document<'h>>,
    spare: Vec<State>,
    /// Whether spans are wanted.
    exact: bool,
}

impl<'h> Scanner<'h> {
    /// A scan of `html`, with buffers to reuse.
    pub(super) fn new(html: &'h str, exact: bool, mut spare: Vec<State>) -> Self {
        let state = spare.pop().unwrap_or_default();
        let mut scanner = Self {
            documents: Vec::new(),
            spare,
            exact,
        };
        scanner.enter(Document {
            text: Cow::Borrowed(html),
            origin: Origin::At(0),
            conditional: false,
            embedded: false,
            base: Base::Special,
            state,
        });
        scanner
    }

    /// The buffers, for the next scan.
    pub(super) fn into_spare(mut self) -> Vec<State> {
        self.spare
            .extend(self.documents.into_iter().map(|document| document.state));
        self.spare
    }

    fn enter(&mut self, mut document: Document<'h>) {
        document.state.reset();
        document.state.base = document.base;
        self.documents.push(document);
    }

    /// The next link.
    #[inline]
    pub(super) fn advance(&mut self) -> Option<Found> {
        loop {
            let document = self.documents.last_mut()?;
            let step = document.advance(self.exact);
            match step {
                Step::Found(found) => return Some(found),
                Step::Enter(mut document) => {
                    document.state = self.spare.pop().unwrap_or_default();
                    self.enter(*document);
                }
                Step::End => {
                    if let Some(document) = self.documents.pop() {
                        self.spare.push(document.state);
                    }
                }
            }
        }
    }

    /// Visits the hosts of the link just found. A document in it is searched next.
    #[inline]
    pub(super) fn resolve(&mut self, found: Found, visit: &mut impl FnMut(&str)) {
        let Some(document) = self.documents.last_mut() else {
            return;
        };
        if let Piece::Raw(span) = found.piece
            && host::visit_plain(span.of(&document.text), visit)
        {
            return;
        }
        let mut url = core::mem::take(&mut document.state.url);
        let text = document.url(found, &mut url);
        let inner = match found.place {
            Place::Text => {
                host::visit_text_link(text, visit);
                None
            }
            _ => match host::visit_url(text, document.state.base, visit) {
                Kind::HtmlData if !document.embedded => host::data(text),
                Kind::HtmlData | Kind::Plain => None,
            },
        };
        document.state.url = url;
        if let Some(html) = inner {
            let inner = Document {
                text: Cow::Owned(html),
                origin: Origin::From(document.origin.of(found.span)),
                conditional: document.conditional,
                embedded: true,
                base: Base::Special,
                state: self.spare.pop().unwrap_or_default(),
            };
            self.enter(inner);
        }
    }

    /// The URL of the link just found as written, character references resolved.
    pub(super) fn url(&mut self, found: Found) -> Cow<'h, str> {
        let Some(document) = self.documents.last_mut() else {
            return Cow::Borrowed("");
        };
        let mut url = core::mem::take(&mut document.state.url);
        let text = document.url(found, &mut url);
        let span = found.span.range();
        let written = match &document.text {
            Cow::Borrowed(html) => html.get(span).filter(|written| *written == text),
            Cow::Owned(_) => None,
        };
        let text = match written {
            Some(written) => Cow::Borrowed(written),
            None => Cow::Owned(String::from(text)),
        };
        document.state.url = url;
        text
    }

    /// Where in the HTML the link just found is.
    pub(super) fn span(&self, found: Found) -> Span {
        self.documents
            .last()
            .map_or(Span::default(), |document| document.origin.of(found.span))
    }

    /// The name of the element whose attribute the link just found is in.
    pub(super) fn element(&self) -> Cow<'h, str> {
        let Some(document) = self.documents.last() else {
            return Cow::Borrowed("");
        };
        let span = document.state.element.range();
        match &document.text {
            Cow::Borrowed(html) => {
                let name = html.get(span).unwrap_or_default();
                if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                    Cow::Owned(name.to_ascii_lowercase())
                } else {
                    Cow::Borrowed(name)
                }
            }
            Cow::Owned(html) => Cow::Owned(html.get(span).unwrap_or_default().to_ascii_lowercase()),
        }
    }

    /// The base of the document that the link just found is in.
    pub(super) fn base(&self) -> Base {
        self.documents
            .last()
            .map_or(Base::Special, |document| document.state.base)
    }

    /// Whether the link just found is in a conditional comment, and in a document in an attribute.
    pub(super) fn within(&self) -> (bool, bool) {
        self.documents.last().map_or((false, false), |document| {
            (document.conditional, document.embedded)
        })
    }
}

impl Origin {
    fn of(self, span: Span) -> Span {
        match self {
            Self::At(offset) => span.shifted(offset),
            Self::From(whole) => whole,
        }
    }
}

impl<'h> Document<'h> {
    /// The URL of a link, character references resolved.
    fn url<'a>(&'a self, found: Found, buffer: &'a mut String) -> &'a str {
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
    fn advance(&mut self, exact: bool) -> Step<'h> {
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
    fn attribute(&mut self, attribute: Attribute, value: Span, exact: bool) -> Option<Step<'h>> {
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
    fn token(&mut self, exact: bool) -> Option<Step<'h>> {
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

    fn conditional_comment(&self, inner: Span) -> Step<'h> {
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

impl State {
    fn is_foreign(&self) -> bool {
        match self.reading {
            Reading::Exact => self.tree.as_ref().is_some_and(Tree::foreign),
            Reading::AllHtml => false,
            Reading::AllForeign => true,
        }
    }

    fn name_of_tag(&self, text: &str) -> Name {
        name(self.element.bytes(text.as_bytes()))
    }

    /// What a start tag changes, that began at `begin`; `next`: what tree construction says, if it was asked.
    #[inline]
    fn start(&mut self, text: &str, next: Next, begin: usize) {
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
    fn build_tree(&mut self, text: &str, begin: usize) {
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
    fn give_up(&mut self, begin: usize) {
        self.tree = None;
        self.tokenizer.detailed = false;
        self.reading = Reading::AllHtml;
        self.second = Some(begin);
    }

    fn feed(&mut self, text: &str, token: Token, begin: usize) -> Next {
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

    /// Makes the text of an ended `style` element of SVG what the source walks over.
    fn open_style(&mut self, exact: bool) {
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
    fn text(&mut self, text: &str, span: Span, decoded: bool, exact: bool) {
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

    fn raw_content(&mut self, text: &str, raw: Raw, content: Span, exact: bool) {
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
    fn open_value(&mut self, text: &str, value: Span, escaped: bool, exact: bool) {
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
    fn open_run(&mut self, text: &str, span: Span, decoded: bool, exact: bool) {
        self.value = span;
        self.decoded = true;
        self.buffer.clear();
        self.origins.clear();
        self.append_run(text, span, decoded, self.null(), exact);
    }

    /// What NUL in text becomes here.
    fn null(&self) -> &'static str {
        if self.tree.as_ref().is_some_and(Tree::replaces_null) {
            "\u{fffd}"
        } else {
            ""
        }
    }

    /// Makes one run of the text and CDATA sections that follow one another from `span` on, if there are several.
    fn join_sections(&mut self, text: &str, span: Span, decoded: bool, exact: bool) -> bool {
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

    fn append_run(&mut self, text: &str, span: Span, decoded: bool, null: &str, exact: bool) {
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
    fn origin(&self, part: Span) -> Span {
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
    fn next_in_source(&mut self, text: &str) -> Option<Found> {
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

/// Hands a token to tree construction.
fn feed(tree: &mut Tree, tokenizer: &Tokenizer, text: &str, token: Token) -> Next {
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
