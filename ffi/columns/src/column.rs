//! A column of texts or bytes, in each of the forms that Arrow has for it.

use core::ops::Range;

use crate::buffer::{Buffers, bytes_of, count, members, number, text};
use crate::error::ColumnError;
use crate::interface::{ArrowArray, ArrowSchema};

const OUT_OF_ORDER: ColumnError = ColumnError::Interface("offsets are not in order");
const NO_SUCH_VIEW: ColumnError = ColumnError::Interface("a view leads out of its buffer");

/// The form in which a column has its texts.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// All rows are null.
    Null,
    /// Offsets of 32 bits.
    Small,
    /// Offsets of 64 bits.
    Large,
    /// Views.
    Views,
    /// Row numbers of a dictionary, which is another column.
    Dictionary(Index, Box<Self>),
}

/// The type of the row numbers of a dictionary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Index {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
}

impl Index {
    const fn of(format: &[u8]) -> Option<Self> {
        match format {
            b"c" => Some(Self::I8),
            b"C" => Some(Self::U8),
            b"s" => Some(Self::I16),
            b"S" => Some(Self::U16),
            b"i" => Some(Self::I32),
            b"I" => Some(Self::U32),
            b"l" => Some(Self::I64),
            b"L" => Some(Self::U64),
            _ => None,
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 => 4,
            Self::I64 | Self::U64 => 8,
        }
    }

    /// The number at a row.
    fn read(self, buffer: &[u8], row: usize) -> Option<usize> {
        match self {
            Self::I8 => usize::try_from(i8::from_ne_bytes(number(buffer, row)?)).ok(),
            Self::U8 => Some(u8::from_ne_bytes(number(buffer, row)?).into()),
            Self::I16 => usize::try_from(i16::from_ne_bytes(number(buffer, row)?)).ok(),
            Self::U16 => Some(u16::from_ne_bytes(number(buffer, row)?).into()),
            Self::I32 => usize::try_from(i32::from_ne_bytes(number(buffer, row)?)).ok(),
            Self::U32 => usize::try_from(u32::from_ne_bytes(number(buffer, row)?)).ok(),
            Self::I64 => usize::try_from(i64::from_ne_bytes(number(buffer, row)?)).ok(),
            Self::U64 => usize::try_from(u64::from_ne_bytes(number(buffer, row)?)).ok(),
        }
    }
}

impl Form {
    /// The form of a column of texts or bytes.
    ///
    /// # Safety
    /// The schema is not released.
    pub(crate) unsafe fn of(schema: &ArrowSchema, name: &'static str) -> Result<Self, ColumnError> {
        // SAFETY: as demanded of the caller.
        let format = unsafe { text(schema.format) };
        let format = format.ok_or(ColumnError::Interface("a type is NULL"))?;
        let other = || ColumnError::Type {
            column: name,
            format: format.to_string_lossy().into_owned(),
        };
        // SAFETY: as demanded of the caller.
        if let Some(values) = unsafe { schema.dictionary.as_ref() } {
            let index = Index::of(format.to_bytes()).ok_or_else(other)?;
            if !values.dictionary.is_null() {
                return Err(other());
            }
            // SAFETY: as demanded of the caller; it has no dictionary of its own.
            let values = unsafe { Self::of(values, name) }?;
            return Ok(Self::Dictionary(index, Box::new(values)));
        }
        match format.to_bytes() {
            b"n" => Ok(Self::Null),
            b"z" | b"u" => Ok(Self::Small),
            b"Z" | b"U" => Ok(Self::Large),
            b"vz" | b"vu" => Ok(Self::Views),
            _ => Err(other()),
        }
    }
}

/// The validity bitmap of a column: which rows are null.
#[derive(Clone, Copy)]
pub(crate) struct Validity<'a>(Option<&'a [u8]>);

impl<'a> Validity<'a> {
    pub(crate) fn new(buffers: Buffers<'a>, end: usize) -> Result<Self, ColumnError> {
        buffers.find(0, end.div_ceil(8)).map(Self)
    }

    /// Returns whether a row is not null. Rows count from the beginning of the buffer.
    pub(crate) fn of(self, row: usize) -> bool {
        let Some(bits) = self.0 else {
            return true;
        };
        bits.get(row / 8)
            .is_some_and(|bits| bits >> (row % 8) & 1 == 1)
    }
}

/// The rows of an array: those between its offset and its end.
pub(crate) fn rows(array: &ArrowArray) -> Result<Range<usize>, ColumnError> {
    let (begin, length) = (count(array.offset)?, count(array.length)?);
    let end = begin.checked_add(length);
    let end = end.ok_or(ColumnError::Interface(
        "an array has more rows than the memory",
    ))?;
    Ok(begin..end)
}

/// A column that a producer lends.
pub(crate) struct Column<'a> {
    validity: Validity<'a>,
    /// The rows of the column, counted from the beginning of its buffers.
    rows: Range<usize>,
    data: Data<'a>,
}

enum Data<'a> {
    Null,
    Small {
        offsets: &'a [u8],
        data: &'a [u8],
    },
    Large {
        offsets: &'a [u8],
        data: &'a [u8],
    },
    Views {
        views: &'a [u8],
        data: Vec<&'a [u8]>,
    },
    Dictionary(Index, &'a [u8], Box<Column<'a>>),
}

impl<'a> Column<'a> {
    /// # Safety
    /// The array has that form, is not released, and outlives the result.
    pub(crate) unsafe fn new(form: &Form, array: &'a ArrowArray) -> Result<Self, ColumnError> {
        let rows = rows(array)?;
        // SAFETY: as demanded of the caller.
        let buffers = unsafe { Buffers::new(array) }?;
        if matches!(form, Form::Null) {
            return Ok(Self {
                validity: Validity(None),
                rows,
                data: Data::Null,
            });
        }
        // An array without rows need not have buffers, even if its offset is not 0.
        let (end, offsets_end) = match rows.is_empty() {
            true => (0, 0),
            false => (rows.end, rows.end.saturating_add(1)),
        };
        let validity = Validity::new(buffers, end)?;
        let data = match form {
            Form::Null => Data::Null,
            Form::Small => {
                let offsets = buffers.get(1, bytes_of(offsets_end, 4)?)?;
                let last = number(offsets, rows.end).map(i32::from_ne_bytes);
                Data::Small {
                    offsets,
                    data: buffers.get(2, count(last.unwrap_or(0).into())?)?,
                }
            }
            Form::Large => {
                let offsets = buffers.get(1, bytes_of(offsets_end, 8)?)?;
                let last = number(offsets, rows.end).map(i64::from_ne_bytes);
                Data::Large {
                    offsets,
                    data: buffers.get(2, bytes_of(count(last.unwrap_or(0))?, 1)?)?,
                }
            }
            Form::Views => {
                let views = buffers.get(1, bytes_of(end, 16)?)?;
                // The data buffers are between the views and the last buffer, which has their lengths.
                let last = buffers.len().checked_sub(1).filter(|last| *last >= 2);
                let last = last.ok_or(ColumnError::Interface("an array has too few buffers"))?;
                let lengths = buffers.get(last, bytes_of(last.saturating_sub(2), 8)?)?;
                let data = (2..last).map(|at| {
                    let length = number(lengths, at.saturating_sub(2)).map(i64::from_ne_bytes);
                    buffers.get(at, bytes_of(count(length.unwrap_or(0))?, 1)?)
                });
                Data::Views {
                    views,
                    data: data.collect::<Result<_, _>>()?,
                }
            }
            Form::Dictionary(index, values) => {
                let indices = buffers.get(1, bytes_of(end, index.size())?)?;
                // SAFETY: as demanded of the caller.
                let dictionary = unsafe { array.dictionary.as_ref() };
                let missing = ColumnError::Interface("the pointer to a dictionary is NULL");
                // SAFETY: as demanded of the caller.
                let values = unsafe { Column::new(values, dictionary.ok_or(missing)?) }?;
                Data::Dictionary(*index, indices, Box::new(values))
            }
        };
        Ok(Self {
            validity,
            rows,
            data,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The bytes of a row. Rows count from 0. `None` if the row is null.
    pub(crate) fn get(&self, row: usize) -> Result<Option<&'a [u8]>, ColumnError> {
        let at = self.rows.start.checked_add(row);
        let at = at.filter(|at| self.rows.contains(at));
        let at = at.ok_or(ColumnError::Interface("a column has too few rows"))?;
        if !self.validity.of(at) {
            return Ok(None);
        }
        let bytes = match &self.data {
            Data::Null => return Ok(None),
            Data::Small { offsets, data } => {
                let offset = |at| number(offsets, at).map(i32::from_ne_bytes).map(i64::from);
                part(data, offset(at), offset(at.saturating_add(1)))
            }
            Data::Large { offsets, data } => {
                let offset = |at| number(offsets, at).map(i64::from_ne_bytes);
                part(data, offset(at), offset(at.saturating_add(1)))
            }
            Data::Views { views, data } => view(number(views, at), views, at, data),
            Data::Dictionary(index, indices, values) => {
                let row = index.read(indices, at);
                let row = row.filter(|row| *row < values.len());
                let row =
                    row.ok_or(ColumnError::Interface("a number leads out of a dictionary"))?;
                return values.get(row);
            }
        };
        bytes.map(Some)
    }
}

/// The part of the data between two offsets.
fn part(data: &[u8], begin: Option<i64>, end: Option<i64>) -> Result<&[u8], ColumnError> {
    let (begin, end) = begin.zip(end).ok_or(OUT_OF_ORDER)?;
    data.get(count(begin)?..count(end)?).ok_or(OUT_OF_ORDER)
}

/// The bytes of a view. Up to 12 bytes are in the view itself. More are in a data buffer.
fn view<'a>(
    view: Option<[u8; 16]>,
    views: &'a [u8],
    at: usize,
    data: &[&'a [u8]],
) -> Result<&'a [u8], ColumnError> {
    let [l0, l1, l2, l3, _, _, _, _, b0, b1, b2, b3, o0, o1, o2, o3] = view.ok_or(NO_SUCH_VIEW)?;
    let read = |bytes| count(i32::from_ne_bytes(bytes).into());
    let length = read([l0, l1, l2, l3])?;
    let within = |begin: usize| begin..begin.saturating_add(length);
    if length <= 12 {
        let begin = at.saturating_mul(16).saturating_add(4);
        return views.get(within(begin)).ok_or(NO_SUCH_VIEW);
    }
    let (buffer, offset) = (read([b0, b1, b2, b3])?, read([o0, o1, o2, o3])?);
    let buffer = data.get(buffer).ok_or(NO_SUCH_VIEW)?;
    buffer.get(within(offset)).ok_or(NO_SUCH_VIEW)
}

/// The children of an array.
///
/// # Safety
/// As [`members`].
pub(crate) unsafe fn children(array: &ArrowArray) -> Result<Vec<&ArrowArray>, ColumnError> {
    // SAFETY: as demanded of the caller.
    unsafe { members(array.children, array.n_children) }
}
