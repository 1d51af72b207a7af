//! The four texts of soup: as written, with character references resolved, with the escapes of CSS resolved, with both.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::{memchr, memchr2, memchr3, memmem};

use super::super::references::{self, Context};
use crate::bytes::bits::Bits;

/// The escapes that were resolved in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Escapes {
    references: bool,
    css: bool,
}

impl Escapes {
    pub(super) const NONE: Self = Self::new(false, false);
    pub(super) const REFERENCES: Self = Self::new(true, false);
    pub(super) const CSS: Self = Self::new(false, true);
    /// References, and then the escapes of CSS.
    pub(super) const BOTH: Self = Self::new(true, true);

    const fn new(references: bool, css: bool) -> Self {
        Self { references, css }
    }

    /// The step that resolves the escapes of [`Self::REFERENCES`] or [`Self::CSS`]; `None` if a text has nothing to resolve.
    fn step(self, text: &[u8]) -> Option<Step> {
        match self.references {
            true => (memchr(b'&', text).is_some() || memmem::find(text, NOTHING).is_some())
                .then_some(resolve_references),
            false => memchr(b'\\', text).map(|_| resolve_css as Step),
        }
    }
}

/// One of the four texts, without tabs, line breaks and NULs.
pub(super) struct Text<'t> {
    pub(super) bytes: &'t [u8],
    /// The positions where tabs and line breaks were taken out. A value without quotes may end at each of them.
    pub(super) gaps: &'t Bits,
    /// The positions where it differs from the text from which it was made, which is searched, too. `None` if it was not
    /// made from another text.
    pub(super) changes: Option<&'t Bits>,
    pub(super) escapes: Escapes,
    /// Whether the marks that an escape writes are kept apart in it.
    pub(super) is_apart: bool,
}

impl Text<'_> {
    /// A part of this text, after the marks that are kept apart in it were put back.
    pub(super) fn together<'p>(&self, part: &'p [u8]) -> Cow<'p, [u8]> {
        match self.is_apart {
            true => together(part),
            // Bytes that are not UTF-8 may look like marks that are kept apart.
            false => Cow::Borrowed(part),
        }
    }
}

/// A step that makes one text of another. It hands out the pieces of the new text, each with its range in the old one.
pub(super) type Step = fn(&[u8], &mut dyn FnMut(&[u8], Range<usize>));

/// The text that a step made.
pub(super) struct Resolved {
    pub(super) bytes: Vec<u8>,
    /// The positions of the bytes that differ from the old text, or that follow something that was left out. The position
    /// after a changed piece is one of them, too.
    pub(super) changes: Bits,
}

/// Resolves the escapes of [`Escapes::REFERENCES`] or [`Escapes::CSS`] in a text; `None` if there is nothing to resolve.
pub(super) fn resolve(escapes: Escapes, text: &[u8]) -> Option<Resolved> {
    let step = escapes.step(text)?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut changes = Bits::default();
    let mut read_to = 0;
    step(text, &mut |piece, written| {
        if written.start != read_to {
            changes.insert(bytes.len());
        }
        read_to = written.end;
        let begin = bytes.len();
        bytes.extend_from_slice(piece);
        if *piece != text[written] {
            for at in begin..=bytes.len() {
                changes.insert(at);
            }
        }
    });
    if read_to != text.len() {
        changes.insert(bytes.len());
    }
    Some(Resolved { bytes, changes })
}

/// Some readers look for the end of a value before they resolve escapes. For them a mark that an escape writes ends
/// nothing. So these marks are kept apart if an escape writes them: each is replaced by a byte of its own that UTF-8 does
/// not have.
const MARKS: [u8; 10] = *b"\"'()<>,; \x0c";
const APART: u8 = 0xf5;

fn apart(byte: u8) -> u8 {
    let place = (APART..=0xfe)
        .zip(MARKS)
        .find_map(|(apart, mark)| (mark == byte).then_some(apart));
    place.unwrap_or(byte)
}

/// The positions of the marks that are kept apart in a text.
pub(super) fn marks_apart(text: &[u8]) -> Bits {
    let mut marks = Bits::default();
    for (at, byte) in text.iter().enumerate() {
        if *byte >= APART {
            marks.insert(at);
        }
    }
    marks
}

/// The text after the marks that were kept apart in it were put back.
pub(super) fn together(text: &[u8]) -> Cow<'_, [u8]> {
    if text.iter().all(|byte| *byte < APART) {
        return Cow::Borrowed(text);
    }
    let mark = |byte: &u8| {
        let place = byte.checked_sub(APART).map(usize::from);
        let mark = place.and_then(|place| MARKS.get(place));
        mark.copied().unwrap_or(*byte)
    };
    Cow::Owned(text.iter().map(mark).collect())
}

/// Like [`resolve`], but keeps apart the marks that escapes write; `None` if escapes write no mark.
pub(super) fn resolve_apart(escapes: Escapes, text: &[u8]) -> Option<Vec<u8>> {
    let step = escapes.step(text)?;
    let mut resolved = Vec::with_capacity(text.len());
    let mut is_apart = false;
    step(text, &mut |piece, written| {
        is_apart |= push_piece(text, piece, &written, &mut resolved);
    });
    is_apart.then_some(resolved)
}

/// Appends a piece that a step made of a text. If it begins with a mark that an escape writes, the mark is kept apart.
/// Returns whether a mark is kept apart.
pub(super) fn push_piece(
    text: &[u8],
    piece: &[u8],
    written: &Range<usize>,
    made: &mut Vec<u8>,
) -> bool {
    let begin = made.len();
    made.extend_from_slice(piece);
    let Some(first) = made
        .get_mut(begin)
        .filter(|_| is_escaped(text, piece, written))
    else {
        return false;
    };
    let mark = *first;
    *first = apart(mark);
    *first != mark
}

/// Whether an escape writes the first byte of a piece.
fn is_escaped(text: &[u8], piece: &[u8], written: &Range<usize>) -> bool {
    let before = written.start.checked_sub(1).map(|at| text[at]);
    let at = text.get(written.start);
    // A mark that follows its backslash is in the piece as written.
    before == Some(b'\\') && at == piece.first() || at != piece.first()
}

/// The text without tabs, line breaks and NULs, which URL parsers or some readers leave out.
pub(super) fn clean(text: &[u8]) -> Cow<'_, [u8]> {
    Cleaned::new(text, Bits::default()).bytes
}

/// A text without tabs, line breaks and NULs.
pub(super) struct Cleaned<'t> {
    pub(super) bytes: Cow<'t, [u8]>,
    /// The positions where tabs and line breaks were.
    pub(super) gaps: Bits,
    /// The changes of the text, at their new positions.
    pub(super) changes: Bits,
}

impl<'t> Cleaned<'t> {
    pub(super) fn new(text: &'t [u8], changes: Bits) -> Self {
        let mut gaps = Bits::default();
        if memchr3(b'\t', b'\n', b'\r', text).is_none() && memchr(0, text).is_none() {
            return Self {
                bytes: Cow::Borrowed(text),
                gaps,
                changes,
            };
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut moved = Bits::default();
        let mut next = changes.next(0);
        leave_out(text, &mut |piece, written| {
            // A change in a part that is left out becomes a change of what follows it.
            while let Some(at) = next.filter(|at| *at < written.end) {
                moved.insert(bytes.len() + at.max(written.start) - written.start);
                next = changes.next(at + 1);
            }
            bytes.extend_from_slice(piece);
            if matches!(text.get(written.end), Some(b'\t' | b'\n' | b'\r')) {
                gaps.insert(bytes.len());
            }
        });
        if next.is_some() {
            moved.insert(bytes.len());
        }
        Self {
            bytes: Cow::Owned(bytes),
            gaps,
            changes: moved,
        }
    }
}

impl Cleaned<'static> {
    /// [`Cleaned::new`] of a text that is not needed any more.
    pub(super) fn of(text: Vec<u8>, changes: Bits) -> Self {
        let (left, gaps, changes) = match Cleaned::new(&text, changes) {
            Cleaned {
                bytes: Cow::Owned(left),
                gaps,
                changes,
            } => (Some(left), gaps, changes),
            Cleaned { gaps, changes, .. } => (None, gaps, changes),
        };
        let bytes = Cow::Owned(left.unwrap_or(text));
        Self {
            bytes,
            gaps,
            changes,
        }
    }
}

/// The range, in the text as written, of a part of the text with these escapes resolved. This resolves the text again, which
/// is done at most once for a document.
pub(super) fn written(escapes: Escapes, text: &[u8], part: Range<usize>) -> Range<usize> {
    let resolved = escapes
        .references
        .then(|| resolve(Escapes::REFERENCES, text))
        .flatten();
    let source = resolved.as_ref().map_or(text, |made| &*made.bytes);
    let unescaped = escapes.css.then(|| resolve(Escapes::CSS, source)).flatten();
    let last = unescaped.as_ref().map_or(source, |made| &*made.bytes);
    let mut part = origin(leave_out, last, part);
    if unescaped.is_some() {
        part = origin(resolve_css, source, part);
    }
    if resolved.is_some() {
        part = origin(resolve_references, text, part);
    }
    part
}

/// The range, in the text that a step reads, of a part of the text that the step makes.
fn origin(step: Step, text: &[u8], part: Range<usize>) -> Range<usize> {
    let mut made = 0;
    let mut origin = text.len()..text.len();
    let mut is_begun = false;
    step(text, &mut |piece, written| {
        let here = made..made + piece.len();
        made = here.end;
        let is_verbatim = piece.len() == written.len();
        if !is_begun && part.start < here.end {
            is_begun = true;
            origin.start = match is_verbatim {
                true => written.start + (part.start - here.start),
                false => written.start,
            };
        }
        if part.end > here.start && part.end <= here.end {
            origin.end = match is_verbatim {
                true => written.start + (part.end - here.start),
                false => written.end,
            };
        }
    });
    origin
}

pub(super) fn leave_out(text: &[u8], each: &mut dyn FnMut(&[u8], Range<usize>)) {
    let mut begin = 0;
    for (at, byte) in text.iter().enumerate() {
        if matches!(byte, b'\t' | b'\n' | b'\r' | 0) {
            each(&text[begin..at], begin..at);
            begin = at + 1;
        }
    }
    each(&text[begin..], begin..text.len());
}

/// An end tag without a name. It is left out, which joins the text before it and the text after it.
const NOTHING: &[u8] = b"</>";

/// Resolves character references as in text: also those without a semicolon. [`NOTHING`] is left out.
pub(super) fn resolve_references(text: &[u8], each: &mut dyn FnMut(&[u8], Range<usize>)) {
    let mut character = [0; 4];
    let (mut begin, mut from) = (0, 0);
    while let Some(found) = memchr2(b'&', b'<', &text[from..]) {
        let at = from + found;
        let resolved = match text[at] {
            b'<' => text[at..]
                .starts_with(NOTHING)
                .then_some(("", NOTHING.len())),
            _ => references::reference(&text[at..], Context::Text, &mut character),
        };
        let Some((value, length)) = resolved else {
            from = at + 1;
            continue;
        };
        each(&text[begin..at], begin..at);
        from = at + length;
        begin = from;
        each(value.as_bytes(), at..from);
    }
    each(&text[begin..], begin..text.len());
}

/// Resolves the escapes of CSS (CSS Syntax, section 4.3.7). An escaped line break is left out.
pub(super) fn resolve_css(text: &[u8], each: &mut dyn FnMut(&[u8], Range<usize>)) {
    let mut character = [0; 4];
    let (mut begin, mut from) = (0, 0);
    while let Some(found) = memchr(b'\\', &text[from..]) {
        let at = from + found;
        each(&text[begin..at], begin..at);
        let digits = text[at + 1..]
            .iter()
            .take(6)
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count();
        let end = at + 1 + digits;
        let white = match text[end..] {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r' | b'\x0c', ..] => 1,
            [b' ' | b'\t', ..] if digits > 0 => 1,
            _ => 0,
        };
        begin = end + white;
        from = begin;
        if digits > 0 {
            let code = text[at + 1..end]
                .iter()
                .filter_map(|byte| char::from(*byte).to_digit(16))
                .fold(0, |code, digit| code * 16 + digit);
            let value = char::from_u32(code).filter(|value| *value != '\0');
            let value = value.unwrap_or('\u{fffd}').encode_utf8(&mut character);
            each(value.as_bytes(), at..begin);
        } else if white == 0 {
            // The character after the backslash is meant. At the end of the text there is none, and the backslash stays.
            if end == text.len() {
                begin = at;
            }
            from = text.len().min(end + 1);
        }
    }
    each(&text[begin..], begin..text.len());
}

#[cfg(test)]
mod tests;
