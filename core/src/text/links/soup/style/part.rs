//! How a part of a style sheet may be read up to markup, which may cut an escape.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memchr;

use super::super::texts;

/// A part of a sheet in one reading: marks that an escape of CSS wrote are kept apart.
pub(super) struct Part<'t> {
    pub(super) text: Cow<'t, [u8]>,
    /// An escape followed that the markup may have cut. It is left out.
    pub(super) is_cut: bool,
}

impl<'t> Part<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self {
            text: Cow::Borrowed(text),
            is_cut: false,
        }
    }

    /// Hands out the part as it may be read: with references resolved or not, with escapes of CSS resolved or not, then
    /// percent-decoded or not, and as a sheet within that, to which a mark that an escape wrote is one like any other.
    pub(super) fn each_form(&self, each: &mut dyn FnMut(&Part<'_>)) {
        for html in self.readings(b'&', texts::resolve_references) {
            for sheet in html.readings(b'\\', texts::resolve_css) {
                for url in sheet.without_breaks().readings(b'%', percent_decoded) {
                    let url = url.without_breaks();
                    for url in url.together().iter().chain([&url]) {
                        for inner in url.readings(b'\\', texts::resolve_css) {
                            each(&inner.without_breaks());
                        }
                    }
                }
            }
        }
    }

    /// The part as it is, and with escapes of one kind resolved. The last of them may be unfinished: it is read as it is, and
    /// as cut.
    fn readings(&self, mark: u8, step: texts::Step) -> impl Iterator<Item = Part<'_>> {
        let as_it_is = Part {
            text: Cow::Borrowed(&self.text),
            is_cut: self.is_cut,
        };
        let has_mark = memchr(mark, &self.text).is_some();
        let resolved = has_mark.then(|| as_it_is.stepped(step, mark == b'\\'));
        let is_of_kind = |at: &usize| self.text[*at] == mark;
        let mut unfinished = unfinished_escapes(&self.text).into_iter().flatten();
        let cut = unfinished.rfind(is_of_kind).map(|at| {
            let before = Part {
                text: Cow::Borrowed(&self.text[..at]),
                is_cut: true,
            };
            before.stepped(step, mark == b'\\')
        });
        [Some(as_it_is), resolved, cut].into_iter().flatten()
    }

    /// With the marks that were kept apart as they are, if there are any.
    fn together(&self) -> Option<Part<'_>> {
        let text = texts::together(&self.text);
        matches!(text, Cow::Owned(_)).then_some(Part {
            text,
            is_cut: self.is_cut,
        })
    }

    /// Without tabs, line breaks and NULs.
    fn without_breaks(&self) -> Part<'_> {
        let is_left_out = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0);
        match self.text.iter().any(is_left_out) {
            true => self.stepped(texts::leave_out, false),
            false => Part {
                text: Cow::Borrowed(&self.text),
                is_cut: self.is_cut,
            },
        }
    }

    /// What a step makes of it. `is_css`: the marks that escapes write are kept apart.
    fn stepped(&self, step: texts::Step, is_css: bool) -> Part<'static> {
        let mut text = Vec::with_capacity(self.text.len());
        step(&self.text, &mut |piece, written| match is_css {
            true => _ = texts::push_piece(&self.text, piece, &written, &mut text),
            false => text.extend_from_slice(piece),
        });
        Part {
            text: Cow::Owned(text),
            is_cut: self.is_cut,
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

/// Where the escapes begin that a text ends in and that could go on: one of CSS, a percent escape, a reference.
pub(super) fn unfinished_escapes(text: &[u8]) -> [Option<usize>; 3] {
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
