//! Reads the column of texts from streams of batches. A batch is either that column itself, or has a column of that name.

use core::ops::Range;

use crate::buffer::{Buffers, count, members, text};
use crate::column::{self, Column, Form, Validity};
use crate::error::ColumnError;
use crate::interface::{ArrowArray, ArrowArrayStream, ArrowSchema, Owned};

const OPERATION: &str = "operation";

/// Which columns are read.
#[derive(Clone, Copy)]
pub(crate) struct Names {
    /// The column of texts.
    pub(crate) text: &'static str,
    /// Whether there is a column of operations.
    pub(crate) has_operations: bool,
}

/// A function that returns the next stream, and `None` after the last one.
pub type Streams = Box<dyn FnMut() -> Result<Option<Owned<ArrowArrayStream>>, ColumnError> + Send>;

/// The batches of all streams.
pub(crate) struct Input {
    streams: Streams,
    /// The stream that is being read.
    current: Option<Open>,
    names: Names,
}

/// A stream whose type is known.
struct Open {
    stream: Owned<ArrowArrayStream>,
    shape: Shape,
}

/// The place of the texts in a batch.
enum Shape {
    /// The batch is the column of texts.
    Column(Form),
    /// The batch has columns, each with its position.
    Columns {
        text: (usize, Form),
        operation: Option<(usize, Form)>,
    },
}

impl Input {
    /// Opens the first stream.
    ///
    /// # Safety
    /// Each stream follows the interface. So do the schemas and the arrays that it returns.
    pub(crate) unsafe fn new(mut streams: Streams, names: Names) -> Result<Self, ColumnError> {
        let first = streams()?;
        // SAFETY: as demanded of the caller.
        let first = first.map(|first| unsafe { Open::new(first, names) });
        Ok(Self {
            streams,
            current: first.transpose()?,
            names,
        })
    }

    /// Calls `read` with the rows of the next batch. Returns `None` after the last one.
    pub(crate) fn next<T>(
        &mut self,
        read: impl FnOnce(&Rows<'_>) -> Result<T, ColumnError>,
    ) -> Result<Option<T>, ColumnError> {
        while let Some(open) = &mut self.current {
            if let Some(batch) = open.next()? {
                // SAFETY: as demanded of the caller of `Input::new`.
                let rows = unsafe { Rows::new(&open.shape, batch.get()) }?;
                return read(&rows).map(Some);
            }
            self.current = None;
            let next = (self.streams)()?;
            // SAFETY: as demanded of the caller of `Input::new`.
            let next = next.map(|next| unsafe { Open::new(next, self.names) });
            self.current = next.transpose()?;
        }
        Ok(None)
    }
}

impl Open {
    /// # Safety
    /// The stream follows the interface. So do the schemas and the arrays that it returns.
    unsafe fn new(mut stream: Owned<ArrowArrayStream>, names: Names) -> Result<Self, ColumnError> {
        let mut schema = Owned::<ArrowSchema>::EMPTY;
        let get_schema = stream.get().get_schema.filter(|_| !stream.is_released());
        let get_schema = get_schema.ok_or(ColumnError::Interface("the stream is released"))?;
        // SAFETY: as demanded of the caller.
        let status = unsafe { get_schema(stream.as_ptr(), schema.as_ptr()) };
        if status != 0 {
            return Err(failed(&mut stream, status));
        }
        if schema.is_released() {
            return Err(ColumnError::Interface("the stream has no schema"));
        }
        // SAFETY: as demanded of the caller.
        let shape = unsafe { Shape::of(schema.get(), names) }?;
        Ok(Self { stream, shape })
    }

    /// The next batch. `None` after the last one.
    fn next(&mut self) -> Result<Option<Owned<ArrowArray>>, ColumnError> {
        let get_next = self.stream.get().get_next;
        let get_next = get_next.ok_or(ColumnError::Interface("the stream is released"))?;
        let mut batch = Owned::EMPTY;
        // SAFETY: as demanded of the caller of `Input::new`.
        let status = unsafe { get_next(self.stream.as_ptr(), batch.as_ptr()) };
        match status {
            0 => Ok(Some(batch).filter(|batch| !batch.is_released())),
            _ => Err(failed(&mut self.stream, status)),
        }
    }
}

/// The error of a failed producer, in its own words if it gives any.
fn failed(stream: &mut Owned<ArrowArrayStream>, status: i32) -> ColumnError {
    let get_last_error = stream.get().get_last_error;
    // SAFETY: as demanded of the caller of `Input::new`. The function is called after a failure, as the interface demands.
    let said = get_last_error.map(|get| unsafe { get(stream.as_ptr()) });
    // SAFETY: the result is NULL or a text that lives until the next call of a function of the stream.
    let said = said.and_then(|said| unsafe { text(said) });
    ColumnError::Stream(match said {
        Some(said) => said.to_string_lossy().into_owned(),
        None => format!("status {status}"),
    })
}

impl Shape {
    /// # Safety
    /// The schema is not released.
    unsafe fn of(schema: &ArrowSchema, names: Names) -> Result<Self, ColumnError> {
        // SAFETY: as demanded of the caller.
        let format = unsafe { text(schema.format) };
        let format = format.ok_or(ColumnError::Interface("a type is NULL"))?;
        if format.to_bytes() != b"+s" {
            if names.has_operations {
                return Err(ColumnError::Missing(OPERATION));
            }
            // SAFETY: as demanded of the caller.
            return unsafe { Form::of(schema, names.text) }.map(Self::Column);
        }
        // SAFETY: as demanded of the caller.
        let columns = unsafe { members(schema.children, schema.n_children) }?;
        let find = |name: &'static str| {
            let mut found = columns.iter().enumerate().filter(|(_, column)| {
                // SAFETY: as demanded of the caller.
                let own = unsafe { text(column.name) };
                own.is_some_and(|own| own.to_bytes() == name.as_bytes())
            });
            match (found.next(), found.next()) {
                (None, _) => Err(ColumnError::Missing(name)),
                (Some(_), Some(_)) => Err(ColumnError::Repeated(name)),
                // SAFETY: as demanded of the caller.
                (Some((at, column)), None) => Ok((at, unsafe { Form::of(column, name) }?)),
            }
        };
        Ok(Self::Columns {
            text: find(names.text)?,
            operation: names.has_operations.then(|| find(OPERATION)).transpose()?,
        })
    }
}

/// The rows of a batch.
pub(crate) struct Rows<'a> {
    /// The validity of the rows of the batch as a whole.
    validity: Option<Validity<'a>>,
    /// The rows of the batch, counted from the beginning of its columns.
    rows: Range<usize>,
    text: Column<'a>,
    operation: Option<Column<'a>>,
}

impl<'a> Rows<'a> {
    /// # Safety
    /// The batch has that shape, and is not released.
    unsafe fn new(shape: &Shape, batch: &'a ArrowArray) -> Result<Self, ColumnError> {
        let (text, operation) = match shape {
            Shape::Column(form) => {
                // SAFETY: as demanded of the caller.
                let text = unsafe { Column::new(form, batch) }?;
                return Ok(Self {
                    validity: None,
                    rows: 0..text.len(),
                    text,
                    operation: None,
                });
            }
            Shape::Columns { text, operation } => (text, operation),
        };
        // SAFETY: as demanded of the caller.
        let columns = unsafe { column::children(batch) }?;
        let find = |(at, form): &(usize, Form)| {
            let missing = ColumnError::Interface("a batch has too few columns");
            let column: &'a ArrowArray = columns.get(*at).copied().ok_or(missing)?;
            // SAFETY: as demanded of the caller.
            unsafe { Column::new(form, column) }
        };
        let rows = column::rows(batch)?;
        // SAFETY: as demanded of the caller.
        let buffers = unsafe { Buffers::new(batch) }?;
        let validity = match count(batch.n_buffers)? {
            0 => None,
            _ => Some(Validity::new(buffers, rows.end)?),
        };
        Ok(Self {
            validity,
            rows,
            text: find(text)?,
            operation: operation.as_ref().map(find).transpose()?,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The text of a row, and the name of its operation if there is a column of operations. Rows count from 0. Returns
    /// `None` if one of the two is null.
    pub(crate) fn get(&self, row: usize) -> Result<Option<Row<'a>>, ColumnError> {
        let at = self.rows.start.saturating_add(row);
        if self.validity.is_some_and(|validity| !validity.of(at)) {
            return Ok(None);
        }
        let Some(text) = self.text.get(at)? else {
            return Ok(None);
        };
        let operation = match &self.operation {
            None => None,
            Some(operation) => match operation.get(at)? {
                None => return Ok(None),
                known => known,
            },
        };
        Ok(Some(Row { text, operation }))
    }
}

/// A row of a batch.
pub(crate) struct Row<'a> {
    pub(crate) text: &'a [u8],
    /// The name of its operation, if there is a column of operations.
    pub(crate) operation: Option<&'a [u8]>,
}
