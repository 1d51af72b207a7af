//! Sequences of rows, of which there may be millions. A few rows are a tuple. Of many rows, each is made on demand.

use std::sync::{Arc, Mutex, OnceLock};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyInt, PySlice, PyTuple};
use smallvec::SmallVec;

use crate::classes;
use crate::guard::{LONG, guard, run};

/// Up to this number of rows are a tuple. More rows are [`Rows`].
const FEW: usize = 64;

/// The owner of the data that rows borrow. It is shared and does not change.
pub(crate) trait Owner: Send + Sync + 'static {
    /// The number of bytes that have to be read to make all rows.
    fn len(&self) -> usize;
}

/// A row of the library, which borrows from its owner.
pub(crate) trait Lent: 'static {
    /// The row, for as long as its owner is borrowed.
    type Row<'a>: Send + Sync;
}

/// One kind of rows of an owner.
pub(crate) trait Kind: Copy + Send + Sync + 'static {
    /// The owner of the rows.
    type Owner: Owner;
    /// The type of a row.
    type Lent: Lent;
    /// The name of the rows, for `repr`.
    const NAME: &'static str;

    /// The rows, in order.
    fn rows<'a>(
        self,
        owner: &'a Self::Owner,
    ) -> impl Iterator<Item = <Self::Lent as Lent>::Row<'a>> + Send + use<'a, Self>;

    /// Makes the Python object of a row.
    fn to_py<'py>(
        py: Python<'py>,
        row: Held<Self::Lent>,
        owner: &Arc<Self::Owner>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// A row together with its owner, so that its texts can be made on demand.
pub(crate) struct Held<L: Lent> {
    /// Members are dropped in the order of their declaration, so the row is dropped before its owner.
    row: L::Row<'static>,
    _owner: Arc<dyn Send + Sync>,
}

impl<L: Lent> Held<L> {
    fn new<O: Owner>(row: L::Row<'static>, owner: &Arc<O>) -> Self {
        let owner: Arc<O> = Arc::clone(owner);
        Self { row, _owner: owner }
    }

    /// One row of an owner.
    pub(crate) fn find<O: Owner>(
        owner: &Arc<O>,
        find: impl for<'a> FnOnce(&'a O) -> Option<L::Row<'a>>,
    ) -> Option<Self> {
        Some(Self::new(find(lend(owner))?, owner))
    }

    /// Reads the row. The result cannot borrow from it.
    pub(crate) fn read<T>(&self, read: impl for<'a> FnOnce(&L::Row<'a>) -> T) -> T {
        read(&self.row)
    }

    /// As [`Held::read`], guarded against panics.
    pub(crate) fn guarded<T>(
        &self,
        py: Python<'_>,
        look: impl for<'a> FnOnce(&L::Row<'a>) -> T,
    ) -> PyResult<T> {
        guard(py, || self.read(look))
    }
}

/// Borrows from an owner for longer than the borrow checker can verify. Only this file calls it, and keeps the owner beside
/// everything that is made from the loan: in [`Held`], in [`Making`], or on the stack.
fn lend<O: Owner>(owner: &Arc<O>) -> &'static O {
    // SAFETY: the owner does not move or change as long as there is an `Arc` of it: `Arc::make_mut` clones it while it is
    // shared. `find` and `Kind::rows` are generic over the lifetime, so borrowed data can leave them only in their results,
    // and `Held::read` does not return borrowed data.
    unsafe { &*Arc::as_ptr(owner) }
}

/// Rows as Python sees them: a tuple, or [`Rows`] if there are many.
pub(crate) fn rows<'py, K: Kind>(
    py: Python<'py>,
    kind: K,
    owner: &Arc<K::Owner>,
) -> PyResult<Bound<'py, PyAny>> {
    // Rows are large, so each is written once, directly into its object. Only the rows of a long body are collected first,
    // while other threads run.
    let few = if owner.len() <= LONG {
        guard(py, || few(py, kind.rows(lend(owner)), kind, owner))??
    } else {
        let found: Vec<_> = run(py, owner.len(), || {
            kind.rows(lend(owner)).take(FEW + 1).collect()
        })?;
        few(py, found.into_iter(), kind, owner)?
    };
    if let Some(few) = few {
        return Ok(PyTuple::new(py, few)?.into_any());
    }
    let source = Many {
        kind,
        owner: Arc::clone(owner),
    };
    Ok(Bound::new(py, Rows::new(source))?.into_any())
}

/// The objects of the rows of an owner; `None` if there are more than [`FEW`].
fn few<'py, K: Kind>(
    py: Python<'py>,
    mut rows: impl Iterator<Item = <K::Lent as Lent>::Row<'static>>,
    _kind: K,
    owner: &Arc<K::Owner>,
) -> PyResult<Option<SmallVec<[Bound<'py, PyAny>; 2]>>> {
    let mut made = SmallVec::new();
    for row in rows.by_ref().take(FEW) {
        made.push(K::to_py(py, Held::new(row, owner), owner)?);
    }
    Ok(rows.next().is_none().then_some(made))
}

/// A `collections.abc.Sequence` of more than 64 rows. There may be a million.
///
/// Iterating makes new row objects and keeps none of them. Indexing keeps the rows up to the index, so that the next row is
/// found at once. A slice is a tuple.
#[pyclass(frozen, sequence, module = "franking")]
pub(crate) struct Rows {
    source: Box<dyn Source>,
    kept: Mutex<Kept>,
    length: OnceLock<usize>,
}

/// The rows up to the highest index that was asked for.
struct Kept {
    rows: Vec<Py<PyAny>>,
    /// Makes the other rows; `None` if there are no others, or after a fault.
    others: Option<Box<dyn Make>>,
}

/// Many rows of a kind.
struct Many<K: Kind> {
    kind: K,
    owner: Arc<K::Owner>,
}

/// [`Many`] of any kind.
trait Source: Send + Sync {
    fn name(&self) -> &'static str;
    fn begin(&self) -> Box<dyn Make>;
    fn count(&self, py: Python<'_>) -> PyResult<usize>;
}

impl<K: Kind> Source for Many<K> {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn begin(&self) -> Box<dyn Make> {
        Box::new(Making::<K> {
            rows: Box::new(self.kind.rows(lend(&self.owner))),
            owner: Arc::clone(&self.owner),
        })
    }

    fn count(&self, py: Python<'_>) -> PyResult<usize> {
        run(py, self.owner.len(), || self.kind.rows(&self.owner).count())
    }
}

type Live<K> = Box<dyn Iterator<Item = <<K as Kind>::Lent as Lent>::Row<'static>> + Send>;

/// Rows that are being made, and their owner, which is dropped after them.
struct Making<K: Kind> {
    rows: Live<K>,
    owner: Arc<K::Owner>,
}

/// [`Making`] of any kind.
trait Make: Send {
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>>;
}

impl<K: Kind> Make for Making<K> {
    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(row) = guard(py, || self.rows.next())? else {
            return Ok(None);
        };
        K::to_py(py, Held::new(row, &self.owner), &self.owner).map(Some)
    }
}

impl Rows {
    fn new<K: Kind>(source: Many<K>) -> Self {
        let kept = Kept {
            rows: Vec::new(),
            others: Some(source.begin()),
        };
        Self {
            source: Box::new(source),
            kept: Mutex::new(kept),
            length: OnceLock::new(),
        }
    }

    /// Reads the rows up to an index, or all rows if there are fewer.
    fn up_to<T>(
        &self,
        py: Python<'_>,
        index: usize,
        look: impl FnOnce(&[Py<PyAny>]) -> T,
    ) -> PyResult<T> {
        let mut kept = self
            .kept
            .lock_py_attached(py)
            .map_err(|_| classes::internal_error(py))?;
        while kept.rows.len() <= index
            && let Some(mut others) = kept.others.take()
            // After a fault there are no other rows.
            && let Some(row) = others.next(py)?
        {
            kept.rows.push(row.unbind());
            kept.others = Some(others);
        }
        Ok(look(&kept.rows))
    }

    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.up_to(py, usize::MAX, |rows| PyTuple::new(py, rows))?
    }
}

#[pymethods]
impl Rows {
    fn __iter__(&self) -> RowsIterator {
        RowsIterator {
            making: Mutex::new(Some(self.source.begin())),
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        if let Some(length) = self.length.get() {
            return Ok(*length);
        }
        let length = self.source.count(py)?;
        Ok(*self.length.get_or_init(|| length))
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return self.all(py)?.into_any().get_item(index);
        }
        let Ok(index) = index.cast::<PyInt>() else {
            return Err(PyTypeError::new_err("rows are taken by an int or a slice"));
        };
        let index = match index.extract::<isize>() {
            Ok(index) if index < 0 => self.__len__(py)?.checked_add_signed(index),
            Ok(index) => usize::try_from(index).ok(),
            Err(_) => None,
        };
        let row = index.map(|index| {
            self.up_to(py, index, |rows| {
                rows.get(index).map(|row| row.clone_ref(py))
            })
        });
        let row = row.transpose()?.flatten();
        row.map(|row| row.into_bound(py))
            .ok_or_else(|| PyIndexError::new_err("there are not as many rows"))
    }

    /// The position of a row.
    ///
    /// Args:
    ///     row: The row to compare with.
    ///     start: The position to start at, as in a slice.
    ///     stop: The position to stop before, as in a slice.
    ///
    /// Returns:
    ///     The position of the first row that is equal.
    ///
    /// Raises:
    ///     ValueError: No row is equal.
    #[pyo3(signature = (row, start = 0, stop = isize::MAX, /))]
    fn index<'py>(
        &self,
        py: Python<'py>,
        row: &Bound<'py, PyAny>,
        start: isize,
        stop: isize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.all(py)?.call_method1("index", (row, start, stop))
    }

    /// The number of times that a row occurs.
    ///
    /// Args:
    ///     row: The row to compare with.
    ///
    /// Returns:
    ///     The number of rows that are equal.
    #[pyo3(signature = (row, /))]
    fn count<'py>(&self, py: Python<'py>, row: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.all(py)?.call_method1("count", (row,))
    }

    fn __repr__(&self) -> String {
        format!("<Rows of {}>", self.source.name())
    }
}

/// An iterator over [`Rows`].
#[pyclass(frozen, module = "franking")]
pub(crate) struct RowsIterator {
    /// `None` after the end, or after a fault.
    making: Mutex<Option<Box<dyn Make>>>,
}

#[pymethods]
impl RowsIterator {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut slot = self
            .making
            .lock_py_attached(py)
            .map_err(|_| classes::internal_error(py))?;
        // After a fault the slot stays empty, so that a broken iterator is not used again.
        let Some(mut making) = slot.take() else {
            return Ok(None);
        };
        let row = making.next(py)?;
        if row.is_some() {
            *slot = Some(making);
        }
        Ok(row)
    }
}

/// Implements comparison and hashing of a class by the values of its rows.
macro_rules! by_value {
    ($class:ty, |$row:ident| $said:expr) => {
        impl PartialEq for $class {
            fn eq(&self, other: &Self) -> bool {
                let said = |class: &Self| class.0.read(|$row| $said);
                said(self) == said(other)
            }
        }

        impl std::hash::Hash for $class {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.0.read(|$row| $said).hash(state);
            }
        }
    };
}
pub(crate) use by_value;

/// Declares one kind of rows: its name, its name in `repr`, the class of a row, and the rows of an owner.
macro_rules! kind {
    ($kind:ident, $shown:literal, $class:ident, |$owner:ident: $owned:ty| $rows:expr) => {
        #[derive(Clone, Copy)]
        struct $kind;

        impl $crate::rows::Kind for $kind {
            type Owner = $owned;
            type Lent = $class;
            const NAME: &'static str = $shown;

            fn rows<'a>(
                self,
                $owner: &'a $owned,
            ) -> impl Iterator<Item = <$class as $crate::rows::Lent>::Row<'a>> + Send + use<'a>
            {
                $rows
            }

            fn to_py<'py>(
                py: Python<'py>,
                row: $crate::rows::Held<$class>,
                _owner: &Arc<$owned>,
            ) -> PyResult<Bound<'py, PyAny>> {
                $class(row).into_bound_py_any(py)
            }
        }
    };
}
pub(crate) use kind;
