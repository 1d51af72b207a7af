//! Searches in a text of soup: for white space, for words, and for what many look-ups share.

use super::super::span::has_word;
use super::super::work;
use crate::bytes::bits::Bits;

/// Remembers the next position of something until it is passed, so that many look-ups of one end cost one search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Next(Option<(usize, usize)>);

impl Next {
    /// The first position at or after `from`, or `end` if there is none. `find` searches the text from `from` on.
    pub(super) fn after(
        &mut self,
        from: usize,
        end: usize,
        find: impl FnOnce() -> Option<usize>,
    ) -> usize {
        if let Some((begin, found)) = self.0
            && (begin..=found).contains(&from)
        {
            return found;
        }
        let found = find().map_or(end, |length| from + length);
        self.0 = Some((from, found));
        found
    }

    /// The first position of a set at or after `from`.
    pub(super) fn next_of(&mut self, positions: &Bits, from: usize) -> Option<usize> {
        let length = || positions.next(from).map(|at| at - from);
        Some(self.after(from, usize::MAX, length)).filter(|at| *at != usize::MAX)
    }
}

/// The length of the white-space character that a text begins with; 0 if there is none.
pub(super) fn space_at(text: &[u8]) -> usize {
    match text {
        [b'\t'..=b'\r' | b' ', ..] => 1,
        [0xc2, 0x85 | 0xa0, ..] => 2,
        [0xe1, 0x9a, 0x80, ..] | [0xe2, 0x81, 0x9f, ..] | [0xe3, 0x80, 0x80, ..] => 3,
        [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..] => 3,
        _ => 0,
    }
}

/// The end of the white space from `at` on.
pub(super) fn space_end(text: &[u8], mut at: usize) -> usize {
    loop {
        work::count(1);
        match space_at(&text[at..]) {
            0 => return at,
            length => at += length,
        }
    }
}

/// The length of a text without the white space at its end.
pub(super) fn without_space(text: &[u8]) -> usize {
    let mut end = text.len();
    while end > 0 {
        let length = match text[end - 1] {
            b'\t'..=b'\r' | b' ' => 1,
            0x80.. => [2, 3]
                .into_iter()
                .find(|length| end >= *length && space_at(&text[end - length..end]) == *length)
                .unwrap_or(0),
            _ => 0,
        };
        if length == 0 {
            break;
        }
        end -= length;
    }
    end
}

/// The first position of a word, in any case. `word` has lower-case letters and signs, and `rare` is the index in it of the
/// byte that is searched for.
pub(super) fn find_word(text: &[u8], word: &[u8], rare: usize) -> Option<usize> {
    let byte = word[rare];
    memchr::memchr2_iter(byte, byte.to_ascii_uppercase(), text)
        .filter_map(|at| at.checked_sub(rare))
        .find(|at| has_word(text, *at, word))
}
