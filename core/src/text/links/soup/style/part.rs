//! The ways in which a part of a style sheet may be read up to markup.

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
pub(super) struct Part<'t>(pub(super) Cow<'t, [u8]>);

impl<'t> Part<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        Self(Cow::Borrowed(text))
    }

    /// Hands out the part in each way in which it may be read: with references resolved or not, with escapes of CSS
    /// resolved or not, then percent-decoded or not. The result may be a sheet inside the sheet, so each is also handed out
    /// with the marks put back that were kept apart, and with its own escapes of CSS resolved.
    pub(super) fn each_form(&self, each: &mut dyn FnMut(&[u8])) {
        for html in self.readings(b'&', texts::resolve_references) {
            for sheet in html.readings(b'\\', texts::resolve_css) {
                for url in sheet.without_breaks().readings(b'%', percent_decoded) {
                    let url = url.without_breaks();
                    for url in url.together().iter().chain([&url]) {
                        for inner in url.readings(b'\\', texts::resolve_css) {
                            each(&inner.without_breaks().0);
                        }
                    }
                }
            }
        }
    }

    /// The part as it is, and with escapes of one kind resolved.
    fn readings(&self, mark: u8, step: texts::Step) -> impl Iterator<Item = Part<'_>> {
        let has_mark = memchr(mark, &self.0).is_some();
        let resolved = has_mark.then(|| self.stepped(step, mark == b'\\'));
        [Some(Part::new(&self.0)), resolved].into_iter().flatten()
    }

    /// Puts back the marks that were kept apart. Returns `None` if no marks were kept apart.
    fn together(&self) -> Option<Part<'_>> {
        let text = texts::together(&self.0);
        matches!(text, Cow::Owned(_)).then_some(Part(text))
    }

    /// The part without tabs, line breaks and NULs.
    fn without_breaks(&self) -> Part<'_> {
        let is_left_out = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0);
        match self.0.iter().any(is_left_out) {
            true => self.stepped(texts::leave_out, false),
            false => Part::new(&self.0),
        }
    }

    /// The part that a step makes of it. With `is_css`, the marks that escapes write are kept apart.
    fn stepped(&self, step: texts::Step, is_css: bool) -> Part<'static> {
        let mut text = Vec::with_capacity(self.0.len());
        step(&self.0, &mut |piece, written| match is_css {
            true => _ = texts::push_piece(&self.0, piece, &written, &mut text),
            false => text.extend_from_slice(piece),
        });
        Part(Cow::Owned(text))
    }
}

/// Decodes percent escapes.
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

/// Whether a text ends in an escape that could go on: one of CSS, or a numeric reference.
pub(super) fn ends_in_escape(text: &[u8]) -> bool {
    let digits = tail(text, u8::is_ascii_hexdigit);
    let before = &text[..text.len() - digits];
    digits <= 6 && before.ends_with(b"\\")
        || [&b"&#"[..], b"&#x", b"&#X"]
            .iter()
            .any(|mark| before.ends_with(mark))
}

/// Whether a text ends in a percent escape that could go on.
pub(super) fn ends_in_percent_escape(text: &[u8]) -> bool {
    let digits = tail(text, u8::is_ascii_hexdigit);
    digits <= 1 && text[..text.len() - digits].ends_with(b"%")
}

fn tail(text: &[u8], is: fn(&u8) -> bool) -> usize {
    text.iter().rev().take_while(|byte| is(byte)).count()
}
