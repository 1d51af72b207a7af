//! The texts of answers, one behind the other.

use alloc::string::String;
use core::ops::Range;

use arrayvec::ArrayString;

use crate::column::OutOfMemory;

/// Texts, one after the other. Short ones lie in the structure itself, so that a call of sendMailer needs no allocation.
#[derive(Clone)]
pub(super) enum Texts {
    Few(ArrayString<ROOM>),
    Many(String),
}

/// The bytes of texts that need no allocation: most addresses and names of senders have fewer.
const ROOM: usize = 56;

impl Default for Texts {
    fn default() -> Self {
        Self::Few(ArrayString::new())
    }
}

impl Texts {
    /// All texts as one.
    #[inline]
    fn as_str(&self) -> &str {
        match self {
            Self::Few(texts) => texts,
            Self::Many(texts) => texts,
        }
    }

    /// Where the next text starts.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.as_str().len()
    }

    /// Makes room for `bytes` more bytes of text.
    pub(super) fn try_reserve(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        match self {
            Self::Many(texts) => texts.try_reserve(bytes).map_err(|_| OutOfMemory),
            Self::Few(texts) if bytes <= texts.remaining_capacity() => Ok(()),
            Self::Few(texts) => {
                let mut many = String::new();
                let all = texts.len().checked_add(bytes).ok_or(OutOfMemory)?;
                many.try_reserve(all).map_err(|_| OutOfMemory)?;
                many.push_str(texts);
                *self = Self::Many(many);
                Ok(())
            }
        }
    }

    /// Adds a text.
    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        match self {
            Self::Many(texts) => texts.push_str(text),
            Self::Few(texts) => {
                if texts.try_push_str(text).is_err() {
                    *self = Self::Many([texts.as_str(), text].concat());
                }
            }
        }
    }

    /// A text by the place at which it was pushed.
    #[inline]
    pub(super) fn get(&self, place: Range<usize>) -> &str {
        self.as_str().get(place).unwrap_or("")
    }
}

impl PartialEq for Texts {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Texts {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_texts_need_no_allocation_and_all_are_given_back() {
        let words = ["a@b.example", "", "Caf\u{e9}", "The Shop of the Gardener"];
        let mut texts = Texts::default();
        let mut places = alloc::vec::Vec::new();
        for word in words.iter().cycle().take(40) {
            let start = texts.len();
            texts.push(word);
            places.push((start..texts.len(), *word));
            assert_eq!(matches!(texts, Texts::Few(_)), texts.len() <= ROOM);
            for (place, word) in &places {
                assert_eq!(texts.get(place.clone()), *word);
            }
        }
        assert_eq!(texts.get(0..texts.len() + 1), "");
    }
}
