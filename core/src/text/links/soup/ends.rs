//! Where comments, processing instructions and tags end, from any position on, in constant time.

use memchr::{memchr, memchr3, memmem};

use super::super::span::Span;
use super::super::work;

/// How what may stand between two characters is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// `-->` or `--!>`
    Comment,
    /// `-->`
    XmlComment,
    /// `?>`
    Instruction,
    /// `>`
    Tag,
    /// `>` outside quotes.
    Quoted,
}

const BLOCK: usize = 256;
const NONE: u32 = u32::MAX;

/// The next ends behind the beginning of a block. An end beyond 4 GB counts as none.
#[derive(Clone, Copy, Debug)]
struct Next {
    comment: u32,
    xml_comment: u32,
    instruction: u32,
    tag: u32,
    /// The next `>` outside quotes, if the block begins outside quotes, in double quotes, and in single quotes.
    quoted: [u32; 3],
}

/// The ends in one text, of which every [`BLOCK`] bytes have an entry.
#[derive(Debug)]
pub(super) struct Ends(alloc::vec::Vec<Next>);

impl Ends {
    pub(super) fn new(text: &[u8]) -> Self {
        work::count(text.len());
        let mut after = Next {
            comment: NONE,
            xml_comment: NONE,
            instruction: NONE,
            tag: NONE,
            quoted: [NONE; 3],
        };
        let mut blocks = alloc::vec::Vec::with_capacity(text.len().div_ceil(BLOCK));
        for index in (0..text.len().div_ceil(BLOCK)).rev() {
            let begin = index.saturating_mul(BLOCK);
            let end = begin.saturating_add(BLOCK).min(text.len());
            let found = |at: Option<usize>, beyond: u32| match at {
                Some(at) => u32::try_from(at).unwrap_or(NONE),
                None => beyond,
            };
            after = Next {
                comment: found(comment_in(text, begin, end), after.comment),
                xml_comment: found(word_in(text, begin, end, b"-->"), after.xml_comment),
                instruction: found(instruction_in(text, begin, end), after.instruction),
                tag: found(tag_in(text, begin, end), after.tag),
                quoted: [0, 1, 2].map(|state| match quoted_in(text, begin, end, state) {
                    Ok(at) => u32::try_from(at).unwrap_or(NONE),
                    Err(state) => after.quoted.get(state).copied().unwrap_or(NONE),
                }),
            };
            blocks.push(after);
        }
        blocks.reverse();
        Self(blocks)
    }

    /// Where the first end at or behind `from` ends.
    pub(super) fn after(&self, text: &[u8], end: End, from: usize) -> Option<usize> {
        work::count(1);
        let block = from / BLOCK;
        let rest = block
            .saturating_add(1)
            .saturating_mul(BLOCK)
            .min(text.len());
        let (found, state) = match end {
            End::Comment => (comment_in(text, from, rest), 0),
            End::XmlComment => (word_in(text, from, rest, b"-->"), 0),
            End::Instruction => (instruction_in(text, from, rest), 0),
            End::Tag => (tag_in(text, from, rest), 0),
            End::Quoted => match quoted_in(text, from, rest, 0) {
                Ok(at) => (Some(at), 0),
                Err(state) => (None, state),
            },
        };
        if found.is_some() {
            return found;
        }
        let next = self.0.get(block.saturating_add(1))?;
        let at = match end {
            End::Comment => next.comment,
            End::XmlComment => next.xml_comment,
            End::Instruction => next.instruction,
            End::Tag => next.tag,
            End::Quoted => next.quoted.get(state).copied()?,
        };
        (at != NONE).then_some(at as usize)
    }
}

/// The end of what `word` ends that begins in the part.
fn word_in(text: &[u8], begin: usize, end: usize, word: &[u8]) -> Option<usize> {
    let part = text.get(
        begin
            ..end
                .saturating_add(word.len())
                .saturating_sub(1)
                .min(text.len()),
    )?;
    let at = memmem::find(part, word)?;
    Some(begin.saturating_add(at).saturating_add(word.len()))
}

fn comment_in(text: &[u8], begin: usize, end: usize) -> Option<usize> {
    let usual = word_in(text, begin, end, b"-->");
    let odd = word_in(text, begin, end, b"--!>");
    match (usual, odd) {
        (Some(usual), Some(odd)) => Some(usual.min(odd)),
        (usual, odd) => usual.or(odd),
    }
}

fn instruction_in(text: &[u8], begin: usize, end: usize) -> Option<usize> {
    word_in(text, begin, end, b"?>")
}

fn tag_in(text: &[u8], begin: usize, end: usize) -> Option<usize> {
    let at = memchr(b'>', text.get(begin..end)?)?;
    Some(begin.saturating_add(at).saturating_add(1))
}

/// The end of a tag in the part, or the state at the part's end: 0 outside quotes, 1 and 2 in them.
fn quoted_in(text: &[u8], begin: usize, end: usize, state: usize) -> Result<usize, usize> {
    let mut at = begin;
    let mut state = state;
    loop {
        let rest = Span::new(at, end).bytes(text);
        let found = match state {
            0 => memchr3(b'>', b'"', b'\'', rest),
            1 => memchr(b'"', rest),
            _ => memchr(b'\'', rest),
        };
        let Some(found) = found else {
            return Err(state);
        };
        state = match (state, rest.get(found)) {
            (0, Some(b'"')) => 1,
            (0, Some(b'\'')) => 2,
            (0, _) => return Ok(at.saturating_add(found).saturating_add(1)),
            _ => 0,
        };
        at = at.saturating_add(found).saturating_add(1);
    }
}
