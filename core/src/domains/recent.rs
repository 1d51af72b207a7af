//! A table of the names that were seen, of a size that no call can choose.

use alloc::vec;
use alloc::vec::Vec;

use super::chain::Chain;

/// Where names were last seen, by a hash of theirs. It may forget, and tells when it did.
#[derive(Clone, Debug, Default)]
pub(super) struct Recent {
    places: Vec<Seen>,
    has_forgotten: bool,
}

/// Where a name was seen, and its number, in eight bytes: so the table of an ordinary call stays near. From the highest
/// bit on: its start, as that of a [`Chain`]; its length; whether it has upper-case letters there; its number. 0 is nothing:
/// no name has no length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen(u64);

/// A place of the table, read.
pub(super) struct Place {
    /// As that of a [`Chain`].
    pub(super) start: u32,
    pub(super) length: usize,
    pub(super) is_upper: bool,
    pub(super) number: u32,
}

const NUMBER: u32 = (1 << 23) - 1;
const UPPER: u32 = 1 << 23;
const LENGTH: u32 = 24;

impl Seen {
    const NOTHING: Self = Self(0);

    /// `None`: the name is too long, or there are too many.
    fn new(place: &Place) -> Option<Self> {
        let length = u8::try_from(place.length).ok()?;
        let number = Some(place.number).filter(|number| *number <= NUMBER)?;
        let upper = if place.is_upper { UPPER } else { 0 };
        let low = u32::from(length) << LENGTH | upper | number;
        Some(Self(u64::from(place.start) << 32 | u64::from(low)))
    }

    #[inline]
    fn length(self) -> usize {
        (self.0 as u32 >> LENGTH) as usize
    }

    #[inline]
    fn get(self) -> Place {
        let low = self.0 as u32;
        Place {
            start: (self.0 >> 32) as u32,
            length: self.length(),
            is_upper: low & UPPER != 0,
            number: low & NUMBER,
        }
    }
}

/// The number of places at first. It grows with the names up to [`MOST`].
const FIRST: usize = if cfg!(test) { 16 } else { 64 };
const MOST: usize = if cfg!(test) { 64 } else { 1 << 14 };
/// The number of places in which a name is looked for, from that of its hash on.
const TRIES: usize = 32;
/// The same once a name was forgotten: the table is full then, and looking further rarely helps.
const FEW_TRIES: usize = 2;

impl Recent {
    /// Nothing was put in yet.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether a name that was seen may not be found.
    pub(super) fn has_forgotten(&self) -> bool {
        self.has_forgotten
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.places.fill(Seen::NOTHING);
        self.has_forgotten = true;
    }

    /// Whether more places are worth their room for `count` names. If so, all are free now: what was put in has to be put
    /// in again.
    pub(super) fn grow(&mut self, count: usize) -> bool {
        let places = self.places.len();
        if places >= MOST || (places > 0 && count <= places / 4) {
            return false;
        }
        let places = places.saturating_mul(4).clamp(FIRST, MOST);
        self.places = vec![Seen::NOTHING; places];
        true
    }

    fn tries(&self) -> usize {
        if self.has_forgotten { FEW_TRIES } else { TRIES }
    }

    /// Notes where a name is.
    pub(super) fn put(&mut self, name: &[u8], place: &Place) {
        let Some(seen) = Seen::new(place) else {
            self.has_forgotten = true;
            return;
        };
        let Some(mask) = self.places.len().checked_sub(1) else {
            return;
        };
        let hash = quick_hash(name);
        for at in (0..self.tries()).map(|next| hash.wrapping_add(next) & mask) {
            if let Some(free) = self.places.get_mut(at).filter(|at| **at == Seen::NOTHING) {
                *free = seen;
                return;
            }
        }
        self.has_forgotten = true;
        if let Some(last) = self.places.get_mut(hash & mask) {
            *last = seen;
        }
    }

    /// The number of a name; `is_there` tells whether it is what lies at a place.
    #[inline]
    pub(super) fn find(&self, name: &[u8], is_there: impl Fn(&Place) -> bool) -> Option<u32> {
        let mask = self.places.len().checked_sub(1)?;
        let hash = quick_hash(name);
        let is_at = |seen: Seen| seen.length() == name.len() && is_there(&seen.get());
        let first = *self.places.get(hash & mask)?;
        // In most look-ups it is there, or nothing is.
        if is_at(first) {
            return Some(first.get().number);
        }
        if first == Seen::NOTHING {
            return None;
        }
        for at in (1..self.tries()).map(|next| hash.wrapping_add(next) & mask) {
            let seen = *self.places.get(at)?;
            if seen == Seen::NOTHING {
                return None;
            }
            if is_at(seen) {
                return Some(seen.get().number);
            }
        }
        None
    }
}

impl Place {
    /// Where it lies in its source.
    #[inline]
    pub(super) fn at(&self) -> usize {
        (self.start & !Chain::IN_BODY) as usize
    }

    #[inline]
    pub(super) fn is_in_body(&self) -> bool {
        self.start & Chain::IN_BODY != 0
    }
}

/// Tells most names apart: eight bytes at a time, and the last eight.
#[inline]
fn quick_hash(name: &[u8]) -> usize {
    /// As in Fx hashing: any odd number without a pattern.
    const FACTOR: u64 = 0xF135_7AEA_2E62_A9C5;
    let mixed = |hash: u64, word: &[u8; 8]| {
        (hash.rotate_left(26) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR)
    };
    let (words, rest) = name.as_chunks::<8>();
    let hash = words.iter().fold(0, mixed);
    let hash = match name.last_chunk::<8>() {
        Some(last) => mixed(hash, last),
        None => rest.iter().fold(hash, |hash, byte| {
            mixed(hash, &[*byte, 0, 0, 0, 0, 0, 0, 0])
        }),
    };
    (hash >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn place(number: u32, name: &str) -> Place {
        let in_body = if number.is_multiple_of(2) {
            Chain::IN_BODY
        } else {
            0
        };
        Place {
            start: (number * 300) | in_body,
            length: name.len(),
            is_upper: number.is_multiple_of(3),
            number,
        }
    }

    fn find(recent: &Recent, names: &[String], name: &str) -> Option<u32> {
        recent.find(name.as_bytes(), |place| {
            let number = place.number;
            assert_eq!(place.is_upper, number.is_multiple_of(3));
            assert_eq!(place.is_in_body(), number.is_multiple_of(2));
            assert_eq!(place.at(), number as usize * 300);
            names[number as usize] == name
        })
    }

    #[test]
    fn every_name_is_found_until_the_table_says_that_it_has_forgotten() {
        let names: Vec<String> = (0..500).map(|name| format!("{name}.example")).collect();
        let mut recent = Recent::default();
        for (number, name) in (0..).zip(&names) {
            let before = names.get(..number as usize).unwrap();
            if recent.grow(before.len()) {
                for (number, name) in (0..).zip(before) {
                    recent.put(name.as_bytes(), &place(number, name));
                }
            }
            assert_eq!(find(&recent, &names, name), None);
            recent.put(name.as_bytes(), &place(number, name));
            assert_eq!(find(&recent, &names, name), Some(number));
            for (known, name) in (0..).zip(before) {
                let found = find(&recent, &names, name);
                assert!(found == Some(known) || found.is_none() && recent.has_forgotten());
            }
        }
        assert!(recent.has_forgotten());
    }

    #[test]
    fn what_cannot_be_kept_is_forgotten() {
        for (number, length) in [(NUMBER, 255), (NUMBER + 1, 255), (NUMBER, 256)] {
            let mut recent = Recent::default();
            assert!(recent.grow(1));
            let name = "a".repeat(length);
            let place = Place {
                start: 7,
                length,
                is_upper: false,
                number,
            };
            recent.put(name.as_bytes(), &place);
            let found = recent.find(name.as_bytes(), |_| true);
            assert_eq!(found, Some(number).filter(|_| !recent.has_forgotten()));
            assert_eq!(recent.has_forgotten(), number > NUMBER || length > 255);
        }
    }
}
