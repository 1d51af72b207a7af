//! Clause 1: markup in a style sheet, directly after the beginning of a URL.
//!
//! In SVG and in XML a reader takes the text of a `style` without that of the elements in it: from
//! `<svg><style>@import '//a<g>b</g>c.example'` it loads `ac.example`. Which text that is depends on a tree.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2, memmem};

use super::super::hidden::Clause;
use super::super::work;
use super::tags::{Positions, local_name, named_end};
use super::texts::{self, Next, has_word, without_space};
use super::{Findings, Soup};

/// Looks through each `style` for markup directly after the beginning of a URL.
pub(super) fn read(soup: &Soup<'_>, findings: &mut Findings<'_>) {
    let text = soup.text;
    let mut ends = StyleEnds::new(text);
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
        // A sheet that begins in another one has the same markup, and the other one has all that is before it.
        let known = sheet.take().filter(|sheet: &Sheet| name_end < sheet.end);
        let mut continued = known.unwrap_or_else(|| Sheet::new(name_end));
        if let Some(markup) = continued.read(text, end) {
            findings.open(Clause::MarkupInUrl, || soup.written_raw(markup.0..markup.1));
        }
        sheet = Some(continued);
    }
}

/// Where style sheets end.
struct StyleEnds<'t> {
    text: &'t [u8],
    /// The last end tag of a style in the text, once it was looked for.
    last: Option<Option<usize>>,
    /// Where a search has gone through the text outside of comments.
    passed: Positions,
    /// The furthest end that was found.
    furthest: usize,
    comment: Next,
    cdata: Next,
}

impl<'t> StyleEnds<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self {
            text,
            last: None,
            passed: Positions::default(),
            furthest: 0,
            comment: Next::default(),
            cdata: Next::default(),
        }
    }

    /// Where the sheet ends whose tag's name ends here: at the next end tag that is in no comment or CDATA section; if an
    /// element is before it, at the last one; and without one at the end.
    fn end_of(&mut self, name_end: usize) -> usize {
        let text = self.text;
        let tag_end = memchr(b'>', &text[name_end..]);
        let mut at = tag_end.map_or(name_end, |length| name_end + length + 1);
        let end = loop {
            let Some(found) = memchr(b'<', &text[at..]) else {
                break text.len();
            };
            at += found;
            if !self.passed.insert(at, text.len()) {
                break self.furthest;
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
                break at;
            } else if rest.get(1).is_some_and(|byte| begins_name(*byte)) {
                break self
                    .last_end_tag()
                    .filter(|last| *last > at)
                    .unwrap_or(text.len());
            } else {
                at += 1;
            }
        };
        self.furthest = self.furthest.max(end);
        end
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

/// Whether a name of XML may begin so.
const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

/// A style sheet, read up to some place.
struct Sheet {
    end: usize,
    /// Markup has directly followed an opening.
    is_chained: bool,
}

impl Sheet {
    const fn new(begin: usize) -> Self {
        Self {
            end: begin,
            is_chained: false,
        }
    }

    /// Reads on to `end`. The first markup that is directly after the beginning of a URL.
    fn read(&mut self, text: &[u8], end: usize) -> Option<(usize, usize)> {
        while self.end < end {
            let begin = self.end;
            let markup = next_markup(&text[..end], begin + usize::from(begin > 0));
            self.end = markup.unwrap_or(end);
            let markup = markup?;
            let part = Part::new(&text[begin..markup]);
            let mut is_open = false;
            let mut is_opening = false;
            part.each_form(&mut |form| {
                work::count(form.text.len());
                let (open, opening) = Form::new(self.is_chained).read(form);
                is_open |= open;
                is_opening |= opening;
            });
            self.is_chained |= is_opening;
            if is_open {
                return Some((markup, end.min(markup + 1)));
            }
        }
        None
    }
}

/// A part of a sheet in one reading: marks that an escape of CSS wrote are kept apart.
#[derive(Clone)]
struct Part<'t> {
    text: Cow<'t, [u8]>,
    /// Where escapes begin that the markup may have cut.
    cuts: [Option<usize>; 4],
}

impl<'t> Part<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self {
            text: Cow::Borrowed(text),
            cuts: [None; 4],
        }
    }

    /// Hands out the part as it may be read: with references resolved or not, with escapes of CSS resolved or not, then
    /// percent-decoded or not, and as a sheet within that.
    fn each_form(&self, each: &mut dyn FnMut(&Part<'_>)) {
        self.each_of_sheet(each);
        if let Some(resolved) = self.after(0, b'&', texts::resolve_references) {
            resolved.each_of_sheet(each);
        }
    }

    fn each_of_sheet(&self, each: &mut dyn FnMut(&Part<'_>)) {
        self.each_of_url(each);
        if let Some(unescaped) = self.after(1, b'\\', texts::resolve_css) {
            unescaped.each_of_url(each);
        }
    }

    fn each_of_url(&self, each: &mut dyn FnMut(&Part<'_>)) {
        let url = self.without_breaks();
        each(&url);
        if let Some(unescaped) = url.after(2, b'\\', texts::resolve_css) {
            each(&unescaped.without_breaks());
        }
        if let Some(decoded) = url.after(3, b'%', percent_decoded) {
            each(&decoded.without_breaks());
            if let Some(unescaped) = decoded.after(2, b'\\', texts::resolve_css) {
                each(&unescaped.without_breaks());
            }
        }
    }

    /// Without tabs, line breaks and NULs.
    fn without_breaks(&self) -> Part<'_> {
        let is_left_out = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0);
        match self.text.iter().any(is_left_out) {
            true => self.stepped(texts::leave_out, false),
            false => Part {
                text: Cow::Borrowed(&self.text),
                cuts: self.cuts,
            },
        }
    }

    /// What a step makes of it, if it has the mark of what is resolved there.
    fn after(&self, step: usize, mark: u8, resolve: texts::Step) -> Option<Part<'static>> {
        memchr(mark, &self.text)?;
        let mut before = Part {
            text: Cow::Borrowed(&self.text),
            cuts: self.cuts,
        };
        before.cuts[step] = unfinished_escapes(&self.text)
            .into_iter()
            .flatten()
            .find(|at| self.text[*at] == mark);
        Some(before.stepped(resolve, mark == b'\\'))
    }

    /// `is_css`: the marks that escapes write are kept apart.
    fn stepped(&self, step: texts::Step, is_css: bool) -> Part<'static> {
        let mut text = Vec::with_capacity(self.text.len());
        let mut cuts = [None; 4];
        step(&self.text, &mut |piece, written| {
            for (cut, new) in self.cuts.iter().zip(&mut cuts) {
                if let Some(cut) = cut.filter(|cut| new.is_none() && *cut < written.end) {
                    let is_verbatim = piece.len() == written.len();
                    let into = if is_verbatim {
                        cut.saturating_sub(written.start)
                    } else {
                        0
                    };
                    *new = Some(text.len() + into);
                }
            }
            match is_css {
                true => _ = texts::push_piece(&self.text, piece, &written, &mut text),
                false => text.extend_from_slice(piece),
            }
        });
        for (cut, new) in self.cuts.iter().zip(&mut cuts) {
            if cut.is_some() {
                new.get_or_insert(text.len());
            }
        }
        Part {
            text: Cow::Owned(text),
            cuts,
        }
    }
}

/// Percent escapes, decoded.
fn percent_decoded(text: &[u8], each: &mut dyn FnMut(&[u8], Range<usize>)) {
    let (mut begin, mut from) = (0, 0);
    while let Some(found) = memchr(b'%', &text[from..]) {
        let at = from + found;
        from = at + 1;
        let digits = text.get(from..from + 2).map(|digits| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            Some(digit(digits[0])? << 4 | digit(digits[1])?)
        });
        if let Some(Some(value)) = digits
            && let Ok(value) = u8::try_from(value)
        {
            each(&text[begin..at], begin..at);
            from = at + 3;
            begin = from;
            each(&[value], at..from);
        }
    }
    each(&text[begin..], begin..text.len());
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

/// What may come before a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opening {
    DoubleQuote,
    SingleQuote,
    Parenthesis,
    /// A quote or parenthesis that is percent-escaped.
    Escaped,
    Import,
    /// `>`, once markup has directly followed another opening.
    Tag,
}

impl Opening {
    const ALL: [Self; 6] = [
        Self::DoubleQuote,
        Self::SingleQuote,
        Self::Parenthesis,
        Self::Escaped,
        Self::Import,
        Self::Tag,
    ];

    /// Whether a byte ends what follows the opening.
    fn is_closed_by(self, byte: u8) -> bool {
        if matches!(byte, b'/' | b'\\' | b'?' | b'#') {
            return true;
        }
        match self {
            Self::DoubleQuote => byte == b'"',
            Self::SingleQuote => byte == b'\'',
            Self::Parenthesis => byte == b')',
            Self::Escaped => matches!(byte, b'"' | b'\'' | b'(' | b')'),
            Self::Import => matches!(byte, b';' | b'"' | b'\''),
            Self::Tag => byte == b'<',
        }
    }
}

/// The `data:` URL that a sheet is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DataUrl {
    #[default]
    None,
    /// Before its comma.
    Head,
    /// In its base64.
    Base64,
}

/// What of a sheet counts for what follows it, in one reading.
#[derive(Clone, Copy, Debug, Default)]
struct Live {
    /// The openings after which a host has begun that nothing has ended, as bits.
    hosts: u8,
    data: DataUrl,
}

/// One reading of a part of a sheet.
struct Form {
    live: Live,
    /// Markup has directly followed an opening before.
    is_chained: bool,
}

impl Form {
    fn new(is_chained: bool) -> Self {
        Self {
            live: Live::default(),
            is_chained,
        }
    }

    /// Reads the part up to the next markup. Whether it ends in the beginning of a URL, perhaps in an unfinished escape, and
    /// whether it ends in an opening.
    fn read(&mut self, form: &Part<'_>) -> (bool, bool) {
        let apart = &form.text[..];
        let together = texts::together(apart);
        let part = &together[..];
        let found = form.cuts.into_iter().chain(unfinished_escapes(part));
        let mut cuts = Vec::new();
        for cut in found.flatten().map(|at| at.min(part.len())) {
            cuts.push((cut, None));
            // An escape may stand in another one that was cut.
            let within = unfinished_escapes(&part[..cut]).into_iter().flatten();
            cuts.extend(within.map(|cut| (cut, None)));
        }
        let mut at = 0;
        // Where the part of a `data:` URL before its comma begins.
        let mut head = 0;
        while at < part.len() {
            for (_, live) in cuts.iter_mut().filter(|(cut, _)| *cut <= at) {
                live.get_or_insert(self.live);
            }
            let next = at + 1;
            if part[at] == b':'
                && ends_word(part, at, b"data")
                && self.opening(&part[..at - 4]).is_some()
            {
                self.live.data = DataUrl::Head;
                head = next;
            }
            self.pass(part[at], apart[at] != part[at], &part[head.min(at)..at]);
            at = match start(part, at) {
                Some((begin, end)) => {
                    if end > next {
                        // Slashes end other hosts.
                        self.live.hosts = 0;
                    }
                    if let Some(opening) = self.opening(&part[..begin]) {
                        self.live.hosts |= 1 << opening as u8;
                    }
                    end
                }
                None => next,
            };
        }
        let mut is_open = self.is_open(self.live, part, false);
        for (cut, live) in cuts {
            is_open |= self.is_open(live.unwrap_or(self.live), &part[..cut], true);
        }
        let opening = self.opening(part);
        (
            is_open,
            opening.is_some_and(|opening| opening != Opening::Tag),
        )
    }

    /// Passes over a byte. `head` is the `data:` URL so far. `is_apart`: an escape wrote the mark, which ends nothing.
    fn pass(&mut self, byte: u8, is_apart: bool, head: &[u8]) {
        if self.live.hosts != 0 && !is_apart {
            for opening in Opening::ALL {
                if opening.is_closed_by(byte) {
                    self.live.hosts &= !(1 << opening as u8);
                }
            }
        }
        self.live.data = match (self.live.data, byte) {
            (DataUrl::None, _) => DataUrl::None,
            // A comma that is kept apart ends the head, or does not. What base64 may hold a head may hold, too.
            (DataUrl::Head, _) if is_apart => DataUrl::Head,
            (DataUrl::Head, b',') if is_base64(head) => DataUrl::Base64,
            (_, b',' | b'"' | b'\'' | b'(' | b')' | b'<' | b'>') => DataUrl::None,
            (DataUrl::Head, _) => DataUrl::Head,
            (DataUrl::Base64, _) => {
                let is_data = byte.is_ascii_alphanumeric()
                    || byte.is_ascii_whitespace()
                    || matches!(byte, b'+' | b'/' | b'=' | b'%');
                if is_data {
                    DataUrl::Base64
                } else {
                    DataUrl::None
                }
            }
        };
    }

    /// Whether a part ends in the beginning of a URL. `is_cut`: an unfinished escape follows it.
    fn is_open(&self, live: Live, part: &[u8], is_cut: bool) -> bool {
        let mut hosts = live.hosts;
        if !self.is_chained {
            hosts &= !(1 << Opening::Tag as u8);
        }
        hosts != 0
            || live.data != DataUrl::None
            || is_import_begun(part)
            || is_cut && self.opening(part).is_some()
            || (1..=7).any(|length| {
                part.len().checked_sub(length).is_some_and(|begin| {
                    is_begun(&part[begin..]) && self.opening(&part[..begin]).is_some()
                })
            })
    }

    /// The opening that a text ends with, white space after it or not.
    fn opening(&self, text: &[u8]) -> Option<Opening> {
        let length = without_space(text);
        let gap = without_gap(text);
        // White space may be a line break, which is out.
        if ends_word(text, gap, b"@import") {
            return Some(Opening::Import);
        }
        self.opening_at_end(&text[..length])
            .filter(|opening| *opening != Opening::Tag || self.is_chained)
    }

    fn opening_at_end(&self, text: &[u8]) -> Option<Opening> {
        match text {
            [.., b'"'] => Some(Opening::DoubleQuote),
            [.., b'\''] => Some(Opening::SingleQuote),
            [.., b'('] => Some(Opening::Parenthesis),
            [.., b'%', b'2', b'2' | b'7' | b'8'] => Some(Opening::Escaped),
            [.., b'>'] => Some(Opening::Tag),
            _ => None,
        }
    }
}

/// How long a text is without the white space and the comments at its end.
fn without_gap(text: &[u8]) -> usize {
    let mut end = without_space(text);
    while let Some(comment) = text[..end].strip_suffix(b"*/") {
        // A comment has no end within it.
        let last = memmem::rfind(comment, b"*/").map_or(0, |at| at + 2);
        let Some(begin) = memmem::rfind(&comment[last..], b"/*") else {
            break;
        };
        end = without_space(&text[..last + begin]);
    }
    end
}

/// Whether a word ends at `at`.
fn ends_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    at.checked_sub(word.len())
        .is_some_and(|begin| has_word(text, begin, word))
}

/// Where the start of a host begins whose mark is at `at`, and where it ends with its slashes.
fn start(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let next = at + 1;
    match text[at] {
        b':' => {
            let schemes: [&[u8]; 6] = [b"https", b"http", b"ftp", b"wss", b"ws", b"mailto"];
            let scheme = schemes.iter().find(|scheme| ends_word(text, at, scheme))?;
            Some((at - scheme.len(), slashes_end(text, next)))
        }
        b'.' => ends_word(text, at, b"www").then(|| (at - 3, next)),
        b'/' | b'\\' => {
            let end = slashes_end(text, at);
            (end > next).then_some((at, end))
        }
        _ => None,
    }
}

fn slashes_end(text: &[u8], from: usize) -> usize {
    let slashes = text[from..].iter();
    from + slashes
        .take_while(|byte| matches!(byte, b'/' | b'\\'))
        .count()
}

fn is_base64(head: &[u8]) -> bool {
    let head = &head[..without_space(head)];
    let Some(begin) = head.len().checked_sub(6) else {
        return false;
    };
    let before = &head[..begin];
    has_word(head, begin, b"base64") && before[..without_space(before)].last() == Some(&b';')
}

/// Whether a text is a part of a start or of `data:`, from its beginning on.
fn is_begun(text: &[u8]) -> bool {
    let words: [&[u8]; 7] = [
        b"https:", b"http:", b"ftp:", b"wss:", b"mailto:", b"www.", b"data:",
    ];
    matches!(text, [b'/' | b'\\'])
        || words.iter().any(|word| {
            word.get(..text.len())
                .is_some_and(|part| part.eq_ignore_ascii_case(text))
        })
}

/// Whether a text ends in `@` and a part of `import`, or in `@import` and what begins its URL.
fn is_import_begun(text: &[u8]) -> bool {
    let unquoted = match text {
        [rest @ .., b'"' | b'\''] => rest,
        _ => text,
    };
    let unspaced = &unquoted[..without_space(unquoted)];
    let before_url = [
        (unspaced, &b"url("[..]),
        (unquoted, b"url"),
        (unquoted, b"ur"),
        (unquoted, b"u"),
        (unquoted, b""),
    ];
    (1..=7).any(|length| ends_word(text, text.len(), &b"@import"[..length]))
        || before_url.into_iter().any(|(text, word)| {
            let before = text.len().checked_sub(word.len()).map(|end| &text[..end]);
            ends_word(text, text.len(), word)
                && before.is_some_and(|before| ends_word(before, without_gap(before), b"@import"))
        })
}

/// Where the escapes begin that a text ends in and that could go on: one of CSS, a percent escape, a reference.
fn unfinished_escapes(text: &[u8]) -> [Option<usize>; 3] {
    let tail = |is: &dyn Fn(u8) -> bool| text.iter().rev().take_while(|byte| is(**byte)).count();
    let begin = |length: usize, mark: u8| {
        let at = text.len().checked_sub(length + 1)?;
        (text[at] == mark).then_some(at)
    };
    let digits = tail(&|byte| byte.is_ascii_hexdigit());
    let of_css = begin(digits, b'\\').filter(|_| digits <= 6);
    let of_percent = begin(digits, b'%').filter(|_| digits <= 1);
    let name = tail(&|byte| byte.is_ascii_alphanumeric() || byte == b'#');
    [of_css, of_percent, begin(name, b'&')]
}
