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
    /// The same from inside of double quotes on.
    InDouble,
    /// The same from inside of single quotes on.
    InSingle,
}

impl End {
    const ALL: [Self; 7] = [
        Self::Comment,
        Self::XmlComment,
        Self::Instruction,
        Self::Tag,
        Self::Quoted,
        Self::InDouble,
        Self::InSingle,
    ];

    /// Where the first end in the part ends, or which end is looked for behind the part.
    fn find(self, text: &[u8], begin: usize, end: usize) -> Result<usize, Self> {
        let found = match self {
            Self::Comment => {
                let usual = word_in(text, begin, end, b"-->");
                let odd = word_in(text, begin, end, b"--!>");
                usual.into_iter().chain(odd).min()
            }
            Self::XmlComment => word_in(text, begin, end, b"-->"),
            Self::Instruction => word_in(text, begin, end, b"?>"),
            Self::Tag => word_in(text, begin, end, b">"),
            Self::Quoted | Self::InDouble | Self::InSingle => {
                return self.quoted_in(text, begin, end);
            }
        };
        found.ok_or(self)
    }

    /// [`Self::find`], from inside or outside of quotes on.
    fn quoted_in(mut self, text: &[u8], begin: usize, end: usize) -> Result<usize, Self> {
        let mut at = begin;
        loop {
            let rest = Span::new(at, end).bytes(text);
            let found = match self {
                Self::InDouble => memchr(b'"', rest),
                Self::InSingle => memchr(b'\'', rest),
                _ => memchr3(b'>', b'"', b'\'', rest),
            };
            let found = found.ok_or(self)?;
            at = at.saturating_add(found).saturating_add(1);
            self = match (self, rest.get(found)) {
                (Self::InDouble | Self::InSingle, _) => Self::Quoted,
                (_, Some(b'"')) => Self::InDouble,
                (_, Some(b'\'')) => Self::InSingle,
                _ => return Ok(at),
            };
        }
    }
}

const BLOCK: usize = 256;
const NONE: u32 = u32::MAX;

/// The next ends of each kind behind the beginning of a block. An end beyond 4 GB counts as none.
type Next = [u32; End::ALL.len()];

/// The ends in one text, of which every [`BLOCK`] bytes have an entry.
#[derive(Debug)]
pub(super) struct Ends(alloc::vec::Vec<Next>);

impl Ends {
    pub(super) fn new(text: &[u8]) -> Self {
        work::count(text.len());
        let mut after: Next = [NONE; End::ALL.len()];
        let mut blocks = alloc::vec::Vec::with_capacity(text.len().div_ceil(BLOCK));
        for index in (0..text.len().div_ceil(BLOCK)).rev() {
            let begin = index.saturating_mul(BLOCK);
            let end = begin.saturating_add(BLOCK).min(text.len());
            after = End::ALL.map(|kind| match kind.find(text, begin, end) {
                Ok(at) => u32::try_from(at).unwrap_or(NONE),
                Err(kind) => after.get(kind as usize).copied().unwrap_or(NONE),
            });
            blocks.push(after);
        }
        blocks.reverse();
        Self(blocks)
    }

    /// Where the first end at or behind `from` ends.
    pub(super) fn after(&self, text: &[u8], end: End, from: usize) -> Option<usize> {
        work::count(1);
        let next = (from / BLOCK).saturating_add(1);
        let rest = next.saturating_mul(BLOCK).min(text.len());
        match end.find(text, from, rest) {
            Ok(at) => Some(at),
            Err(end) => {
                let at = *self.0.get(next)?.get(end as usize)?;
                (at != NONE).then_some(at as usize)
            }
        }
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
