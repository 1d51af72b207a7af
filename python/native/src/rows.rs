//! What there may be a million of. A few rows are a tuple; of many, each is made as Python asks for it.

use std::sync::{Arc, Mutex, OnceLock};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyInt, PySlice, PyTuple};
use smallvec::SmallVec;

use crate::classes;
use crate::guard::{LONG, guard, run};

/// As many rows as this are a tuple. More are [`Rows`].
const FEW: usize = 64;

/// What rows borrow from. It is shared and does not change.
pub(crate) trait Owner: Send + Sync + 'static {
    /// How many bytes have to be worked through.
    fn len(&self) -> usize;
}

/// A row of the library, which borrows from its owner.
pub(crate) trait Lent: 'static {
    /// The row, for as long as its owner is borrowed.
    type Row<'a>: Send + Sync;
}

/// One kind of rows of an owner.
pub(crate) trait Kind: Copy + Send + Sync + 'static {
    /// What the rows borrow from.
    type Owner: Owner;
    /// What a row is.
    type Lent: Lent;
    /// What the rows are, for `repr`.
    const NAME: &'static str;

    /// The rows, in order.
    fn rows<'a>(
        self,
        owner: &'a Self::Owner,
    ) -> impl Iterator<Item = <Self::Lent as Lent>::Row<'a>> + Send + use<'a, Self>;

    /// What Python sees of a row.
    fn to_py<'py>(
        py: Python<'py>,
        row: Held<Self::Lent>,
        owner: &Arc<Self::Owner>,
    ) -> PyResult<Bound<'py, PyAny>>;
}

/// A row together with its owner, so that its texts can be made when they are read.
pub(crate) struct Held<L: Lent> {
    /// Members are dropped in the order in which they are declared: the row before what it borrows from.
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

    /// Reads the row. What is read cannot borrow from it.
    pub(crate) fn read<T>(&self, read: impl for<'a> FnOnce(&L::Row<'a>) -> T) -> T {
        read(&self.row)
    }

    /// [`Held::read`] that does not trust that nothing panics.
    pub(crate) fn guarded<T>(
        &self,
        py: Python<'_>,
        look: impl for<'a> FnOnce(&L::Row<'a>) -> T,
    ) -> PyResult<T> {
        guard(py, || self.read(look))
    }
}

/// Borrows from an owner for longer than the borrow checker can see. Only this file calls it, and keeps the owner beside
/// whatever is made of the loan: in [`Held`], in [`Making`], or on the stack.
fn lend<O: Owner>(owner: &Arc<O>) -> &'static O {
    // SAFETY: the owner stays where it is, and is not changed, as long as there is an `Arc` of it: `Arc::make_mut` makes
    // another one while it is shared. `find` and `Kind::rows` are written for any lifetime, so what they make of the loan
    // can leave them only as what they return, and `Held::read` lets nothing borrowed out.
    unsafe { &*Arc::as_ptr(owner) }
}

/// Rows as Python sees them: a tuple, or [`Rows`] if there are many.
pub(crate) fn rows<'py, K: Kind>(
    py: Python<'py>,
    kind: K,
    owner: &Arc<K::Owner>,
) -> PyResult<Bound<'py, PyAny>> {
    // Rows are large: each is written once, into its object. Only those of a long body are found first, while other threads
    // run.
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

/// The objects of rows of the owner; `None` if they are more than a few.
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

/// A `collections.abc.Sequence` of more rows than 64: there may be a million.
///
/// Iterating makes each row anew and keeps none. An index keeps the rows up to it, so that the next one is found at once. A
/// slice is a tuple.
#[pyclass(frozen, sequence, module = "franking")]
pub(crate) struct Rows {
    source: Box<dyn Source>,
    kept: Mutex<Kept>,
    length: OnceLock<usize>,
}

/// The rows up to the highest index that was asked for.
struct Kept {
    rows: Vec<Py<PyAny>>,
    /// Makes the others; `None` when there are no others, or after a fault.
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

/// Rows that are being made, and what they borrow from, which is dropped after them.
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

    /// Looks at the rows up to an index, or at all of them if there are fewer.
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
            // After a fault there are no others.
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
    ///     row: A row that is equal.
    ///     start: Where to begin, as in a slice.
    ///     stop: Where to end, as in a slice.
    ///
    /// Returns:
    ///     The position of the first row that is equal.
    ///
    /// Raises:
    ///     ValueError: There is none.
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

    /// How often a row is there.
    ///
    /// Args:
    ///     row: A row that is equal.
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
    /// `None` when it has ended.
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
        // After a fault the slot stays empty: a broken iterator is not asked again.
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

/// Rows are equal that say the same: compares and hashes a class by what a row of it says.
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

/// Declares one kind of rows: its name, what `repr` calls it, the class that holds a row, and the rows of an owner.
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
