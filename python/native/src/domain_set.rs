//! The class `DomainSet`: a set of domains in memory.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use franking::domain;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::classes;
use crate::guard::{guard, run};
use crate::text::{no_domain, text_of};

/// A set of domains, given in any spelling, that also finds subdomains of its entries. It never changes.
///
/// Each entry takes about ten bytes in addition to its text. A look-up does not allocate. A copy of a set is the set itself.
///
/// Args:
///     entries: Any iterable of domains.
///
/// Raises:
///     InvalidError: An entry is not a domain; the message says which.
///     TypeError: An entry is not a str, or all of them are given as one str.
///
/// >>> blacklist = franking.DomainSet(["Spam.Example", "b\u00fccher.example"])
/// >>> blacklist.listed("www.spam.example")
/// 'spam.example'
/// >>> "spam.example" in blacklist, "www.spam.example" in blacklist
/// (True, False)
#[pyclass(frozen, module = "franking")]
pub(crate) struct DomainSet {
    /// Shared with the `Blacklists` that it is part of.
    pub(crate) inner: Arc<franking::DomainSet>,
}

impl DomainSet {
    fn new_of(inner: franking::DomainSet) -> Self {
        Self {
            inner: Arc::new(inner),
        }
    }

    /// An object that shares a set.
    pub(crate) fn share(set: &Arc<franking::DomainSet>) -> Self {
        Self {
            inner: Arc::clone(set),
        }
    }

    fn copy(&self, py: Python<'_>) -> PyResult<franking::DomainSet> {
        run(py, self.inner.len(), || (*self.inner).clone())
    }
}

/// Inserts the entries of an iterable.
fn insert(
    py: Python<'_>,
    set: &mut franking::DomainSet,
    entries: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if entries.is_instance_of::<PyString>() {
        // A str is iterable, and each of its letters could be a domain.
        let message =
            "the entries of a set are given as a list or another iterable, not as one str";
        return Err(PyTypeError::new_err(message));
    }
    for (index, entry) in entries.try_iter()?.enumerate() {
        let entry = entry?;
        let entry = entry.cast::<PyString>()?.to_string_lossy();
        if let Err(error) = guard(py, || set.insert(&entry))? {
            let message = format!("entry {index} of the set, counted from 0: {error}");
            return Err(classes::invalid_error(py, &message));
        }
    }
    Ok(())
}

/// Whether two sets have the same entries, in any order.
pub(crate) fn are_equal(one: &Arc<franking::DomainSet>, other: &Arc<franking::DomainSet>) -> bool {
    Arc::ptr_eq(one, other)
        || one.len() == other.len() && one.iter().all(|entry| other.contains(entry))
}

/// A hash that does not depend on the order of the entries.
pub(crate) fn hash(set: &franking::DomainSet) -> u64 {
    let of_entry = |entry: &str| {
        let mut hasher = DefaultHasher::new();
        entry.hash(&mut hasher);
        hasher.finish()
    };
    set.iter().map(of_entry).fold(0, |all, one| all ^ one)
}

#[pymethods]
impl DomainSet {
    #[new]
    #[pyo3(signature = (entries = None, /))]
    fn new(py: Python<'_>, entries: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut inner = franking::DomainSet::new();
        if let Some(entries) = entries {
            insert(py, &mut inner, entries)?;
        }
        Ok(Self::new_of(inner))
    }

    /// A set with the entries of this set and further ones, as `frozenset.union` gives it. This set does not change.
    ///
    /// It copies this set, so add many entries at a time.
    ///
    /// Args:
    ///     entries: Any iterable of domains, in any spelling. Those that are in this set already are skipped.
    ///
    /// Returns:
    ///     A new set.
    ///
    /// Raises:
    ///     InvalidError: An entry is not a domain; the message says which.
    ///     TypeError: An entry is not a str, or all of them are given as one str.
    ///
    /// >>> list(franking.DomainSet(["spam.example"]).union(["Junk.example", "SPAM.example"]))
    /// ['spam.example', 'junk.example']
    #[pyo3(signature = (entries, /))]
    fn union(&self, py: Python<'_>, entries: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut inner = self.copy(py)?;
        insert(py, &mut inner, entries)?;
        Ok(Self::new_of(inner))
    }

    /// A set with the entries of this set except some, as `frozenset.difference` gives it. This set does not change.
    ///
    /// It copies this set, so remove many entries at a time.
    ///
    /// Args:
    ///     entries: Any iterable of domains, in any spelling. Those that are not in this set are skipped.
    ///
    /// Returns:
    ///     A new set.
    ///
    /// Raises:
    ///     InvalidError: An entry is not a domain; the message says which.
    ///     TypeError: An entry is not a str, or all of them are given as one str.
    ///
    /// >>> list(franking.DomainSet(["spam.example", "junk.example"]).difference(["SPAM.example"]))
    /// ['junk.example']
    #[pyo3(signature = (entries, /))]
    fn difference(&self, py: Python<'_>, entries: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut removed = franking::DomainSet::new();
        insert(py, &mut removed, entries)?;
        let inner = run(py, self.inner.len(), || {
            let mut inner = (*self.inner).clone();
            inner.retain(|entry| !removed.contains(entry));
            inner
        })?;
        Ok(Self::new_of(inner))
    }

    /// The entry under which a domain is listed: the domain itself or its nearest parent.
    ///
    /// Args:
    ///     domain: The domain, in any spelling.
    ///
    /// Returns:
    ///     The entry; `None` if the domain is not listed.
    ///
    /// Raises:
    ///     InvalidError: The text is not a domain, so the set cannot say that it is not listed.
    #[pyo3(signature = (domain, /))]
    fn listed<'a>(
        &'a self,
        py: Python<'_>,
        domain: &Bound<'_, PyString>,
    ) -> PyResult<Option<&'a str>> {
        let domain = text_of(domain)?;
        let (listed, is_domain) = guard(py, || {
            let listed = self.inner.listed(domain);
            (
                listed,
                listed.is_some() || domain::to_ascii(domain).is_some(),
            )
        })?;
        if is_domain {
            Ok(listed)
        } else {
            Err(no_domain(py))
        }
    }

    /// Whether a domain itself is an entry, in any spelling.
    fn __contains__(&self, py: Python<'_>, domain: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(domain) = domain.cast::<PyString>() else {
            return Ok(false);
        };
        guard(py, || {
            domain
                .to_str()
                .is_ok_and(|domain| self.inner.contains(domain))
        })
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The entries in lower-case ASCII form, in the order in which they were given.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.inner.iter().collect::<Vec<_>>())?.call_method0("__iter__")
    }

    /// Two sets are equal if they have the same entries, in any order.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| are_equal(&self.inner, &other.get().inner))
    }

    fn __hash__(&self) -> u64 {
        hash(&self.inner)
    }

    fn __repr__(&self) -> String {
        match self.inner.len() {
            1 => "<DomainSet of 1 entry>".to_owned(),
            entries => format!("<DomainSet of {entries} entries>"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let entries = PyList::new(py, self.inner.iter().collect::<Vec<_>>())?;
        let class = py.get_type::<Self>().into_any();
        PyTuple::new(py, [class, PyTuple::new(py, [entries])?.into_any()])
    }
}
