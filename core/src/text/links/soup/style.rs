//! Clause 1: markup in a style sheet, directly after the beginning of a URL, or in an escape.
//!
//! In SVG and in XML a reader takes the text of a `style` without that of the elements in it: from
//! `<svg><style>@import '//a<g>b</g>c.example'` it loads `ac.example`. What that text is depends on a tree.

mod beginning;
mod part;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::super::hidden::Clause;
use super::super::span::has_word;
use super::super::work;
use super::find::Next;
use super::tags::{local_name, named_end};
use super::{Findings, Soup};
use crate::bytes::bits::Bits;
use beginning::{Openings, SheetReading};

/// Looks through each `style` for markup directly after the beginning of a URL, or in an escape.
pub(super) fn read(soup: &Soup<'_>, findings: &mut Findings<'_>) {
    let text = soup.text;
    let mut ends = StyleEnds {
        text,
        ..StyleEnds::default()
    };
    let mut sheet = None;
    let mut from = 0;
    while findings.hidden.is_none()
        && let Some(found) = memchr(b'<', &text[from..])
    {
        let at = from + found;
        from = at + 1;
        let Some(name_end) = named_end(text, at, b"style") else {
            continue;
        };
        let end = ends.end_of(name_end);
        // The search of a sheet that begins inside another one goes on in the outer one: both have the same markup, and the
        // outer one has all text before it.
        let known = sheet.take().filter(|sheet: &Sheet| name_end < sheet.end);
        let begun = || Sheet {
            end: name_end,
            ..Sheet::default()
        };
        let mut continued = known.unwrap_or_else(begun);
        if let Some(markup) = continued.read(text, end) {
            findings.open(Clause::MarkupInUrl, || soup.written_raw(markup.0..markup.1));
        }
        sheet = Some(continued);
    }
}

/// The ends of style sheets.
#[derive(Default)]
struct StyleEnds<'t> {
    text: &'t [u8],
    /// The last end tag of a style in the text, after it was looked for.
    last: Option<Option<usize>>,
    /// What earlier searches have passed: each `<` outside of comments and tags, and within tags each quote at which a value
    /// begins.
    passed: Bits,
    /// The furthest end that was found.
    furthest: usize,
    /// The next `>`.
    bracket: Next,
    /// The next `>` or quote.
    mark: Next,
    double_quote: Next,
    single_quote: Next,
    comment: Next,
    cdata: Next,
}

impl StyleEnds<'_> {
    /// The end of the sheet whose tag's name ends at `name_end`. That is the next end tag outside of comments, CDATA sections
    /// and tags. If an element is before that, it is the last end tag of the text. Without an end tag, it is the end of the
    /// text.
    fn end_of(&mut self, name_end: usize) -> usize {
        let text = self.text;
        let find = || memchr(b'>', &text[name_end..]);
        let tag_end = self.bracket.after(name_end, text.len(), find);
        let end = self.end_from(text.len().min(tag_end + 1));
        self.furthest = self.furthest.max(end);
        end
    }

    /// As [`Self::end_of`], for the sheet that begins at `at`.
    fn end_from(&mut self, mut at: usize) -> usize {
        let text = self.text;
        let mut has_element = false;
        while let Some(found) = memchr(b'<', &text[at..]) {
            at += found;
            if !self.passed.insert(at) {
                return self.end_after_passed(has_element);
            }
            work::count(1);
            let rest = &text[at..];
            if rest.starts_with(b"<!--") {
                let from = at + 4;
                let end = self
                    .comment
                    .after(from, text.len(), || memmem::find(&text[from..], b"-->"));
                at = text.len().min(end + 3);
            } else if rest.starts_with(b"<![CDATA[") {
                let from = at + 9;
                let end = self
                    .cdata
                    .after(from, text.len(), || memmem::find(&text[from..], b"]]>"));
                at = text.len().min(end + 3);
            } else if is_end_tag(text, at) {
                return match has_element {
                    true => self.last_end_tag().map_or(at, |last| last.max(at)),
                    false => at,
                };
            } else if rest.get(1).is_some_and(|byte| begins_name(*byte)) {
                has_element = true;
                match self.tag_end(at + 1) {
                    Some(end) => at = end,
                    None => return self.end_after_passed(has_element),
                }
            } else {
                at += 1;
            }
        }
        text.len()
    }

    /// The end of a sheet whose search has come to a position that an earlier search has passed. From there on, both searches
    /// find the same.
    fn end_after_passed(&mut self, has_element: bool) -> usize {
        let last = self.last_end_tag().filter(|_| has_element);
        last.map_or(self.furthest, |last| self.furthest.max(last))
    }

    /// The end of the tag whose name begins at `at`. A quote that is not closed ends it. `None` if an earlier search has read
    /// a value that this search would read.
    fn tag_end(&mut self, mut at: usize) -> Option<usize> {
        let text = self.text;
        loop {
            let find = || memchr3(b'>', b'"', b'\'', &text[at..]);
            let mark = self.mark.after(at, text.len(), find);
            let (next_quote, quote) = match text.get(mark) {
                Some(b'"') => (&mut self.double_quote, b'"'),
                Some(b'\'') => (&mut self.single_quote, b'\''),
                _ => return Some(text.len().min(mark + 1)),
            };
            if !self.passed.insert(mark) {
                return None;
            }
            work::count(1);
            let from = mark + 1;
            let closing = next_quote.after(from, text.len(), || memchr(quote, &text[from..]));
            if closing == text.len() {
                return Some(mark);
            }
            at = closing + 1;
        }
    }

    fn last_end_tag(&mut self) -> Option<usize> {
        let text = self.text;
        *self.last.get_or_insert_with(|| {
            memchr::memrchr_iter(b'<', text).find(|at| is_end_tag(text, *at))
        })
    }
}

/// Whether an end tag of `style` begins here, with a prefix or without.
fn is_end_tag(text: &[u8], at: usize) -> bool {
    let begin = at + 2;
    if text.get(at + 1) != Some(&b'/') {
        return false;
    }
    let local = local_name(text, begin);
    has_word(text, begin, b"style") || has_word(text, local, b"style")
}

/// Whether a name of XML may begin with this byte.
const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

/// A style sheet that was read up to `end`.
#[derive(Default)]
struct Sheet {
    end: usize,
    /// Whether markup has directly followed an opening.
    is_chained: bool,
    /// The openings before the `data:` URLs in whose texts the last markup was.
    data_texts: Openings,
}

impl Sheet {
    /// Reads on to `end`. Returns the first markup that is directly after the beginning of a URL, or in an escape.
    fn read(&mut self, text: &[u8], end: usize) -> Option<(usize, usize)> {
        while self.end < end {
            let begin = self.end;
            let markup = next_markup(&text[..end], begin + usize::from(begin > 0));
            self.end = markup.unwrap_or(end);
            let markup = markup?;
            let mut is_open = false;
            let mut is_opening = false;
            let mut data_texts = Openings::default();
            part::each_form(&text[begin..markup], &mut |form| {
                work::count(form.len());
                let ended = SheetReading::new(self.is_chained, self.data_texts).read(form);
                is_open |= ended.is_open;
                is_opening |= ended.is_opening;
                data_texts.extend(ended.data_texts);
            });
            self.is_chained |= is_opening;
            self.data_texts = data_texts;
            if is_open {
                return Some((markup, end.min(markup + 1)));
            }
        }
        None
    }
}

/// The next `]]>`, or `<` before a letter, `/`, `!` or `?` that is not the end tag of the sheet.
fn next_markup(text: &[u8], from: usize) -> Option<usize> {
    let mut from = from;
    loop {
        let at = from + memchr2(b'<', b']', text.get(from..)?)?;
        from = at + 1;
        let is_markup = match &text[at..] {
            [b'<', b'/' | b'!' | b'?', ..] => !has_word(text, at, b"</style"),
            [b'<', first, ..] => begins_name(*first),
            [b']', b']', b'>', ..] => true,
            _ => false,
        };
        if is_markup {
            return Some(at);
        }
    }
}
