//! The scanner: one walk over a document and over the documents inside it, found links handed out one by one.

mod construction;
mod document;
mod sources;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::attribute::Attribute;
use super::css::Css;
use super::host::{self, Base, Kind};
use super::run::Run;
use super::span::Span;
use super::tokenizer::{Raw, Tokenizer};
use super::tree::Tree;

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
