//! Personalization placeholders, such as `{{name}}`.
//!
//! A placeholder is an identifier between a pair of marks. An identifier is a letter or `_`, then
//! letters, digits, `_`, `.`, `-`, `~` or spaces, at most 64 characters in all. A letter is a character
//! of Unicode's General Category L, a digit one of Nd, a space is U+0020. Spaces before and after an
//! identifier are allowed and do not count.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use memchr::memmem::{self, Finder};
use thiserror::Error;

use super::unicode::{is_blank, is_decimal_digit, is_letter};
use crate::bytes::rest;

/// The most characters that an identifier can have.
pub const MAX_IDENTIFIER_LEN: usize = 64;

/// The pairs of marks that are used by default.
pub const DEFAULT_PAIRS: [(&str, &str); 6] = [
    ("{{", "}}"),
    ("{%", "%}"),
    ("%%", "%%"),
    ("*|", "|*"),
    ("{*", "*}"),
    ("${", "}"),
];

/// Why pairs of marks are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PairsError {
    /// A mark is empty or only white space, so ordinary text would be full of it.
    #[error(
        "pair {index}, counted from 0: a mark is empty or blank: write both, as in {{{{ and }}}}"
    )]
    BlankMark {
        /// The position of the pair, counted from 0.
        index: usize,
    },
}

/// Pairs of marks: one before an identifier, and one after it.
///
/// A mark is any text that is not blank, compared character by character. The two marks of a pair may
/// be equal, and marks may have letters (`%recipient.` and `%`). Without pairs, there are no placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pairs {
    pairs: Cow<'static, [Pair]>,
}

/// An opening mark and a closing one.
type Pair = (Cow<'static, str>, Cow<'static, str>);

/// [`DEFAULT_PAIRS`], built at compile time.
static DEFAULT: [Pair; DEFAULT_PAIRS.len()] = {
    let [a, b, c, d, e, f] = DEFAULT_PAIRS;
    [pair(a), pair(b), pair(c), pair(d), pair(e), pair(f)]
};

const fn pair((open, close): (&'static str, &'static str)) -> Pair {
    (Cow::Borrowed(open), Cow::Borrowed(close))
}

impl Pairs {
    /// Makes pairs of an opening and a closing mark each.
    ///
    /// ```
    /// use franking::placeholder::{Pairs, PairsError};
    /// assert!(Pairs::new([("[[", "]]")]).is_ok());
    /// assert_eq!(Pairs::new([("[[", " ")]), Err(PairsError::BlankMark { index: 0 }));
    /// ```
    ///
    /// # Errors
    ///
    /// [`PairsError::BlankMark`] if a mark is empty or only white space.
    pub fn new<O, C>(pairs: impl IntoIterator<Item = (O, C)>) -> Result<Self, PairsError>
    where
        O: Into<String>,
        C: Into<String>,
    {
        let pairs: Vec<Pair> = pairs
            .into_iter()
            .map(|(open, close)| (Cow::Owned(open.into()), Cow::Owned(close.into())))
            .collect();
        let blank = |(open, close): &Pair| is_blank(open) || is_blank(close);
        if let Some(index) = pairs.iter().position(blank) {
            return Err(PairsError::BlankMark { index });
        }
        Ok(Self {
            pairs: pairs.into(),
        })
    }

    /// [`DEFAULT_PAIRS`].
    pub(crate) const DEFAULT: Self = Self {
        pairs: Cow::Borrowed(&DEFAULT),
    };

    /// The pairs, as they were given.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(open, close)| (&**open, &**close))
    }
}

/// [`DEFAULT_PAIRS`].
impl Default for Pairs {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The first placeholder in `text`: its bytes, including the marks.
///
/// Takes time proportional to the length of the text, for any text and pairs.
///
/// ```
/// use franking::unstable::text::placeholder::{Pairs, find};
/// let pairs = Pairs::default();
/// assert_eq!(find("Hello {{ first name }}!", &pairs), Some(6..22));
/// assert_eq!(find("50%% off {{ 5 }}", &pairs), None);
/// ```
pub fn find(text: &str, pairs: &Pairs) -> Option<Range<usize>> {
    pairs
        .iter()
        .filter_map(|(open, close)| find_pair(text, open, close))
        .min_by_key(|found| found.start)
}

fn find_pair(text: &str, open: &str, close: &str) -> Option<Range<usize>> {
    // Making a finder takes longer than finding nothing in a short text.
    let first = memmem::find(text.as_bytes(), open.as_bytes())?;
    let opens = Finder::new(open);
    let closes = Finder::new(close);
    let find_from = |finder: &Finder<'_>, from: usize| {
        let rest = text.as_bytes().get(from..)?;
        finder.find(rest).map(|at| from + at)
    };
    // All positions only ever grow, so each part of the text is searched once.
    let mut start = first;
    let mut word = 0;
    let mut end = 0;
    loop {
        let inside = start + open.len();
        // Marks may have spaces, so the same word can follow many opening marks. It is judged once.
        let judged = word >= inside;
        if !judged {
            word = skip_spaces(text, inside);
            // Only the first closing mark after the word's first character counts: the text up to a
            // later one begins with the same text.
            if end <= word {
                end = find_from(&closes, word + 1)?;
            }
            if text.get(word..end).is_some_and(is_identifier) {
                return Some(start..end + close.len());
            }
        }
        start = find_from(&opens, start + 1)?;
    }
}

fn skip_spaces(text: &str, from: usize) -> usize {
    from + rest(text.as_bytes(), from)
        .iter()
        .take_while(|&&byte| byte == b' ')
        .count()
}

/// Whether `text` is an identifier, with or without spaces after it.
fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars().enumerate();
    let Some((_, first)) = characters.next() else {
        return false;
    };
    (is_letter(first) || first == '_')
        && characters.all(|(before, c)| match c {
            ' ' => true,
            '_' | '.' | '-' | '~' => before < MAX_IDENTIFIER_LEN,
            _ => before < MAX_IDENTIFIER_LEN && (is_letter(c) || is_decimal_digit(c)),
        })
}

#[cfg(test)]
mod tests;
