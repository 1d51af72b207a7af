//! Python's strings of the domains that were asked about lately.
//!
//! A sender's mails name the same few hosts one after the other. The strings of these, which keep their hashes, need
//! not be made anew for each call: that is most of what it costs to look a domain up in a `set`.

use std::hash::BuildHasher;
use std::sync::{LazyLock, Mutex};

use foldhash::fast::FixedState;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

/// So many pairs of strings are kept at most, of so many bytes each: some 40 kB in the whole process.
const PAIRS: usize = 128;
const LONGEST: usize = 64;

/// A call that asks about more domains than this keeps none: it would take the place of everybody else's.
const MANY: usize = 64;

/// One pair for each of what [`pair_of`] gives: the names with this number that were made last.
type Pairs = Box<[[Option<PyBackedStr>; 2]; PAIRS]>;

/// None while somebody has them. The lock is held for a moment only, and never while Python's code runs.
static KEPT: LazyLock<Mutex<Option<Pairs>>> =
    LazyLock::new(|| Mutex::new(Some(Box::new([const { [None, None] }; PAIRS]))));

/// The kept strings, for as long as one call looks its domains up. Whoever comes meanwhile (another thread, or a
/// container that itself looks something up) has none, and makes its own.
pub(crate) struct Names(Option<Pairs>);

impl Names {
    /// For a call that asks about so many domains.
    pub(crate) fn lend(domains: usize) -> Self {
        if domains > MANY {
            return Self(None);
        }
        Self(KEPT.lock().ok().and_then(|mut kept| kept.take()))
    }

    pub(crate) fn get<'py>(&mut self, py: Python<'py>, name: &str) -> Bound<'py, PyString> {
        let pairs = self.0.as_mut().filter(|_| name.len() <= LONGEST);
        let pair = pairs.and_then(|pairs| pairs.get_mut(pair_of(name)));
        let kept = pair.as_ref().and_then(|pair| {
            let mut kept = pair.iter().flatten();
            kept.find(|kept| ***kept == *name)
        });
        match kept {
            Some(kept) => kept.as_py_str().bind(py).clone(),
            None => make(py, name, pair),
        }
    }
}

/// Makes a string, and keeps it in the place of the one that was made before the last.
#[cold]
fn make<'py>(
    py: Python<'py>,
    name: &str,
    pair: Option<&mut [Option<PyBackedStr>; 2]>,
) -> Bound<'py, PyString> {
    let made = PyString::new(py, name);
    if let Some([newer, older]) = pair {
        *older = newer.take();
        *newer = PyBackedStr::try_from(made.clone()).ok();
    }
    made
}

impl Drop for Names {
    fn drop(&mut self) {
        let Some(pairs) = self.0.take() else {
            return;
        };
        if let Ok(mut kept) = KEPT.lock() {
            *kept = Some(pairs);
        }
    }
}

/// The pair in which a name is kept. Who makes names share one makes his own calls slower by what is saved otherwise.
fn pair_of(name: &str) -> usize {
    FixedState::default().hash_one(name) as usize % PAIRS
}
