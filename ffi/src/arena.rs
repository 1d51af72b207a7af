//! Texts that had to be made for a caller who gets pointers to them.

use std::borrow::Cow;
use std::collections::TryReserveError;

use arrayvec::ArrayVec;

use crate::text::FrankingText;

/// Texts that had to be made, each at a place where it stays until the arena is cleared. Most calls need none: then it is
/// one pointer.
#[derive(Default)]
pub(crate) struct Arena(Option<Box<Made>>);

#[derive(Default)]
struct Made {
    /// The first few, where they were made.
    few: ArrayVec<String, FEW>,
    /// Long ones, where they were made.
    long: Vec<String>,
    /// The others, copied one behind the other: thousands of small allocations that live long cost more. None of these
    /// grows beyond the room that it was made with, so what lies there stays there.
    blocks: Vec<String>,
}

/// So many texts are kept where they were made.
const FEW: usize = 16;
/// The size of a block. A text that is longer than a part of it is kept where it was made.
const BLOCK: usize = 1 << 14;
const LONG: usize = BLOCK / 8;

impl Arena {
    /// The view of a text: where it lies if it lies somewhere, else of one that the arena keeps.
    #[inline]
    pub(crate) fn keep(&mut self, text: Cow<'_, str>) -> FrankingText {
        match text {
            Cow::Borrowed(text) => FrankingText::new(text),
            Cow::Owned(text) => self.keep_own(text),
        }
    }

    /// As [`Arena::keep`], of a text that can be one of thousands.
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

    /// Makes room for one more text, so that keeping it allocates nothing.
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

    /// Seldom: only of texts with escapes, and of what is not asked about as it was sent.
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
    /// Seen where it goes whether there is anything to drop: a call for nothing, twice a call, would show.
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

/// Appends the text, for which there is room; the view of the copy.
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
            // Enough for blocks; Miri takes a minute for a thousand.
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
