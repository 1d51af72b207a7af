//! Soup: documents in which the tree that a reader builds decides what is a tag, and documents inside others.
//!
//! Readers disagree on trees. So nothing opens, closes or hides what comes after it here: everything that looks like a host
//! counts. The text is searched as written, with character references resolved, with the escapes of CSS resolved, and with
//! both. Where an escape writes a mark that may end a value, the text is searched once more with that mark as a part of the
//! value. Documents inside it are decoded once. Each case that this leaves open has a [`Clause`] of its own.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

mod data;
mod documents;
mod find;
mod hosts;
mod linked_data;
mod recent;
mod style;
mod tags;
mod texts;
mod words;

use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr;

use super::hidden::{Clause, HiddenHost};
use super::host::KnownHosts;
use super::work;
use crate::bytes::bits::Bits;
use recent::RecentHosts;
use texts::{Cleaned, Escapes, Resolved, Text};

pub(super) use data::Loads;
pub(super) use tags::is_icon;
pub(super) use words::is_wide;

/// The budget for the hosts that soup may still name in a document. Readers disagree where each host begins and ends, in
/// each of four texts. So a short text can name hosts that are together many times as long, and each of them would be read,
/// kept, and asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct HostBudget {
    /// The octets that are left for hosts and their overhead.
    octets: usize,
    /// The number of starts of hosts that is left.
    starts: usize,
    /// Whether one of the two, or the budget for tags, was used up. Then not all hosts were visited, and what else is written
    /// changes nothing.
    pub(super) is_used_up: bool,
}

impl HostBudget {
    /// A budget for hosts that are together twice as long as the document, and for one start in 16 bytes:
    /// `<a href="//a.example">` is longer. A short document gets more, because it can name little in any case.
    pub(super) const fn of(html: &str) -> Self {
        Self {
            octets: html.len() * 2 + 512,
            starts: html.len() / 16 + 256,
            is_used_up: false,
        }
    }

    /// Takes a host from the budget, and returns whether there was enough left. If there was not, nothing is left for any
    /// other host.
    fn take_host(&mut self, host: &str) -> bool {
        // The overhead of each host, in octets.
        const OVERHEAD: usize = 8;
        let left = self.octets.checked_sub(host.len() + OVERHEAD);
        self.octets = self.left(left);
        !self.is_used_up
    }

    /// Takes a start from the budget in the same way.
    fn take_start(&mut self) -> bool {
        self.starts = self.left(self.starts.checked_sub(1));
        !self.is_used_up
    }

    /// Returns what is left of one of the two budgets after something was taken from it. `None` means that it had less than was
    /// taken. Then both budgets count as used up.
    fn left(&mut self, left: Option<usize>) -> usize {
        self.is_used_up |= left.is_none();
        left.unwrap_or(0)
    }
}

/// The results of reading soup.
pub(super) struct Findings<'v> {
    visit: &'v mut dyn FnMut(&str),
    budget: &'v mut HostBudget,
    known: &'v mut KnownHosts,
    /// The first place where any host could be hidden.
    hidden: &'v mut Option<HiddenHost>,
    recent: RecentHosts,
}

impl<'v> Findings<'v> {
    pub(super) fn new(
        visit: &'v mut dyn FnMut(&str),
        budget: &'v mut HostBudget,
        known: &'v mut KnownHosts,
        hidden: &'v mut Option<HiddenHost>,
    ) -> Self {
        Self {
            visit,
            budget,
            known,
            hidden,
            recent: RecentHosts::default(),
        }
    }

    /// Visits the hosts of a text that is written at `span`, and returns whether it has one.
    fn hosts_of(&mut self, text: &[u8], span: impl Fn() -> Range<usize>) -> bool {
        let mut known = core::mem::take(self.known);
        let has_host = known.visit(text, &mut |host| self.host(host, &span));
        *self.known = known;
        has_host
    }

    /// Visits a host that is written at `span`. If there are too many hosts, the rest are not visited, and any host counts
    /// as named.
    fn host(&mut self, host: &str, span: impl FnOnce() -> Range<usize>) {
        if !self.recent.add(host) {
            return;
        }
        match self.budget.take_host(host) {
            true => (self.visit)(host),
            false => self.open(Clause::TooMany, span),
        }
    }

    /// Takes the start of a host at `span` from the budget, and returns whether it is to be read.
    fn start(&mut self, span: impl FnOnce() -> Range<usize>) -> bool {
        let is_within_budget = self.budget.take_start();
        if !is_within_budget {
            self.open(Clause::TooMany, span);
        }
        is_within_budget
    }

    /// Notes that any host could be hidden at `span`, by this clause. Only the first place is kept.
    fn open(&mut self, clause: Clause, span: impl FnOnce() -> Range<usize>) {
        self.budget.is_used_up |= clause == Clause::TooMany;
        self.hidden.get_or_insert_with(|| HiddenHost {
            clause,
            span: span(),
            has_unread_hosts: false,
        });
    }
}

/// The location of a text of soup in the HTML.
#[derive(Clone, Copy)]
enum SoupLocation<'t> {
    /// It is the part of the HTML that begins here.
    Html(usize),
    /// It was decoded. The function finds the bytes from which it was decoded. It is called only for the place that is reported,
    /// the first one that is left open: finding a place can take as long as resolving all text before it.
    Decoded(&'t dyn Fn() -> Range<usize>),
}

/// The kind of document that soup is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SoupKind {
    Markup,
    /// A style sheet.
    Sheet,
    /// A string of linked data.
    Json,
}

/// A text of soup.
struct Soup<'t> {
    text: &'t [u8],
    location: SoupLocation<'t>,
    /// Whether it is a document inside the HTML, not a part of the HTML.
    is_inner: bool,
    /// Whether it is surely UTF-8.
    is_utf8: bool,
    kind: SoupKind,
}

/// Reads a part of the HTML that begins at `start`.
pub(super) fn read_part(text: &str, start: usize, findings: &mut Findings<'_>) {
    Soup::outer(text, SoupLocation::Html(start)).read(findings);
}

/// Reads a text that was decoded from a part of the HTML, such as what follows the scheme of a URL.
pub(super) fn read_decoded(text: &str, written: Range<usize>, findings: &mut Findings<'_>) {
    Soup::outer(text, SoupLocation::Decoded(&|| written.clone())).read(findings);
}

/// Reads the value of a `srcdoc`, with its references resolved.
pub(super) fn read_srcdoc(text: &str, written: Range<usize>, findings: &mut Findings<'_>) {
    Soup::inner(text.as_bytes(), &|| written.clone(), true, SoupKind::Markup).read(findings);
}

/// Reads the strings of linked data that begins at `start` of the HTML.
pub(super) fn read_linked_data(json: &str, start: usize, findings: &mut Findings<'_>) {
    let written = start..start + json.len();
    linked_data::read_strings(json.as_bytes(), &|| written.clone(), findings, &mut |_| {
        true
    });
}

/// Reads what follows `data:` in a URL. `is_wide` says that the element that loads it names UTF-16 or ISO-2022 as its
/// charset.
pub(super) fn read_data(
    rest: &str,
    loads: Loads,
    is_wide: bool,
    written: Range<usize>,
    findings: &mut Findings<'_>,
) {
    let rest = texts::clean(rest.as_bytes());
    if let Some(data) = data::Data::parse(&rest)
        && data.is_read(loads)
    {
        if is_wide {
            findings.open(Clause::Charset, || written.clone());
        }
        data.read(loads, &|| written.clone(), findings);
    }
}

impl<'t> Soup<'t> {
    fn outer(text: &'t str, location: SoupLocation<'t>) -> Self {
        Self {
            text: text.as_bytes(),
            location,
            is_inner: false,
            is_utf8: true,
            kind: SoupKind::Markup,
        }
    }

    fn inner(
        text: &'t [u8],
        written: &'t dyn Fn() -> Range<usize>,
        is_utf8: bool,
        kind: SoupKind,
    ) -> Self {
        Self {
            text,
            location: SoupLocation::Decoded(written),
            is_inner: true,
            is_utf8,
            kind,
        }
    }

    fn read(&self, findings: &mut Findings<'_>) {
        if self.text.is_empty() || findings.budget.is_used_up {
            return;
        }
        self.read_text(Escapes::NONE, self.text, None, findings);
        let mut has_references = false;
        if let Some(Resolved { bytes, changes }) = texts::resolve(Escapes::REFERENCES, self.text) {
            has_references = true;
            self.read_text(Escapes::REFERENCES, &bytes, Some(changes), findings);
            let unescaped = texts::resolve(Escapes::CSS, &bytes);
            // Each text can be as long as the HTML, so only the ones that are needed are kept.
            drop(bytes);
            if let Some(Resolved { bytes, changes }) = unescaped {
                self.read_text(Escapes::BOTH, &bytes, Some(changes), findings);
            }
        }
        if let Some(Resolved { bytes, changes }) = texts::resolve(Escapes::CSS, self.text) {
            self.read_text(Escapes::CSS, &bytes, Some(changes), findings);
        }
        self.read_apart(has_references, findings);
        tags::read(self, findings);
        style::read(self, findings);
    }

    /// Looks for hosts and `data:` URLs in texts where a mark that was written by an escape of CSS, by a reference, or by
    /// either, ends nothing.
    fn read_apart(&self, has_references: bool, findings: &mut Findings<'_>) {
        let mut read = |escapes, text: Vec<u8>| {
            work::count(text.len());
            let marks = texts::marks_apart(&text);
            let cleaned = Cleaned::of(text, marks);
            let text = Text {
                bytes: &cleaned.bytes,
                gaps: &cleaned.gaps,
                changes: Some(&cleaned.changes),
                escapes,
                is_apart: true,
            };
            hosts::read(self, &text, findings);
            documents::read(self, &text, findings);
        };
        if let Some(unescaped) = texts::resolve_apart(Escapes::CSS, self.text) {
            read(Escapes::CSS, unescaped);
        }
        if !has_references {
            return;
        }
        let unescaped = texts::resolve(Escapes::REFERENCES, self.text)
            .and_then(|resolved| texts::resolve_apart(Escapes::CSS, &resolved.bytes));
        if let Some(unescaped) = unescaped {
            read(Escapes::BOTH, unescaped);
        }
        // This text is made a second time later. Keeping it while the other texts are read would take more memory.
        let apart = || texts::resolve_apart(Escapes::REFERENCES, self.text);
        if let Some(apart) = apart() {
            read(Escapes::REFERENCES, apart);
        }
        let unescaped = apart().and_then(|apart| {
            texts::resolve_apart(Escapes::CSS, &apart)
                .or_else(|| texts::resolve(Escapes::CSS, &apart).map(|made| made.bytes))
        });
        if let Some(unescaped) = unescaped {
            read(Escapes::BOTH, unescaped);
        }
    }

    /// Searches one of the four texts. `changes` are the positions where it differs from the text from which it was made.
    fn read_text(
        &self,
        escapes: Escapes,
        resolved: &[u8],
        changes: Option<Bits>,
        findings: &mut Findings<'_>,
    ) {
        work::count(resolved.len());
        let is_made = changes.is_some();
        let cleaned = Cleaned::new(resolved, changes.unwrap_or_default());
        let text = Text {
            bytes: &cleaned.bytes,
            gaps: &cleaned.gaps,
            changes: is_made.then_some(&cleaned.changes),
            escapes,
            is_apart: false,
        };
        if let Some(at) = memchr(0x1b, text.bytes) {
            findings.open(Clause::Escape, || self.written(&text, at..at + 1));
        }
        hosts::read(self, &text, findings);
        if self.is_inner {
            words::read(self, &text, findings);
        }
        documents::read(self, &text, findings);
    }

    /// The bytes of the HTML in which a part of one of the four texts is written.
    fn written(&self, text: &Text<'_>, part: Range<usize>) -> Range<usize> {
        match &self.location {
            SoupLocation::Decoded(written) => written(),
            SoupLocation::Html(start) => {
                let part = texts::written(text.escapes, self.text, part);
                start + part.start..start + part.end
            }
        }
    }

    /// The bytes of the HTML in which a part of the text as written is, with its control characters.
    fn written_raw(&self, part: Range<usize>) -> Range<usize> {
        match &self.location {
            SoupLocation::Decoded(written) => written(),
            SoupLocation::Html(start) => start + part.start..start + part.end,
        }
    }
}

#[cfg(test)]
mod tests;
