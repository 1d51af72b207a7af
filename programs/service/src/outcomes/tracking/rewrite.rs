//! Finds the links of an email that can be tracked, and replaces them.
//!
//! In a body of httpSendMail, a link is rewritten only if `lol_html` and the library's [`franking::html::links`] agree on
//! it, so that a reader is led to the target that was judged. All other bytes of the HTML stay as they are: values of
//! attributes are replaced in place, and nothing is serialized again.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use franking::html::{LinkPlace, links};
use html5gum::{Token, Tokenizer};
use lol_html::html_content::{Element, EndTag};
use lol_html::{ElementContentHandlers, HtmlRewriter, Selector, Settings};

/// The most links of an email that are tracked. Each makes the email longer, and the limits of memory count the HTML as it
/// was before.
pub const MOST_LINKS: usize = 5_000;

/// Which links of an email are rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The links of a body of httpSendMail: those that the library reports with the same target, up to the first tag soup,
    /// because only these were judged.
    Judged,
    /// The links of a stored email, which is not judged: all that `lol_html` finds.
    Stored,
}

/// A link that can be tracked.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    /// The bytes of the attribute's value in the HTML.
    pub span: Range<usize>,
    /// The URL with its character references resolved: visible ASCII that begins with `http://` or `https://`.
    pub url: String,
}

impl std::fmt::Debug for Target {
    /// Without the URL, which may name a person.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Target")
            .field("span", &self.span)
            .finish_non_exhaustive()
    }
}

/// What can be tracked in an email. `Debug` shows no URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The links, in the order of the HTML.
    pub targets: Vec<Target>,
    /// The position of the last `</body>`; `None` if there is none.
    body_end: Option<usize>,
}

/// The relations by which a link says that it is not to be tracked.
const UNTRACKED: [&str; 2] = ["notrack", "unsubscribe"];

/// Finds what can be tracked in `html`: `href` of `a` and `area` with an absolute `http:` or `https:` URL. Links with the
/// relation `notrack` or `unsubscribe`, links whose URL contains `unsubscribe`, and links after the first [`MOST_LINKS`] are
/// left alone.
///
/// It finds nothing in HTML in which `lol_html` cannot tell text from markup. Its memory and time are in proportion to the
/// HTML.
#[must_use]
pub fn targets(html: &str, wanted: Wanted) -> Found {
    let Some(Scan {
        mut targets,
        body_end,
        soup,
    }) = scan(html)
    else {
        return Found::default();
    };
    if wanted == Wanted::Judged {
        let judged = judged(html, soup.unwrap_or(html.len()), &targets);
        targets.retain(|target| judged.get(&target.span.start) == Some(&target.url));
    }
    Found { targets, body_end }
}

/// Returns `html` with the targets replaced, and with an image before the last `</body>`, or at the end if there is none.
/// `link` gives the new link of a target by its index, or `None` to leave the target as it is.
///
/// New links consist of characters that need no quotes in HTML. The image is left out if it would not be an image there, as
/// within a comment that does not end.
#[must_use]
pub fn rewritten(
    html: &str,
    found: &Found,
    mut link: impl FnMut(usize) -> Option<String>,
    image: Option<&str>,
) -> String {
    let mut out = String::with_capacity(html.len().saturating_add(html.len() / 4));
    let mut from = 0;
    for (place, target) in found.targets.iter().enumerate() {
        if let Some(url) = link(place) {
            out.push_str(html.get(from..target.span.start).unwrap_or_default());
            out.push_str(&url);
            from = target.span.end;
        }
    }
    let Some(url) = image else {
        out.push_str(html.get(from..).unwrap_or_default());
        return out;
    };
    let end = found.body_end.unwrap_or(html.len()).max(from);
    out.push_str(html.get(from..end).unwrap_or_default());
    let (start, tag) = (out.len(), image_tag(url));
    out.push_str(&tag);
    out.push_str(html.get(end..).unwrap_or_default());
    if !has_image(&out, url) {
        out.replace_range(start..start.saturating_add(tag.len()), "");
    }
    out
}

fn image_tag(url: &str) -> String {
    format!("<img src=\"{url}\" width=\"1\" height=\"1\" alt=\"\">")
}

/// The elements after which mail readers disagree about what is a tag. Not every `noscript` makes them disagree, but each one
/// counts.
const SOUP: &str = "svg, math, template, select, frameset, noscript";

/// A link as `lol_html` finds it.
struct Written {
    tag: Range<usize>,
    value: Range<usize>,
}

impl Written {
    /// The target, if it can be tracked. The tag's attributes are read by a tokenizer of the HTML standard.
    fn target(self, html: &str) -> Option<Target> {
        let tag = html.get(self.tag.clone())?;
        let tag = Tokenizer::new(tag).find_map(|token| match token {
            Ok(Token::StartTag(tag)) => Some(tag),
            _ => None,
        })?;
        let attribute = |name: &[u8]| {
            let value = tag.attributes.get(name)?;
            std::str::from_utf8(value).ok().map(str::to_owned)
        };
        let relations = attribute(b"rel").unwrap_or_default();
        let mut relations = relations.split_ascii_whitespace();
        if relations.any(|one| UNTRACKED.iter().any(|none| one.eq_ignore_ascii_case(none))) {
            return None;
        }
        let url = attribute(b"href").filter(|url| is_trackable(url))?;
        Some(Target {
            span: self.value,
            url,
        })
    }
}

/// Whether a URL can be written into a header unchanged, leads to a host, and does not contain `unsubscribe`.
fn is_trackable(url: &str) -> bool {
    let has_scheme = ["https://", "http://"].iter().any(|scheme| {
        url.get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    has_scheme
        && url.bytes().all(|byte| byte.is_ascii_graphic())
        && !url.to_ascii_lowercase().contains("unsubscribe")
}

/// The URLs that the library reports for `a` and `area` before `end`, by the positions of their values. Positions other than
/// those of `targets`, which are in the order of the HTML, are left out.
fn judged(html: &str, end: usize, targets: &[Target]) -> HashMap<usize, String> {
    let end = end.min(targets.last().map_or(0, |target| target.span.end));
    let is_target = |start: usize| {
        let found = targets.binary_search_by_key(&start, |target| target.span.start);
        found.is_ok()
    };
    let is_link = |place: &LinkPlace<'_>| match place {
        LinkPlace::Attribute { element, attribute } => {
            matches!(&**element, "a" | "area") && *attribute == "href"
        }
        _ => false,
    };
    let found = links(html).take_while(|link| link.span.start < end);
    let found = found.filter(|link| is_link(&link.place) && !link.in_conditional_comment);
    let found = found.filter(|link| is_target(link.span.start));
    found
        .map(|link| (link.span.start, link.url.into_owned()))
        .collect()
}

#[derive(Default)]
struct Scan {
    /// The first links that can be tracked, in the order of the HTML.
    targets: Vec<Target>,
    body_end: Option<usize>,
    /// The position of the first tag with which tag soup may begin for the library.
    soup: Option<usize>,
}

/// Returns what `lol_html` finds in HTML. `None` if it cannot tell text from markup.
fn scan(html: &str) -> Option<Scan> {
    let targets = RefCell::new(Vec::new());
    let body_end = Rc::new(Cell::new(None));
    let each = |element: &mut Element<'_, '_>| {
        let mut targets = targets.borrow_mut();
        if targets.len() < MOST_LINKS {
            let href = element.attributes().iter().find(|one| one.name() == "href");
            let value = href.and_then(lol_html::html_content::Attribute::value_source_location);
            let written = value.map(|value| Written {
                tag: element.source_location().bytes(),
                value: value.bytes(),
            });
            targets.extend(written.and_then(|written| written.target(html)));
        }
        Ok(())
    };
    let body = |element: &mut Element<'_, '_>| {
        let body_end = Rc::clone(&body_end);
        element.on_end_tag(Box::new(move |tag: &mut EndTag<'_>| {
            body_end.set(Some(tag.source_location().bytes().start));
            Ok(())
        }))
    };
    let soup = Cell::new(None);
    let other = |element: &mut Element<'_, '_>| {
        let at = element.source_location().bytes().start;
        soup.set(soup.get().or(Some(at)));
        Ok(())
    };
    visit(
        html,
        [
            (SOUP, ElementContentHandlers::default().element(other)),
            (
                "a[href], area[href]",
                ElementContentHandlers::default().element(each),
            ),
            ("body", ElementContentHandlers::default().element(body)),
        ],
    )?;
    Some(Scan {
        targets: targets.into_inner(),
        body_end: body_end.get(),
        soup: soup.get(),
    })
}

/// Whether there is an image with that source.
fn has_image(html: &str, url: &str) -> bool {
    let found = Cell::new(false);
    let image = |element: &mut Element<'_, '_>| {
        let is_it = element.get_attribute("src").as_deref() == Some(url);
        found.set(found.get() || is_it);
        Ok(())
    };
    let visited = visit(
        html,
        [("img[src]", ElementContentHandlers::default().element(image))],
    );
    visited.is_some() && found.get()
}

fn visit<'h, const N: usize>(
    html: &str,
    handlers: [(&'static str, ElementContentHandlers<'h>); N],
) -> Option<()> {
    let mut settings = Settings::new();
    for (selector, handler) in handlers {
        let selector = selector.parse::<Selector>().ok()?;
        let handler = (Cow::Owned(selector), handler);
        settings = settings.append_element_content_handler(handler);
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(html.as_bytes()).ok()?;
    rewriter.end().ok()
}
