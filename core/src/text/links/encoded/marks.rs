//! From one escape that matters to the next.

use super::super::span::tail;
use super::{ALWAYS, Found, Mark, ODD, Stop, Walk, bits, escapes};
use crate::text::form::escaped_octet;

impl<F: FnMut(Found<'_>) -> bool> Walk<'_, '_, F> {
    #[inline]
    pub(super) fn marks_of(&self, block: usize) -> u64 {
        let rest = tail(self.bytes, block);
        match rest.first_chunk() {
            Some(block) => bits::marks(block),
            None => {
                let mut last = [0; bits::BLOCK];
                last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
                bits::marks(&last)
            }
        }
    }

    /// Passes over the marks before `at`, which is not behind.
    #[inline]
    pub(super) fn seek(&mut self, at: usize) {
        let block = at & !(bits::BLOCK - 1);
        if block != self.block {
            self.block = block;
            self.marks = self.marks_of(block);
        }
        self.marks &= u64::MAX << (at & (bits::BLOCK - 1));
    }

    /// The next mark at or after `from` that has one of these flags; `passed` takes those of the marks before it.
    /// Characters beyond ASCII are passed over, but must be UTF-8.
    #[inline(always)]
    pub(super) fn mark(
        &mut self,
        from: usize,
        wanted: u32,
        passed: &mut u32,
    ) -> Result<Mark, Stop> {
        self.seek(from);
        loop {
            while self.marks == 0 {
                self.block = self.block.wrapping_add(bits::BLOCK);
                if self.block >= self.bytes.len() {
                    return Err(Stop::End);
                }
                self.marks = self.marks_of(self.block);
            }
            let at = self.block | self.marks.trailing_zeros() as usize;
            self.marks &= self.marks.wrapping_sub(1);
            let flags = escapes::flags(tail(self.bytes, at));
            if flags & (wanted | ALWAYS) == 0 {
                *passed |= flags;
                continue;
            }
            if flags & ALWAYS == 0 {
                return Ok(Mark { at, flags });
            }
            if flags & escapes::INCOMPLETE != 0 {
                return Err(Stop::Odd);
            }
            let end = self.characters(at)?;
            self.seek(end);
        }
    }

    /// Where the characters beyond ASCII end that begin at `at`.
    #[cold]
    pub(super) fn characters(&mut self, at: usize) -> Result<usize, Stop> {
        let characters = &mut self.buffers.characters;
        characters.clear();
        let mut end = at;
        while self.bytes.get(end) == Some(&b'%')
            && let Some(octet) = escaped_octet(self.bytes, end)
            && !octet.is_ascii()
        {
            characters.push(octet);
            end = end.saturating_add(3);
        }
        match core::str::from_utf8(characters) {
            Ok(_) if end > at => Ok(end),
            _ => Err(Stop::Odd),
        }
    }

    /// [`Self::mark`], where it is not worth a copy.
    #[inline(never)]
    pub(super) fn rare_mark(
        &mut self,
        from: usize,
        wanted: u32,
        passed: &mut u32,
    ) -> Result<Mark, Stop> {
        self.mark(from, wanted, passed)
    }

    /// Where the next `>` is, in what is no tag.
    pub(super) fn close(&mut self, from: usize) -> Result<usize, Stop> {
        let mark = self.rare_mark(from, escapes::CLOSE | ODD, &mut 0)?;
        if mark.is(ODD) {
            return Err(Stop::Odd);
        }
        Ok(mark.at)
    }

    #[inline]
    pub(super) fn begins(&self, at: usize, with: &[u8]) -> bool {
        self.bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(with))
    }
}
