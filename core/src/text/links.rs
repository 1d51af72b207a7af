//! Every link in the HTML of a mail, and the hosts that a mail reader would contact for them.
//!
//! Mail readers differ, so none is imitated: where they read HTML differently, every reading counts. Ordinary documents are
//! read by the tokens of the WHATWG HTML standard. In other documents, and in documents inside attributes, everything that
//! looks like a host counts. This text is called soup. CSS is read by the CSS Syntax standard, URLs and hosts by the WHATWG
//! URL standard and UTS 46. `docs/links.md` lists every place that is searched.

mod attribute;
mod collected;
mod css;
mod element;
mod hidden;
mod host;
mod lists;
mod raw;
mod references;
mod run;
mod scan;
mod search;
mod soup;
mod span;
mod tokenizer;
mod words;
mod work;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

pub use collected::SortedHosts;
pub(crate) use hidden::COMPUTED;
pub use hidden::{Clause, HiddenHost};

use crate::debug::debug_shows;
use attribute::Attribute;
use scan::{LinkPlaceKind, Options, ScanEvent, Scanner};

/// The place where a link was found.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkPlace<'h> {
    /// In an attribute that holds a URL or a list of them.
    Attribute {
        /// The element's name, in lower case.
        element: Cow<'h, str>,
        /// The attribute's name, in lower case.
        attribute: &'static str,
    },
    /// In the CSS of a `style` attribute.
    StyleAttribute {
        /// The element's name, in lower case.
        element: Cow<'h, str>,
    },
    /// In the CSS of a `style` element.
    StyleElement,
    /// In the `content` of a `meta` refresh.
    Refresh,
    /// In text.
    Text,
}

impl fmt::Debug for LinkPlace<'_> {
    /// Like [`fmt::Display`], but without an element's name if that has more than letters and digits: `<ada@shop.example>`
    /// is a tag, too.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute { element, attribute } if !is_plain_name(element) => {
                write!(formatter, "{attribute} of <..>")
            }
            Self::StyleAttribute { element } if !is_plain_name(element) => {
                formatter.write_str("style of <..>")
            }
            _ => fmt::Display::fmt(self, formatter),
        }
    }
}

/// Whether an element's name has nothing but letters and digits, so that it is not an address.
pub(crate) fn is_plain_name(element: &str) -> bool {
    element.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

impl fmt::Display for LinkPlace<'_> {
    /// As a person would name it: `href of <a>`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attribute { element, attribute } => {
                write!(formatter, "{attribute} of <{element}>")
            }
            Self::StyleAttribute { element } => write!(formatter, "style of <{element}>"),
            Self::StyleElement => formatter.write_str("<style>"),
            Self::Refresh => formatter.write_str("content of <meta http-equiv=refresh>"),
            Self::Text => formatter.write_str("text"),
        }
    }
}

/// A URL that a mail reader would follow, load or turn into a link.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link<'h> {
    /// Where it was found.
    pub place: LinkPlace<'h>,
    /// The bytes of the HTML in which the link is written.
    pub span: Range<usize>,
    /// Whether it is in a conditional comment, which only some mail readers read.
    pub in_conditional_comment: bool,
    /// The URL, with character references and CSS escapes resolved.
    pub url: Cow<'h, str>,
    /// The hosts by which the link is judged, as the URL standard serializes them (IPv6 in brackets, a dot at the end
    /// kept). There are none for a relative URL, whose host is that of its base, and for a scheme without hosts. There can
    /// be several for `mailto:`.
    pub hosts: Vec<String>,
    /// Whether a browser can read the URL. Always `true` for a link in text.
    pub readable: bool,
}

// The URL and its hosts may name a person.
debug_shows!(Link<'_> { place, span, readable });

/// The links of a document, in the order in which they are written.
///
/// Made by [`links`]. Holds one link at a time. Debug shows nothing of the document.
pub struct Links<'h>(Scanner<'h>);

debug_shows!(Links<'_> {});

/// Every link in `html`, wherever and however it is written. `docs/links.md` lists the places.
///
/// Soup yields hosts to [`hosts`], but no links. In a document with `image-set()`, every string of CSS is a link, and
/// strings that would not be links elsewhere come last.
///
/// ```
/// # use franking::html::links;
/// let html = r#"<a href="https:&#47;/www.example.com/x">shop</a> or www.example.net."#;
/// let found: Vec<_> = links(html).map(|link| (link.place.to_string(), link.hosts, link.span)).collect();
/// assert_eq!(found, [
///     ("href of <a>".into(), vec!["www.example.com".into()], 9..38),
///     ("text".into(), vec!["www.example.net".into()], 52..67),
/// ]);
/// ```
pub fn links(html: &str) -> Links<'_> {
    links_with(html, false)
}

/// [`links`] under the policy [`crate::Policy::bare_domains`].
pub fn links_with(html: &str, bare_domains: bool) -> Links<'_> {
    let options = Options {
        exact: true,
        spans: true,
        bare_domains,
    };
    Links(Scanner::new(html, options))
}

/// The URLs of [`links`] that no browser can read. This is cheaper than [`links`], because it does not make the other
/// links.
pub(crate) fn unreadable(html: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let options = Options {
        exact: true,
        ..Options::default()
    };
    let mut scanner = Scanner::new(html, options);
    core::iter::from_fn(move || {
        loop {
            if let ScanEvent::Link(found) = scanner.advance()?
                && let Some(url) = scanner.unreadable(found)
            {
                return Some(url);
            }
        }
    })
}

impl<'h> Iterator for Links<'h> {
    type Item = Link<'h>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = loop {
            match self.0.advance()? {
                ScanEvent::Link(found) => break found,
                ScanEvent::Soup(_) => {}
            }
        };
        let url = self.0.url(found);
        let span = found.span.range();
        let place = match found.place {
            LinkPlaceKind::Attribute(Attribute::Style) => LinkPlace::StyleAttribute {
                element: self.0.element(),
            },
            LinkPlaceKind::Attribute(attribute) => LinkPlace::Attribute {
                element: self.0.element(),
                attribute: attribute.spelling(),
            },
            LinkPlaceKind::StyleElement => LinkPlace::StyleElement,
            LinkPlaceKind::Refresh => LinkPlace::Refresh,
            LinkPlaceKind::Text => LinkPlace::Text,
        };
        let readable = self.0.is_plainly_readable(found) || host::readable(&url);
        let mut hosts = Vec::new();
        self.0
            .visit_link(found, &mut |host| hosts.push(String::from(host)));
        Some(Link {
            place,
            span,
            in_conditional_comment: self.0.is_conditional(),
            url,
            hosts,
            readable,
        })
    }
}

impl FusedIterator for Links<'_> {}

/// Every host by which code 413 judges `html`, sorted, each once. Takes at most [`crate::memory_bound`] of the length of the
/// HTML, the hosts included.
///
/// Hosts are as in [`Link::hosts`].
///
/// ```
/// # use franking::html::hosts;
/// let html = r#"<img src="//b.example/x.png"><a href="mailto:someone@a.example">write</a>"#;
/// assert!(hosts(html).iter().eq(["a.example", "b.example"]));
/// ```
#[must_use]
pub fn hosts(html: &str) -> SortedHosts {
    let mut hosts = SortedHosts::default();
    visit_hosts(html, false, &mut |host| hosts.insert(host));
    hosts.sort();
    hosts
}

/// A place of `html` where any host could be hidden, by the clauses of `docs/links.md`: an ESC if there is one, otherwise
/// the first place that is found.
///
/// ```
/// # use franking::html::{Clause, hidden_host, hosts};
/// let html = "<svg><style>@import '//a<g>b</g>c.example'</style></svg>";
/// let hidden = hidden_host(html).expect("readers disagree which host it is");
/// assert_eq!((hidden.clause, hidden.span), (Clause::MarkupInUrl, 24..25));
/// assert!(hosts(html).iter().any(|host| host == "computed.invalid"));
/// assert_eq!(hidden_host("<a href=https://www.example.com>"), None);
/// ```
pub fn hidden_host(html: &str) -> Option<HiddenHost> {
    visit_hosts(html, false, &mut |_| {})
}

/// Calls `visit` with every host by which code 413 judges `html`, and again if another link has the same host. If any host
/// could be hidden, `visit` also gets `computed.invalid`, and the place is returned. `bare_domains` is that of
/// [`crate::Policy::bare_domains`].
///
/// This is cheaper than [`links`]: most links are found and judged in place, without a copy.
pub fn visit_hosts(
    html: &str,
    bare_domains: bool,
    visit: &mut impl FnMut(&str),
) -> Option<HiddenHost> {
    read(html, bare_domains, visit, |_, _| {})
}

/// [`visit_hosts`] without the hosts. Also returns whether [`unreadable`] finds a URL.
pub(crate) fn look_for_unreadable(html: &str, bare_domains: bool) -> (Option<HiddenHost>, bool) {
    let mut has_unreadable = false;
    let hidden = read(html, bare_domains, &mut |_| {}, |scanner, found| {
        has_unreadable = has_unreadable || scanner.unreadable(found).is_some();
    });
    (hidden, has_unreadable)
}

/// Reads HTML once. `visit` gets its hosts. `note` gets each link that is not plain ([`host::visit_plain`]), and so every link
/// that [`unreadable`] could return: soup yields hosts, but no links.
fn read(
    html: &str,
    bare_domains: bool,
    visit: &mut impl FnMut(&str),
    mut note: impl FnMut(&mut Scanner<'_>, scan::FoundLink),
) -> Option<HiddenHost> {
    let options = Options {
        bare_domains,
        ..Options::default()
    };
    let mut scanner = Scanner::new(html, options);
    while let Some(event) = scanner.advance() {
        match event {
            ScanEvent::Link(found) => {
                if !scanner.visit_link(found, visit) {
                    note(&mut scanner, found);
                }
            }
            ScanEvent::Soup(text) => scanner.visit_soup(&text, visit),
        }
    }
    let mut hidden = hidden::escape(html).or(scanner.hidden);
    if let Some(hidden) = &mut hidden {
        hidden.has_unread_hosts = scanner.budget.is_used_up;
        visit(COMPUTED);
    }
    hidden
}

#[cfg(test)]
mod tests;
