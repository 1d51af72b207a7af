//! Names told apart by their first bytes, with one comparison.

/// The first bytes of a name, letters in lower case, and zeros beyond its end. Bytes that are no letters are changed as
/// letters are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u64);

impl Word {
    /// How many bytes of a name are looked at. Shorter names are equal if their words are.
    pub(super) const LENGTH: usize = 8;

    const LOWER_CASE: u64 = u64::from_ne_bytes([0x20; Self::LENGTH]);

    /// The word of a name that has `length` bytes, of which `window` begins with the first.
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

    /// The word of a name that begins with the bytes of `first`, from the lowest on, of which those in `mask` are its own.
    #[inline]
    pub(super) const fn masked(first: u64, mask: u64) -> Self {
        Self((first | Self::LOWER_CASE) & mask)
    }
}

const BITS: u32 = 7;
const PLACES: usize = 1 << BITS;

/// What some words mean. Each word has a place of its own in a table.
pub(super) struct Words<T> {
    places: [(Word, Option<T>); PLACES],
    multiplier: u64,
}

impl<T: Copy> Words<T> {
    /// No words. The place of a word is the highest bits of its product with this number.
    pub(super) const fn new(multiplier: u64) -> Self {
        Self {
            places: [(Word(0), None); PLACES],
            multiplier,
        }
    }

    /// Adds the word of `name`. This is evaluated at compile time, where two words in one place stop the build.
    #[expect(
        clippy::indexing_slicing,
        reason = "evaluated at compile time, where a wrong index stops the build"
    )]
    pub(super) const fn with(mut self, name: &str, meaning: T) -> Self {
        let name = name.as_bytes();
        let mut window = [0; Word::LENGTH];
        let mut index = 0;
        while index < name.len() && index < Word::LENGTH {
            window[index] = name[index];
            index += 1;
        }
        let word = Word::new(window, name.len());
        let place = self.place(word);
        assert!(self.places[place].1.is_none(), "two words in one place");
        self.places[place] = (word, Some(meaning));
        self
    }

    #[inline]
    const fn place(&self, word: Word) -> usize {
        (word.0.wrapping_mul(self.multiplier) >> (u64::BITS - BITS)) as usize
    }

    /// What the word means.
    #[inline]
    pub(super) fn find(&self, word: Word) -> Option<T> {
        let (known, meaning) = self.places.get(self.place(word))?;
        if *known == word { *meaning } else { None }
    }
}
