//! An arena for texts that the library has to build and the caller gets pointers to.

use std::borrow::Cow;
use std::collections::TryReserveError;

use arrayvec::ArrayVec;

use crate::text::FrankingText;

/// Owned texts, each at an address that stays valid until the arena is cleared. Most calls need none: the arena is then a
/// single null pointer.
#[derive(Default)]
pub(crate) struct Arena(Option<Box<Made>>);

#[derive(Default)]
struct Made {
    /// The first [`FEW`] texts, in their own allocations.
    few: ArrayVec<String, FEW>,
    /// Texts longer than [`LONG`], in their own allocations.
    long: Vec<String>,
    /// All other texts, copied one after the other: thousands of small long-lived allocations cost more. A block never grows
    /// beyond its first capacity, so the texts in it never move.
    blocks: Vec<String>,
}

/// The number of texts that keep their own allocations.
const FEW: usize = 16;
/// The capacity of a block. A text longer than an eighth of it is not copied into a block.
const BLOCK: usize = 1 << 14;
const LONG: usize = BLOCK / 8;

impl Arena {
    /// Returns a view of the text. A borrowed text stays where it is. The arena keeps an owned one.
    #[inline]
    pub(crate) fn keep(&mut self, text: Cow<'_, str>) -> FrankingText {
        match text {
            Cow::Borrowed(text) => FrankingText::new(text),
            Cow::Owned(text) => self.keep_own(text),
        }
    }

    /// As [`Arena::keep`], for a text that can be one of thousands: an allocation may fail.
    #[inline]
    pub(crate) fn try_keep(&mut self, text: Cow<'_, str>) -> Result<FrankingText, TryReserveError> {
        match text {
            Cow::Borrowed(text) => Ok(FrankingText::new(text)),
            Cow::Owned(text) => {
                self.try_room(text.len())?;
                Ok(self.keep_own(text))
            }
        }
    }

    /// Reserves capacity for one more text of `len` bytes, so that keeping it does not allocate.
    #[cold]
    #[inline(never)]
    fn try_room(&mut self, len: usize) -> Result<(), TryReserveError> {
        let made = self.0.get_or_insert_default();
        if len > LONG {
            return made.long.try_reserve(1);
        }
        let last = made.blocks.last();
        if !made.few.is_full() || last.is_some_and(|block| block.capacity() - block.len() >= len) {
            return Ok(());
        }
        let mut block = String::new();
        block.try_reserve_exact(BLOCK)?;
        made.blocks.try_reserve(1)?;
        made.blocks.push(block);
        Ok(())
    }

    /// Cold path: only for texts with escapes, and for texts that are asked about in another form than they were sent in.
    #[cold]
    #[inline(never)]
    fn keep_own(&mut self, text: String) -> FrankingText {
        let made = self.0.get_or_insert_default();
        let view = FrankingText::new(&text);
        if text.len() > LONG {
            made.long.push(text);
            return view;
        }
        let Err(full) = made.few.try_push(text) else {
            return view;
        };
        let text = full.element();
        let has_room = |block: &&mut String| block.capacity() - block.len() >= text.len();
        match made.blocks.last_mut().filter(has_room) {
            Some(block) => copy_to(block, &text),
            None => {
                let mut block = String::with_capacity(BLOCK);
                let view = copy_to(&mut block, &text);
                made.blocks.push(block);
                view
            }
        }
    }

    pub(crate) fn keep_option(&mut self, text: Option<Cow<'_, str>>) -> FrankingText {
        text.map_or(FrankingText::NONE, |text| self.keep(text))
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        if let Some(made) = &mut self.0 {
            made.few.clear();
            made.long.clear();
            made.blocks.clear();
        }
    }
}

impl Drop for Arena {
    /// Inlined, because the arena is mostly empty: two function calls for nothing in each decided call are measurable.
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(made) = self.0.take() {
            drop_made(made);
        }
    }
}

#[cold]
#[inline(never)]
fn drop_made(made: Box<Made>) {
    drop(made);
}

/// Appends the text to a block that has the capacity for it. Returns a view of the copy.
fn copy_to(block: &mut String, text: &str) -> FrankingText {
    let start = block.len();
    block.push_str(text);
    FrankingText::new(block.get(start..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_were_made_stay_where_they_are_until_the_arena_is_cleared() {
        let mut arena = Arena::default();
        for _ in 0..2 {
            // Enough texts for several blocks. Miri takes a minute for a thousand.
            let texts: Vec<String> = (0..if cfg!(miri) { 100 } else { 5000 })
                .map(|number| format!("{number} ").repeat(1 + number % 700))
                .collect();
            let views: Vec<FrankingText> = texts
                .iter()
                .enumerate()
                .map(|(number, text)| match number % 2 {
                    0 => arena.keep(Cow::Owned(text.clone())),
                    _ => arena
                        .try_keep(Cow::Owned(text.clone()))
                        .unwrap_or(FrankingText::NONE),
                })
                .collect();
            for (text, view) in texts.iter().zip(views) {
                // SAFETY: the arena was not cleared since.
                assert_eq!(unsafe { view.read("text") }.ok(), Some(&**text));
            }
            arena.clear();
        }
    }
}
