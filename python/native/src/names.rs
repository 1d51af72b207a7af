//! Python's strings of the domains that were asked about lately.
//!
//! A sender's mails name the same few hosts one after the other. The strings of these, which keep their hashes, need
//! not be made anew for each call: that is most of what it costs to look a domain up in a `set`.

use std::sync::{LazyLock, Mutex};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

/// So many strings are kept at most, of so many bytes each: some 40 kB in the whole process.
const SLOTS: usize = 256;
const LONGEST: usize = 64;

/// A call that asks about more domains than this keeps none: it would take the place of everybody else's.
const MANY: usize = 64;

/// One for each of what [`slot_of`] gives. Of two names with the same slot the one asked about last is kept.
type Slots = Box<[Option<PyBackedStr>; SLOTS]>;

/// None while somebody has them. The lock is held for a moment only, and never while Python's code runs.
static KEPT: LazyLock<Mutex<Option<Slots>>> =
    LazyLock::new(|| Mutex::new(Some(Box::new([const { None }; SLOTS]))));

/// The kept strings, for as long as one call looks its domains up. Whoever comes meanwhile (another thread, or a
/// container that itself looks something up) has none, and makes its own.
pub(crate) struct Names(Option<Slots>);

impl Names {
    /// For a call that asks about so many domains.
    pub(crate) fn lend(domains: usize) -> Self {
        if domains > MANY {
            return Self(None);
        }
        Self(KEPT.lock().ok().and_then(|mut kept| kept.take()))
    }

    pub(crate) fn get<'py>(&mut self, py: Python<'py>, name: &str) -> Bound<'py, PyString> {
        let slots = self.0.as_mut().filter(|_| name.len() <= LONGEST);
        let Some(slot) = slots.and_then(|slots| slots.get_mut(slot_of(name))) else {
            return PyString::new(py, name);
        };
        if let Some(kept) = slot
            && **kept == *name
        {
            return kept.as_py_str().bind(py).clone();
        }
        let made = PyString::new(py, name);
        *slot = PyBackedStr::try_from(made.clone()).ok();
        made
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        let Some(slots) = self.0.take() else {
            return;
        };
        if let Ok(mut kept) = KEPT.lock() {
            *kept = Some(slots);
        }
    }
}

/// Names that differ in any byte mostly have different slots; the nearer to each other, the more this matters.
fn slot_of(name: &str) -> usize {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let bytes = name.as_bytes();
    let mix = |mixed: u64, word: u64| (mixed ^ word).wrapping_mul(ODD).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let mixed = words.iter().fold(bytes.len() as u64, |mixed, word| {
        mix(mixed, u64::from_le_bytes(*word))
    });
    let mixed = match bytes.last_chunk::<8>() {
        Some(word) => mix(mixed, u64::from_le_bytes(*word)),
        None => rest
            .iter()
            .fold(mixed, |mixed, byte| mix(mixed, u64::from(*byte))),
    };
    mixed as usize % SLOTS
}
