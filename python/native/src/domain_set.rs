//! The class `DomainSet`: a set of domains in memory.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use franking::domain;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::classes;
use crate::guard::guard;
use crate::text::{no_domain, text_of};

/// A set of domains, given in any spelling, that also finds subdomains of its entries. It never changes.
///
/// Each entry takes about ten bytes in addition to its text. A look-up does not allocate.
///
/// Args:
///     entries: Any iterable of domains.
///
/// Raises:
///     InvalidError: An entry is not a domain; the message says which.
///     TypeError: An entry is not a str.
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

#[pymethods]
impl DomainSet {
    #[new]
    #[pyo3(signature = (entries = None, /))]
    fn new(py: Python<'_>, entries: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut inner = franking::DomainSet::new();
        let entries = entries.map(|entries| entries.try_iter()).transpose()?;
        for (index, entry) in entries.into_iter().flatten().enumerate() {
            let entry = entry?;
            let entry = entry.cast::<PyString>()?.to_string_lossy();
            if let Err(error) = guard(py, || inner.insert(&entry))? {
                let message = format!("entry {index} of the set, counted from 0: {error}");
                return Err(classes::invalid_error(py, &message));
            }
        }
        Ok(Self {
            inner: Arc::new(inner),
        })
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
        other.cast::<Self>().is_ok_and(|other| {
            let other = &other.get().inner;
            other.len() == self.inner.len() && self.inner.iter().all(|entry| other.contains(entry))
        })
    }

    fn __hash__(&self) -> u64 {
        let of_entry = |entry: &str| {
            let mut hasher = DefaultHasher::new();
            entry.hash(&mut hasher);
            hasher.finish()
        };
        self.inner
            .iter()
            .map(of_entry)
            .fold(0, |all, one| all ^ one)
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
