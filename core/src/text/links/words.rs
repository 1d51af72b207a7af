//! A table that finds names by their first bytes, with one comparison.

/// The first bytes of a name, with letters in lower case and zeros beyond its end. The bit of lower case is set in every
/// byte, also in one that is not a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u64);

impl Word {
    /// The number of bytes of a name that are in its word. Shorter names are equal if their words are.
    pub(super) const LENGTH: usize = 8;

    const LOWER_CASE: u64 = u64::from_ne_bytes([0x20; Self::LENGTH]);

    /// The word of a name of `length` bytes. `window` begins with the first of them.
    #[inline]
    pub(super) const fn new(window: [u8; Self::LENGTH], length: usize) -> Self {
        let beyond = Self::LENGTH.saturating_sub(length) as u32 * 8;
        match u64::MAX.checked_shr(beyond) {
            Some(mask) => Self::masked(u64::from_le_bytes(window), mask),
            None => Self(0),
        }
    }

    /// The word of a name.
    #[inline]
    pub(super) fn of(name: &[u8]) -> Self {
        let mut window = [0; Self::LENGTH];
        for (to, from) in window.iter_mut().zip(name) {
            *to = *from;
        }
        Self::new(window, name.len())
    }

    /// The word of the bytes of `first` that are in `mask`. The lowest byte is the first one of the name.
    #[inline]
    const fn masked(first: u64, mask: u64) -> Self {
        Self((first | Self::LOWER_CASE) & mask)
    }

    #[inline]
    const fn slot(self, multiplier: u64) -> usize {
        (self.0.wrapping_mul(multiplier) >> (u64::BITS - BITS)) as usize
    }
}

/// The number of letters from `at` on, up to 16, and their word. Every byte from `@` to `~` counts as a letter. Digits, control
/// characters, most ASCII punctuation and characters beyond ASCII do not. The number is 0 if fewer than 16 bytes follow.
#[inline]
pub(super) fn first_letters(text: &[u8], at: usize) -> (usize, Word) {
    let Some(window) = text.get(at..).and_then(|rest| rest.first_chunk::<16>()) else {
        return (0, Word(0));
    };
    // These are ordinary integers: the code that follows waits for the result, and moving it out of a vector register takes
    // long.
    let both = u128::from_le_bytes(*window);
    let first = both as u64;
    let (end, more) = (no_letter(first), no_letter((both >> u64::BITS) as u64));
    let length = if end == 0 {
        more.trailing_zeros() + u64::BITS
    } else {
        end.trailing_zeros()
    };
    // All bits below the byte that is not a letter.
    let mask = ((end & end.wrapping_neg()) >> 7).wrapping_sub(1);
    ((length / 8) as usize, Word::masked(first, mask))
}

/// The high bit of the first byte that is less than `@` or more than `~`. Bits of the bytes after it may be wrong,
/// because the subtraction borrows from them and the addition carries into them.
#[inline]
const fn no_letter(word: u64) -> u64 {
    const EACH: u64 = u64::from_ne_bytes([1; 8]);
    let below = word.wrapping_sub(EACH * 0x40) & !word;
    (below | word | word.wrapping_add(EACH)) & (EACH * 0x80)
}

const BITS: u32 = 7;
const WORD_SLOTS: usize = 1 << BITS;

/// A table of what some names mean, in any case. The word of each name has a slot of its own.
pub(super) struct Words<T> {
    slots: [(Word, Option<(&'static str, T)>); WORD_SLOTS],
    multiplier: u64,
}

impl<T: Copy> Words<T> {
    /// The slot of a word is the highest bits of its product with `multiplier`. This is evaluated at compile time, where
    /// two words in one slot stop the build.
    #[expect(
        clippy::indexing_slicing,
        reason = "evaluated at compile time, where a wrong index stops the build"
    )]
    pub(super) const fn new(names: &[(&'static str, T)], multiplier: u64) -> Self {
        let mut slots = [(Word(0), None); WORD_SLOTS];
        let mut index = 0;
        while index < names.len() {
            let name = names[index].0.as_bytes();
            let mut window = [0; Word::LENGTH];
            let mut at = 0;
            while at < name.len() && at < Word::LENGTH {
                window[at] = name[at];
                at += 1;
            }
            let word = Word::new(window, name.len());
            let slot = word.slot(multiplier);
            assert!(slots[slot].1.is_none(), "two words in one place");
            slots[slot] = (word, Some(names[index]));
            index += 1;
        }
        Self { slots, multiplier }
    }

    /// The meaning of a name of letters and digits alone, whose first bytes are `word`.
    #[inline]
    pub(super) fn find(&self, word: Word, name: &[u8]) -> Option<T> {
        let (known, meaning) = self.slots.get(word.slot(self.multiplier))?;
        let (spelling, meaning) = (*meaning).filter(|_| *known == word)?;
        (name.len() < Word::LENGTH || name.eq_ignore_ascii_case(spelling.as_bytes()))
            .then_some(meaning)
    }
}

#[cfg(test)]
mod tests;
