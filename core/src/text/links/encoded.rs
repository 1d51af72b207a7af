//! Hosts of HTML that is still URL-encoded: most of it holds no link, and need not be decoded to be passed over.
//!
//! A walk over the escapes finds where tags, text and comments begin and end. What may hold a link is decoded, piece by
//! piece, into a digest: HTML with nothing else in it, which the scanner then reads. The commonest links are read where
//! they lie. A text that is anything but ordinary is left to the scanner as a whole: where a byte is escaped that no
//! encoder escapes, where an element or a `base` changes how the rest is read, and wherever a rule is needed that is
//! not needed for ordinary mail.
//!
//! What the walk drops, the scanner would have dropped, and in the digest stands nothing that changes how the rest of it
//! is read: no tag without its end, no raw element but CSS with its end tag, no `image-set()`, which makes links of strings
//! in CSS that was dropped. So both find the same hosts.

mod bits;
mod document;
mod escapes;
mod hosts;
mod marks;
mod tags;

use alloc::vec::Vec;

use super::element::Element;
use super::span::Span;
use super::work;
use crate::text::form::escaped_octet;

/// Buffers, kept from one text to the next.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    digest: Vec<u8>,
    characters: Vec<u8>,
}

/// What was found, in the order of the document.
pub(super) enum Found<'a> {
    Host(&'a str),
    /// HTML that holds links.
    Digest(&'a str),
}

/// The number of hosts that are remembered, to be handed out once.
const RECENT: usize = 8;

/// The length of an escape.
const ESCAPE: usize = 3;

/// Why a walk goes no further.
enum Stop {
    /// The text has ended.
    End,
    /// The text is not ordinary.
    Odd,
}

/// Hands out what is found in `text`, which is URL-encoded and has no white space at its ends. Of plain hosts that are found
/// again soon, most are handed out once.
///
/// `found` says whether the rest of the text changes what it was handed. `false`: the text is not ordinary, and nothing is
/// known of what was not handed out.
pub(super) fn walk(
    text: &[u8],
    buffers: &mut Buffers,
    found: &mut impl FnMut(Found<'_>) -> bool,
) -> bool {
    work::count(text.len());
    // No encoder has to write a control of which the escape begins so, and ESC is left to the scanner.
    let has_escape = memchr::memmem::find(text, b"%1").is_some();
    if has_escape || !bits::is_ordinary(text) || !is_printable(text) {
        return false;
    }
    buffers.digest.clear();
    let mut walk = Walk::new(text, buffers, found);
    match walk.document() {
        Ok(never) => match never {},
        Err(Stop::End) => walk.flush().is_ok(),
        Err(Stop::Odd) => false,
    }
}

/// Whether the first that is no white space is a printable character of ASCII.
fn is_printable(text: &[u8]) -> bool {
    matches!(octet_at(text, skip_space(text, 0)), Some((b'!'..=b'~', _)))
}

#[inline]
fn skip_space(text: &[u8], mut at: usize) -> usize {
    while let Some((b' ' | b'\t' | b'\n' | b'\x0c' | b'\r', end)) = octet_at(text, at) {
        at = end;
    }
    at
}

/// The octet at `at`, raw or escaped, and where it ends.
#[inline]
fn octet_at(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match text.get(at)? {
        b'+' => Some((b' ', at.saturating_add(1))),
        b'%' => match escaped_octet(text, at) {
            Some(octet) => Some((octet, at.saturating_add(3))),
            None => Some((b'%', at.saturating_add(1))),
        },
        byte => Some((*byte, at.saturating_add(1))),
    }
}

/// An escape, or one of the other bytes that [`bits::marks`] marks.
#[derive(Clone, Copy)]
struct Mark {
    at: usize,
    /// What it stands for, of [`escapes`].
    flags: u32,
}

impl Mark {
    const fn is(self, flags: u32) -> bool {
        self.flags & flags != 0
    }
}

/// What the walk stops at wherever it is.
const ALWAYS: u32 = escapes::BEYOND_ASCII | escapes::INCOMPLETE;
/// What is not read outside of attribute values.
const ODD: u32 = escapes::INCOMPLETE | escapes::NEEDLESS;
/// What a `<` begins.
enum Markup {
    Start(usize),
    End(usize),
    /// `<!`
    Declaration(usize),
    /// `<?`
    Instruction(usize),
}

/// A start tag, as far as it is read.
struct Tag {
    name: Span,
    element: Element,
    /// The `content` attribute of a meta.
    content: Option<Span>,
    /// It is in the digest.
    in_digest: bool,
}

/// An attribute: its name, its value, and all of it.
struct Written {
    name: Span,
    value: Span,
    whole: Span,
    /// It was measured by [`bits::plain_value_length`].
    is_plain: bool,
}

impl Written {
    const fn without_value(name: Span) -> Self {
        Self {
            name,
            value: Span::new(name.end, name.end),
            whole: name,
            is_plain: false,
        }
    }
}

struct Walk<'t, 'b, F> {
    bytes: &'t [u8],
    /// Where the block begins whose marks are held.
    block: usize,
    /// Those of its marks that are still ahead.
    marks: u64,
    /// Hosts that were handed out lately, and which of them last.
    hosts: [&'t [u8]; RECENT],
    newest: usize,
    buffers: &'b mut Buffers,
    found: &'b mut F,
}

impl<'t, 'b, F: FnMut(Found<'_>) -> bool> Walk<'t, 'b, F> {
    fn new(text: &'t [u8], buffers: &'b mut Buffers, found: &'b mut F) -> Self {
        let mut walk = Self {
            bytes: text,
            block: 0,
            marks: 0,
            hosts: [&[]; RECENT],
            newest: 0,
            buffers,
            found,
        };
        walk.marks = walk.marks_of(0);
        walk
    }
}

#[cfg(test)]
mod tests;
