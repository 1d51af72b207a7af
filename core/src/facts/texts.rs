//! The texts of a column of answers, in one buffer.

use alloc::string::String;
use core::ops::Range;

use arrayvec::ArrayString;

use crate::column::OutOfMemory;

/// Texts, one after the other. While they are short they are inline, so that a call of sendMailer needs no allocation.
#[derive(Clone)]
pub(super) enum Texts {
    Inline(ArrayString<INLINE_BYTES>),
    Allocated(String),
}

/// The number of bytes that need no allocation: an address and a sender's name together are usually shorter.
const INLINE_BYTES: usize = 56;

impl Default for Texts {
    fn default() -> Self {
        Self::Inline(ArrayString::new())
    }
}

impl Texts {
    /// All texts as one.
    #[inline]
    fn as_str(&self) -> &str {
        match self {
            Self::Inline(texts) => texts,
            Self::Allocated(texts) => texts,
        }
    }

    /// The length of all texts together: the start of the next one.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.as_str().len()
    }

    /// Reserves capacity for `bytes` more bytes of text.
    pub(super) fn try_reserve(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        match self {
            Self::Allocated(texts) => texts.try_reserve(bytes).map_err(|_| OutOfMemory),
            Self::Inline(texts) if bytes <= texts.remaining_capacity() => Ok(()),
            Self::Inline(texts) => {
                let mut allocated = String::new();
                let all = texts.len().checked_add(bytes).ok_or(OutOfMemory)?;
                allocated.try_reserve(all).map_err(|_| OutOfMemory)?;
                allocated.push_str(texts);
                *self = Self::Allocated(allocated);
                Ok(())
            }
        }
    }

    /// Adds a text.
    #[inline]
    pub(super) fn push(&mut self, text: &str) {
        match self {
            Self::Allocated(texts) => texts.push_str(text),
            Self::Inline(texts) => {
                if texts.try_push_str(text).is_err() {
                    *self = Self::Allocated([texts.as_str(), text].concat());
                }
            }
        }
    }

    /// The text at this place, as it was pushed; empty when no text was pushed there.
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
    fn short_texts_need_no_allocation_and_all_texts_are_given_back() {
        let words = ["a@b.example", "", "Caf\u{e9}", "The Shop of the Gardener"];
        let mut texts = Texts::default();
        let mut places = alloc::vec::Vec::new();
        for word in words.iter().cycle().take(40) {
            let start = texts.len();
            texts.push(word);
            places.push((start..texts.len(), *word));
            assert_eq!(
                matches!(texts, Texts::Inline(_)),
                texts.len() <= INLINE_BYTES
            );
            for (place, word) in &places {
                assert_eq!(texts.get(place.clone()), *word);
            }
        }
        assert_eq!(texts.get(0..texts.len() + 1), "");
    }
}
