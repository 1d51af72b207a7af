//! Python's strings of the domains that were asked about lately.
//!
//! A sender's mails name the same few hosts one after the other. The strings of these, which keep their hashes, need
//! not be made anew for each call: that is most of what it costs to look a domain up in a `set`.

use std::hash::BuildHasher;
use std::sync::{Mutex, MutexGuard, TryLockError};

use foldhash::fast::FixedState;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

/// So many strings are kept at most, of so many bytes each: some 40 kB in the whole process. They are kept in sets, as in
/// a processor's cache; in smaller ones a call's own names would drive each other out now and then.
const STRINGS: usize = 256;
const SET: usize = 8;
const LONGEST: usize = 64;

/// A call that asks about more domains than this keeps none: it would take the place of everybody else's.
const MANY: usize = 64;

/// Held while one call looks its domains up, also while Python's code runs: therefore nobody ever waits for it.
static KEPT: Mutex<Kept> = Mutex::new(Kept {
    strings: [const { None }; STRINGS],
    last: [0; MANY],
});

struct Kept {
    /// Set after set. Which names are in one, [`set_of`] says; that which was made last comes first.
    strings: [Option<PyBackedStr>; STRINGS],
    /// Where the names of the call before were, in the order in which it asked: the next call often asks alike.
    last: [usize; MANY],
}

/// The kept strings, for as long as one call looks its domains up. Whoever comes meanwhile (another thread, or a
/// container that itself looks something up) has none, and makes its own.
pub(crate) struct Names<'py> {
    kept: Option<MutexGuard<'static, Kept>>,
    /// How many were asked for.
    asked: usize,
    /// The string that was made last, and is not kept.
    made: Option<Bound<'py, PyString>>,
}

impl<'py> Names<'py> {
    /// For a call that asks about so many domains.
    pub(crate) fn lend(domains: usize) -> Self {
        let kept = (domains <= MANY).then(|| match KEPT.try_lock() {
            Ok(kept) => Some(kept),
            // Whoever panicked has left no half a name.
            Err(TryLockError::Poisoned(kept)) => Some(kept.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        });
        Self {
            kept: kept.flatten(),
            asked: 0,
            made: None,
        }
    }

    pub(crate) fn get(&mut self, py: Python<'py>, name: &str) -> &Bound<'py, PyString> {
        let asked = self.asked;
        self.asked = asked.saturating_add(1);
        let kept = self.kept.as_deref_mut();
        match kept.and_then(|kept| kept.get(py, name, asked)) {
            Some(kept) => kept.bind(py),
            None => self.made.insert(PyString::new(py, name)),
        }
    }
}

impl Kept {
    /// The string of the name that is asked for after so many others; `None` when it is not to be kept.
    #[inline]
    fn get(&mut self, py: Python<'_>, name: &str, asked: usize) -> Option<&Py<PyString>> {
        let mut place = *self.last.get(asked)?;
        if !is_name(self.strings.get(place)?, name) {
            place = self.place_by_hash(py, name)?;
            *self.last.get_mut(asked)? = place;
        }
        self.strings
            .get(place)?
            .as_ref()
            .map(PyBackedStr::as_py_str)
    }

    #[inline(never)]
    fn place_by_hash(&mut self, py: Python<'_>, name: &str) -> Option<usize> {
        if name.len() > LONGEST {
            return None;
        }
        let start = set_of(name);
        let set = self.strings.get_mut(start..)?.get_mut(..SET)?;
        if let Some(place) = set.iter().position(|kept| is_name(kept, name)) {
            return start.checked_add(place);
        }
        set.rotate_right(1);
        *set.first_mut()? = PyBackedStr::try_from(PyString::new(py, name)).ok();
        Some(start)
    }
}

#[inline]
fn is_name(kept: &Option<PyBackedStr>, name: &str) -> bool {
    kept.as_ref().is_some_and(|kept| **kept == *name)
}

/// Where the set starts in which a name is kept. Who makes names share one makes his own calls slower by what is saved
/// otherwise.
fn set_of(name: &str) -> usize {
    FixedState::default().hash_one(name) as usize % (STRINGS / SET) * SET
}
