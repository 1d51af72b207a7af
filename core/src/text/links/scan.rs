//! The scanner: one walk over a document and over the conditional comments in it, which hands out links one by one.

mod document;
mod marks;
mod sources;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::memchr;
use percent_encoding::percent_decode_str;

use super::attribute::Attribute;
use super::css::{Css, Strings};
use super::element::Element;
use super::hidden::HiddenHost;
use super::host::{self, KnownHosts, UrlKind};
use super::run::Run;
use super::soup::{self, Findings, HostBudget, Loads};
use super::span::Span;
use super::tokenizer::{Tokenizer, VERTICAL_TAB};
use crate::text::unicode;

/// The kind of place where a link was found: a [`LinkPlace`](super::LinkPlace) without the name of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkPlaceKind {
    Attribute(Attribute),
    StyleElement,
    Refresh,
    Text,
}

/// The location of the characters of a found URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    /// In the document, with character references that are yet to be resolved.
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
pub(super) struct FoundLink {
    pub(super) place: LinkPlaceKind,
    /// The bytes in which it is written.
    pub(super) span: Span,
    piece: Piece,
    /// The way in which a reader loads a `data:` URL there.
    loads: Loads,
    /// Whether this is another reading of the link before, whose URL has another end for some readers.
    pub(super) is_second: bool,
}

/// The next thing that a scan finds.
pub(super) enum ScanEvent {
    Link(FoundLink),
    /// A text in which everything that looks like a host counts.
    Soup(SoupText),
}

/// A text that is read as soup.
#[derive(Debug)]
pub(super) enum SoupText {
    /// A part of the document.
    Part(Span),
    /// The value of a `srcdoc`, and its span in the document.
    Srcdoc(String, Span),
    /// Linked data.
    LinkedData(Span),
}

/// The source that is being searched for links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// An attribute that holds several URLs.
    List(Attribute),
    /// The URL of a refresh, up to its first end and up to its second.
    Refresh,
    StyleAttribute,
    StyleElement,
    Text,
    /// In an element whose text has no character references.
    RawText,
}

/// The parts of a document that are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Only links, and no soup.
    pub(super) exact: bool,
    /// The span of each link.
    pub(super) spans: bool,
    /// Domains in text that nothing marks as links.
    pub(super) bare_domains: bool,
}

/// The state of one document's scan, without the document.
#[derive(Clone, Debug, Default)]
pub(super) struct ScanState {
    tokenizer: Tokenizer,
    /// The span of the document. In a conditional comment it is the span of the innermost comment so far.
    document: Span,
    /// The span of the outermost document for which this state was made.
    first: Span,
    /// The parts of the document that are wanted.
    options: Options,
    /// Whether the document has NULs. Few documents have, and they are read more slowly.
    has_null: bool,
    /// Whether it is known that no `<![endif]` is ahead.
    endless: bool,
    /// The `</noscript` for which a `noscript` waits, or the end of the document if there is none.
    noscript: Option<usize>,
    /// The last `</noscript` that was looked for.
    next_noscript: usize,
    /// The start of the tag whose `</noscript` is searched for.
    noscript_begin: usize,
    /// The part of the document in which tags depend on a tree.
    soup: Option<Span>,
    /// Whether there is soup in the document: then every string of its CSS counts.
    has_soup: bool,
    /// The strings of CSS that are handed out. A document with `image-set()` or soup is read again after
    /// [`Strings::Expected`], with the others.
    strings: Strings,
    has_image_set: bool,
    /// The start tag whose attributes are being searched.
    element: Element,
    element_name: Span,
    next_attribute: usize,
    /// Whether the `content` of the tag is that of a refresh. `itemprop` says whether it is that of microdata.
    refresh: bool,
    itemprop: bool,
    /// Whether the script that begins with the tag holds linked data.
    linked_data: bool,
    raw: Option<Element>,
    /// Whether the tag names UTF-16 or ISO-2022 as the charset of what it loads. `None` until the first link of the tag needs
    /// it. All further links share the answer: reading all attributes for each link would take quadratic work.
    is_wide: Option<bool>,
    /// Whether the tag is a `link` to nothing but an icon.
    is_icon: bool,
    source: Option<Source>,
    /// The part of the document that the source walks over. If `decoded`, the source walks over `buffer`, which has the
    /// part in decoded form.
    value: Span,
    decoded: bool,
    /// CSS or text with NULs that is read once more, without them.
    without_nulls: Option<(Span, Source)>,
    /// The position in a list, or the number of the reading of a refresh.
    position: usize,
    css: Css,
    run: Run,
    buffer: String,
    /// The parts of the buffer that are not as written, in order: spans in the buffer and in the document. If something was
    /// left out, the span in the buffer is empty.
    origins: Vec<(Span, Span)>,
    css_buffer: String,
}

impl ScanState {
    /// The state of a scan that begins.
    fn begin(html: &str, document: Span, options: Options) -> Self {
        let bytes = document.bytes(html.as_bytes());
        Self {
            tokenizer: Tokenizer {
                position: document.start,
                has_vertical_tab: memchr(VERTICAL_TAB, bytes).is_some(),
                ..Tokenizer::default()
            },
            document,
            first: document,
            options,
            has_null: memchr(0, bytes).is_some(),
            ..Self::default()
        }
    }
}

/// A scan over a document. A conditional comment is scanned on its own, which interrupts the scan of the document.
#[derive(Debug)]
pub(super) struct Scanner<'h> {
    html: &'h str,
    state: ScanState,
    /// The state of the document around the conditional comment.
    outer: Option<ScanState>,
    /// The first place of soup where any host could be hidden.
    pub(super) hidden: Option<HiddenHost>,
    /// The budget for the hosts that soup may still name.
    pub(super) budget: HostBudget,
    known: KnownHosts,
}

impl<'h> Scanner<'h> {
    /// A scan of `html`.
    pub(super) fn new(html: &'h str, options: Options) -> Self {
        let whole = Span::new(0, html.len());
        Self {
            html,
            state: ScanState::begin(html, whole, options),
            outer: None,
            hidden: None,
            budget: HostBudget::of(html),
            known: KnownHosts::default(),
        }
    }

    /// Visits the hosts of the link just found, and those of a document inside its URL. Returns whether it is plain
    /// ([`host::visit_plain`]): a browser can read a plain URL.
    #[inline]
    pub(super) fn visit_link(&mut self, found: FoundLink, visit: &mut impl FnMut(&str)) -> bool {
        if let Piece::Raw(span) = found.piece
            && host::visit_plain(span.of(self.html), visit)
        {
            return true;
        }
        // A style has no charset of its own.
        let has_charset = matches!(
            found.place,
            LinkPlaceKind::Attribute(attribute) if attribute != Attribute::Style
        );
        let is_wide = has_charset && self.state.names_wide_charset(self.html);
        let mut buffer = String::new();
        let url = self.state.resolved(self.html, found, &mut buffer);
        if found.place == LinkPlaceKind::Text {
            host::visit_text_link(url, &mut self.known, visit);
            return false;
        }
        let kind = host::visit_url(url, visit);
        // Soup yields hosts, but no links.
        if kind == UrlKind::Plain || self.state.options.exact {
            return false;
        }
        let mut findings =
            Findings::new(visit, &mut self.budget, &mut self.known, &mut self.hidden);
        let (rest, written) = (host::after_scheme(url), found.span.range());
        if kind == UrlKind::Data {
            soup::read_data(&rest, found.loads, is_wide, written, &mut findings);
            return false;
        }
        soup::read_decoded(&rest, written.clone(), &mut findings);
        let decoded = percent_decode_str(&rest).decode_utf8_lossy();
        if decoded != rest {
            soup::read_decoded(&decoded, written, &mut findings);
        }
        false
    }

    /// The URL of the link just found, with character references resolved. It is borrowed if it is as written.
    pub(super) fn url(&self, found: FoundLink) -> Cow<'h, str> {
        let mut buffer = String::new();
        let url = self.state.resolved(self.html, found, &mut buffer);
        let written = self.html.get(found.span.range());
        match written.filter(|written| *written == url) {
            Some(written) => Cow::Borrowed(written),
            None => Cow::Owned(String::from(url)),
        }
    }

    /// The URL of the link just found, if no browser can read it.
    pub(super) fn unreadable(&self, found: FoundLink) -> Option<Cow<'h, str>> {
        if self.is_plainly_readable(found) {
            return None;
        }
        let url = self.url(found);
        (!host::readable(&url)).then_some(url)
    }

    /// Whether a quick look shows that a browser can read the URL of the link just found.
    pub(super) fn is_plainly_readable(&self, found: FoundLink) -> bool {
        // A link in text can be read. If a URL has two readings, the first one decides.
        if found.place == LinkPlaceKind::Text || found.is_second {
            return true;
        }
        matches!(found.piece, Piece::Raw(span) if host::visit_plain(span.of(self.html), &mut |_| {}))
    }

    /// The name of the element whose attribute the link just found is in.
    pub(super) fn element(&self) -> Cow<'h, str> {
        unicode::lower_ascii(self.state.element_name.of(self.html))
    }

    /// Visits everything that looks like a host in a text of soup.
    pub(super) fn visit_soup(&mut self, text: &SoupText, visit: &mut impl FnMut(&str)) {
        let html = self.html;
        let mut findings =
            Findings::new(visit, &mut self.budget, &mut self.known, &mut self.hidden);
        match text {
            SoupText::Part(span) => soup::read_part(span.of(html), span.start, &mut findings),
            SoupText::Srcdoc(text, span) => soup::read_srcdoc(text, span.range(), &mut findings),
            SoupText::LinkedData(span) => {
                soup::read_linked_data(span.of(html), span.start, &mut findings);
            }
        }
    }

    /// Whether the link just found is in a conditional comment.
    pub(super) fn is_conditional(&self) -> bool {
        self.outer.is_some()
    }
}
