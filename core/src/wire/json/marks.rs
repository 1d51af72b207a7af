//! Marks: one bit for each quote of a body, and for each other byte that matters in a string.
//!
//! Marks are made for several blocks at once. No step depends on the result of an earlier one, so the processor works on
//! several blocks in parallel.

use super::value::narrow;
use crate::bytes::lanes::{BLOCK, no_ascii, no_plain_ascii, positions_of, tell_quotes};
use crate::bytes::rest;
use crate::policy::MAX_BODY;

/// The number of blocks that are marked together.
const BLOCKS: usize = 12;

/// The marks of [`BLOCKS`] blocks.
#[derive(Clone, Debug)]
pub(crate) struct Marks {
    /// The offset of the first block.
    start: u32,
    blocks: [Marked; BLOCKS],
}

/// The marks of one block, or of [`BLOCK`] bytes anywhere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marked {
    /// The quotes that begin or end a string.
    pub(super) quotes: u64,
    /// The bytes, other than quotes, that are not plain text in a string: backslashes and control characters.
    pub(super) others: u64,
}

impl Default for Marks {
    /// No block is marked.
    fn default() -> Self {
        Self {
            // Every position in a body is before this one, so no block is found.
            start: narrow(MAX_BODY as usize),
            blocks: [Marked::default(); BLOCKS],
        }
    }
}

impl Marks {
    /// The marks of the [`BLOCK`] bytes from `at` on, if they have been made.
    #[inline]
    pub(super) fn from(&self, at: u32) -> Option<Marked> {
        let ahead = at.wrapping_sub(self.start) as usize;
        let passed = ahead % BLOCK;
        let index = ahead / BLOCK;
        let [first, second] = self.blocks.get(index..index + 2)?.first_chunk()?;
        // A shift by 64 would overflow, so the second one is done in two steps.
        let join = |first: u64, second: u64| first >> passed | second << 1 << (BLOCK - 1 - passed);
        Some(Marked {
            quotes: join(first.quotes, second.quotes),
            others: join(first.others, second.others),
        })
    }

    /// Makes the marks of the blocks from `at` on, which has to be an unescaped quote.
    #[inline(never)]
    pub(super) fn look(&mut self, bytes: &[u8], at: u32) {
        self.start = at;
        const TOLERATED: u32 = 1;
        let mut with_others = 0_u32;
        let mut is_escaped = false;
        let (blocks, left) = rest(bytes, at as usize).as_chunks();
        let mut marks = self.blocks.iter_mut();
        for (block, marked) in blocks.iter().zip(marks.by_ref()) {
            let (found, are_quotes) = tell_quotes(block);
            *marked = Marked {
                quotes: found,
                others: 0,
            };
            // Once more than `TOLERATED` blocks needed a closer look, all further blocks get one, because the branch
            // would be mispredicted.
            if !are_quotes || is_escaped || with_others > TOLERATED {
                *marked = closer(block, found, 0, &mut is_escaped);
                with_others += 1;
            }
        }
        for marked in marks {
            *marked = Marked::default();
        }
        // The bytes that are left do not fill a block. They are the end of the body's last `BLOCK` bytes.
        if let (Some(marked), Some(block)) = (self.blocks.get_mut(blocks.len()), bytes.last_chunk())
        {
            let passed = BLOCK - left.len();
            if passed < BLOCK {
                let found = no_plain_ascii(block);
                *marked = closer(block, found, passed, &mut is_escaped);
            }
        }
    }
}

/// The marks of a block, without its first `passed` bytes. `found` has the bytes that are not plain ASCII text.
fn closer(block: &[u8; BLOCK], found: u64, passed: usize, is_escaped: &mut bool) -> Marked {
    let quotes = positions_of(b'"', block);
    let no_text = found & !no_ascii(block);
    let escaped = after_escapes(positions_of(b'\\', block) >> passed, is_escaped);
    Marked {
        quotes: (quotes >> passed) & !escaped,
        others: (no_text & !quotes) >> passed,
    }
}

/// The bytes that are escaped: each follows an odd number of backslashes, and is not a backslash itself. `is_escaped` says
/// whether the block's first byte is escaped; it is then set for the first byte after the block.
#[inline]
fn after_escapes(backslashes: u64, is_escaped: &mut bool) -> u64 {
    const EVEN: u64 = u64::MAX / 3;
    let first = u64::from(*is_escaped);
    let backslashes = backslashes & !first;
    let starts = backslashes & !(backslashes << 1);
    // Adding its first bit to a row of backslashes gives the bit after the row. The row's length is odd if it starts at an
    // even position and that bit is at an odd one, or the other way round.
    let from_even = backslashes.wrapping_add(starts & EVEN) & !backslashes;
    let (from_odd, is_odd_at_end) = backslashes.overflowing_add(starts & !EVEN);
    *is_escaped = is_odd_at_end;
    from_even & !EVEN | from_odd & !backslashes & EVEN | first
}

#[cfg(test)]
mod tests;
