//! Python's strings of the domains that were asked about lately.
//!
//! A sender's mails name the same few hosts one after the other. The strings of these, which keep their hashes, need
//! not be made anew for each call: that is most of what it costs to look a domain up in a `set`.

use std::array;
use std::hash::BuildHasher;
use std::sync::{LazyLock, Mutex};

use foldhash::fast::FixedState;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

/// So many strings are kept at most, of so many bytes each: some 80 kB in the whole process.
const SETS: usize = 128;
const WAYS: usize = 4;
const LONGEST: usize = 64;

/// A call that asks about more domains than this keeps none: it would take the place of everybody else's.
const MANY: usize = 64;

/// The strings that [`set_of`] gives the same number, the one that was made last before the others. With fewer, a call's own
/// names would now and then drive each other out.
type Set = [Option<PyBackedStr>; WAYS];
type Sets = Box<[Set; SETS]>;

/// None while somebody has them. The lock is held for a moment only, and never while Python's code runs.
static KEPT: LazyLock<Mutex<Option<Sets>>> =
    LazyLock::new(|| Mutex::new(Some(Box::new(array::from_fn(|_| Set::default())))));

/// The kept strings, for as long as one call looks its domains up. Whoever comes meanwhile (another thread, or a
/// container that itself looks something up) has none, and makes its own.
pub(crate) struct Names<'py> {
    kept: Option<Sets>,
    /// The string that was made last, and is not kept.
    made: Option<Bound<'py, PyString>>,
}

impl<'py> Names<'py> {
    /// For a call that asks about so many domains.
    pub(crate) fn lend(domains: usize) -> Self {
        let kept = (domains <= MANY).then(|| KEPT.lock().ok()?.take());
        Self {
            kept: kept.flatten(),
            made: None,
        }
    }

    pub(crate) fn get(&mut self, py: Python<'py>, name: &str) -> &Bound<'py, PyString> {
        let sets = self.kept.as_mut().filter(|_| name.len() <= LONGEST);
        match sets.and_then(|sets| sets.get_mut(set_of(name))) {
            Some(set) => kept_in(set, py, name, &mut self.made),
            None => self.made.insert(PyString::new(py, name)),
        }
    }
}

fn kept_in<'a, 'py>(
    set: &'a mut Set,
    py: Python<'py>,
    name: &str,
    made: &'a mut Option<Bound<'py, PyString>>,
) -> &'a Bound<'py, PyString> {
    let is_name = |kept: &Option<PyBackedStr>| kept.as_ref().is_some_and(|kept| **kept == *name);
    let place = set.iter().position(is_name);
    let place = place.unwrap_or_else(|| make(set, py, name));
    match set.get(place) {
        Some(Some(kept)) => kept.as_py_str().bind(py),
        _ => made.insert(PyString::new(py, name)),
    }
}

/// Makes a string, and keeps it in the first place instead of the one that was made longest ago.
#[cold]
fn make(set: &mut Set, py: Python<'_>, name: &str) -> usize {
    set.rotate_right(1);
    if let Some(first) = set.first_mut() {
        *first = PyBackedStr::try_from(PyString::new(py, name)).ok();
    }
    0
}

impl Drop for Names<'_> {
    fn drop(&mut self) {
        let Some(sets) = self.kept.take() else {
            return;
        };
        if let Ok(mut kept) = KEPT.lock() {
            *kept = Some(sets);
        }
    }
}

/// The set in which a name is kept. Who makes names share one makes his own calls slower by what is saved otherwise.
fn set_of(name: &str) -> usize {
    FixedState::default().hash_one(name) as usize % SETS
}
