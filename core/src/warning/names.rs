//! The field that an unknown name was probably meant to be.

use crate::bytes::part;
use crate::wire::field::Field;

/// The longest name, in bytes, that is taken for a misspelled field. The longest field has 14 letters.
const LONGEST: usize = 40;
/// The most slips with which a name is still taken for a misspelled field.
const MOST_SLIPS: usize = 2;

/// The field that was probably meant: it has the same letters in another case or with other separators, or differs by a
/// few slips.
///
/// A body may have a million unknown names, so this allocates nothing.
pub(super) fn meant<F: Field>(name: &str, fields: &[F]) -> Option<&'static str> {
    if name.len() > LONGEST {
        return None;
    }
    let mut letters = [0; LONGEST];
    let name = plain(name, &mut letters);
    // Two slips turn a short name into another word.
    let allowed = if name.len() < 5 { 1 } else { MOST_SLIPS };
    let mut letters = [0; LONGEST];
    let (distance, field) = fields
        .iter()
        .filter_map(|field| {
            let own = plain(field.name(), &mut letters);
            let is_near = own.len().abs_diff(name.len()) <= allowed;
            is_near.then(|| (distance(name, own, allowed), field.name()))
        })
        .min()?;
    (distance <= allowed && !name.is_empty()).then_some(field)
}

/// The ASCII letters and digits of a name, in lower case, cut off after [`LONGEST`].
fn plain<'a>(name: &str, letters: &'a mut [u8; LONGEST]) -> &'a [u8] {
    let bytes = name.bytes().filter(u8::is_ascii_alphanumeric);
    let mut count = 0_usize;
    for (slot, byte) in letters.iter_mut().zip(bytes) {
        *slot = byte.to_ascii_lowercase();
        count += 1;
    }
    part(letters, 0..count)
}

/// The Levenshtein distance of two names of at most [`LONGEST`] bytes. If it is more than `most`, the result may be any
/// number above `most`.
fn distance(left: &[u8], right: &[u8], most: usize) -> usize {
    let mut row: [usize; LONGEST + 1] = core::array::from_fn(|index| index);
    for (index, byte) in left.iter().enumerate() {
        let mut diagonal = index;
        let mut before = index + 1;
        if let Some(first) = row.first_mut() {
            *first = before;
        }
        let mut least = before;
        for (cell, other) in row.iter_mut().skip(1).zip(right) {
            let replaced = diagonal + usize::from(byte != other);
            diagonal = *cell;
            *cell = replaced.min(diagonal + 1).min(before + 1);
            before = *cell;
            least = least.min(before);
        }
        if least > most {
            return least;
        }
    }
    row.get(right.len()).copied().unwrap_or(usize::MAX)
}
