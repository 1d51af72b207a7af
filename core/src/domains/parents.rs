//! The parents of a domain.

use crate::bytes::lanes::{HALF_BLOCK, dots, last_chunk};
use crate::bytes::part;

/// The offsets in a name at which its parents start, the nearest parent first. A parent has two labels or more.
///
/// Dots are found half a block at a time: a branch for each byte would be mispredicted where a label ends.
#[derive(Clone, Copy)]
pub(super) struct Parents<'a> {
    /// Begins with the name. More text may follow.
    text: &'a [u8],
    /// The length of the name.
    len: usize,
    /// The start of the half block that was searched last.
    block: usize,
    /// The dots of that half block that were not yet returned.
    dots: u32,
    /// The next dot. A parent follows it if there is one more dot.
    dot: Option<usize>,
}

impl<'a> Parents<'a> {
    /// The parents of no name.
    pub(super) const NONE: Self = Self {
        text: &[],
        len: 0,
        block: 0,
        dots: 0,
        dot: None,
    };

    /// The parents of the name in the first `len` bytes of `text`.
    #[inline]
    pub(super) fn of(text: &'a [u8], len: usize) -> Self {
        let dots = dots_from(text, 0, len);
        let mut parents = Self {
            text,
            len,
            dots,
            ..Self::NONE
        };
        parents.dot = parents.next_dot();
        parents
    }

    /// The name.
    #[inline]
    pub(super) fn name(&self) -> &'a [u8] {
        part(self.text, 0..self.len)
    }

    #[inline]
    fn next_dot(&mut self) -> Option<usize> {
        while self.dots == 0 {
            let next = self.block + HALF_BLOCK;
            if next >= self.len {
                return None;
            }
            self.block = next;
            self.dots = dots_from(self.text, next, self.len);
        }
        let dot = self.dots.trailing_zeros() as usize;
        self.dots &= self.dots - 1;
        Some(self.block + dot)
    }
}

impl Iterator for Parents<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let dot = self.dot?;
        self.dot = self.next_dot();
        self.dot.map(|_| dot + 1)
    }
}

/// The dots before `len` in the half block that starts at `from`.
#[inline]
fn dots_from(text: &[u8], from: usize, len: usize) -> u32 {
    let block = text.get(from..).and_then(|rest| rest.first_chunk());
    let dots = match block {
        Some(block) => dots(block),
        None => dots(&last_chunk(text, from)),
    };
    match len - from {
        left @ 0..HALF_BLOCK => dots & !(u32::MAX << left),
        _ => dots,
    }
}

#[cfg(test)]
mod tests;
