//! Finds the field that an unknown name was probably meant to be.

use crate::bytes::part;
use crate::wire::field::Field;

/// The longest name, in bytes, that is taken for a misspelled field.
const LONGEST: usize = 40;
/// The most slips with which a name is still taken for a misspelled field.
const MOST_SLIPS: usize = 2;
/// The most letters that are compared. A longer name differs from every field by more than [`MOST_SLIPS`] slips.
const MOST_LETTERS: usize = 16;
/// The most fields that an operation can have.
const MOST_FIELDS: usize = 48;

/// The field that was probably meant: it has the same letters in another case or with other separators, or differs by a
/// few slips.
///
/// A body may have a million unknown names. So this function allocates nothing, and compares a name only with the few
/// fields that have nearly the same letters.
pub(super) fn meant<F: Field>(name: &[u8]) -> Option<&'static str> {
    let name = Letters::of(name).filter(|letters| letters.count > 0 && name.len() <= LONGEST)?;
    // Two slips turn a short name into another word.
    let allowed = if name.count < 5 { 1 } else { MOST_SLIPS };
    let fields = F::NAMES.iter().zip(Fields::<F>::LETTERS);
    let near = fields.filter(|(_, field)| field.may_be_within(allowed, &name));
    let (distance, field) = near
        .map(|(own, field)| (distance(name.bytes(), field.bytes(), allowed), *own))
        .min()?;
    (distance <= allowed).then_some(field)
}

/// The letters of the fields, in their order.
struct Fields<F>(F);

impl<F: Field> Fields<F> {
    const LETTERS: &[Letters] = &letters_of(F::NAMES);
}

#[expect(
    clippy::panic,
    reason = "evaluated at compile time, where it stops the build"
)]
const fn letters_of(mut names: &[&str]) -> [Letters; MOST_FIELDS] {
    let mut letters = [Letters::NONE; MOST_FIELDS];
    let mut left: &mut [Letters] = &mut letters;
    while let [name, others @ ..] = names {
        let Some(own) = Letters::of(name.as_bytes()) else {
            panic!("a field has more letters than are compared");
        };
        assert!(
            own.count + MOST_SLIPS <= MOST_LETTERS,
            "a misspelled field has more letters than are compared"
        );
        let Some((slot, rest)) = left.split_first_mut() else {
            panic!("there are more fields than are compared");
        };
        *slot = own;
        (left, names) = (rest, others);
    }
    letters
}

/// The ASCII letters and digits of a name, in lower case.
#[derive(Clone, Copy)]
struct Letters {
    bytes: [u8; MOST_LETTERS],
    count: usize,
    /// A bit for each letter and each digit that is among them.
    set: u64,
}

impl Letters {
    const NONE: Self = Self {
        bytes: [0; MOST_LETTERS],
        count: 0,
        set: 0,
    };

    /// The letters of a name; `None` if there are more than [`MOST_LETTERS`].
    const fn of(mut name: &[u8]) -> Option<Self> {
        let mut letters = Self::NONE;
        while let [byte, rest @ ..] = name {
            name = rest;
            let bit = match byte.to_ascii_lowercase() {
                letter @ b'a'..=b'z' => letter - b'a',
                digit @ b'0'..=b'9' => digit - b'0' + 26,
                _ => continue,
            };
            let Some((_, [slot, ..])) = letters.bytes.split_at_mut_checked(letters.count) else {
                return None;
            };
            *slot = byte.to_ascii_lowercase();
            letters.count += 1;
            letters.set |= 1 << bit;
        }
        Some(letters)
    }

    fn bytes(&self) -> &[u8] {
        part(&self.bytes, 0..self.count)
    }

    /// Whether the distance may be at most `most`. A slip changes the number of letters by at most one, and their set
    /// by at most two.
    fn may_be_within(&self, most: usize, other: &Self) -> bool {
        self.count.abs_diff(other.count) <= most
            && (self.set ^ other.set).count_ones() as usize <= 2 * most
    }
}

/// The Levenshtein distance of two names of at most [`MOST_LETTERS`] bytes. If it is more than `most`, the result may be any
/// number above `most`.
fn distance(left: &[u8], right: &[u8], most: usize) -> usize {
    let mut row: [usize; MOST_LETTERS + 1] = core::array::from_fn(|index| index);
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

#[cfg(test)]
mod tests;
