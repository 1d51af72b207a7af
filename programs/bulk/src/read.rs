//! Reads files of calls. A file is cut into pieces, and each thread reads a piece batch by batch.

mod arrow;
mod delimited;
mod json_lines;
mod parquet;

use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Int64Array};
use arrow_schema::{DataType, Field, FieldRef, Schema};

use crate::error::BulkError;
use crate::files::{CallFile, Format};

/// The columns to read, and the size of a batch.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The column of calls.
    pub(crate) calls: String,
    /// The column of operations, if each call has its own.
    pub(crate) operations: Option<String>,
    /// The columns to write next to the findings.
    pub(crate) carried: Vec<String>,
    /// Whether each line of JSON lines is a call.
    pub(crate) whole_lines: bool,
    /// The length in bytes at which a batch ends. The call that reaches it is the last one of the batch.
    pub(crate) batch_bytes: usize,
}

impl Wanted {
    /// The most calls in a batch.
    const BATCH_ROWS: usize = 8192;
}

/// A batch of calls.
#[derive(Debug)]
pub(crate) struct Calls {
    /// The number of each call in its file, from 0.
    pub(crate) rows: Int64Array,
    /// The calls: text or binary, in any layout.
    pub(crate) calls: ArrayRef,
    pub(crate) operations: Option<ArrayRef>,
    pub(crate) carried: Vec<ArrayRef>,
}

impl Calls {
    /// The number of the first call; 0 if there is none.
    pub(crate) fn first_row(&self) -> i64 {
        self.rows.values().first().copied().unwrap_or(0)
    }
}

/// The numbers of consecutive calls.
fn numbers(first: i64, count: usize) -> Int64Array {
    (first..).take(count).collect()
}

type Batches = Box<dyn Iterator<Item = Result<Calls, BulkError>>>;

/// A part of a file that a thread reads.
pub(crate) enum Piece {
    RowGroup(parquet::RowGroup),
    Lines(json_lines::Lines),
    Calls(Calls),
}

impl Piece {
    pub(crate) fn batches(self, wanted: &Arc<Wanted>) -> Batches {
        match self {
            Self::RowGroup(group) => group.batches(wanted),
            Self::Lines(lines) => Box::new(core::iter::once(lines.calls(wanted))),
            Self::Calls(calls) => Box::new(core::iter::once(Ok(calls))),
        }
    }
}

/// The pieces of a file, each with its length in bytes.
pub(crate) struct Pieces {
    /// The columns that are carried.
    pub(crate) carried: Vec<FieldRef>,
    pub(crate) pieces: Box<dyn Iterator<Item = Result<(Piece, u64), BulkError>>>,
}

/// Opens a file.
///
/// # Errors
/// It cannot be read, does not have the format of its ending, or lacks a column.
pub(crate) fn open(file: &CallFile, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    match file.format {
        Format::Parquet => parquet::open(&file.path, wanted),
        Format::Arrow => arrow::open_file(file, wanted),
        Format::ArrowStream => arrow::open_stream(file, wanted),
        Format::JsonLines => json_lines::open(&file.path, wanted),
        Format::Csv => delimited::open(&file.path, wanted),
    }
}

/// The positions of the wanted columns among those of a file.
struct Places {
    calls: usize,
    operations: Option<usize>,
    carried: Vec<usize>,
}

impl Places {
    fn of(path: &Path, names: &[&str], wanted: &Wanted) -> Result<Self, BulkError> {
        let find = |column: &String| {
            let place = names.iter().position(|name| name == column);
            place.ok_or_else(|| BulkError::Column {
                path: path.to_path_buf(),
                column: column.clone(),
                there: names.iter().map(|name| (*name).to_owned()).collect(),
            })
        };
        Ok(Self {
            calls: find(&wanted.calls)?,
            operations: wanted.operations.as_ref().map(find).transpose()?,
            carried: wanted.carried.iter().map(find).collect::<Result<_, _>>()?,
        })
    }

    fn of_schema(path: &Path, schema: &Schema, wanted: &Wanted) -> Result<Self, BulkError> {
        let names: Vec<&str> = schema
            .fields()
            .iter()
            .map(|own| own.name().as_str())
            .collect();
        Self::of(path, &names, wanted)
    }

    fn carried_fields(&self, schema: &Schema) -> Vec<FieldRef> {
        let fields = self.carried.iter();
        fields
            .filter_map(|place| schema.fields().get(*place).cloned())
            .collect()
    }
}

/// The fields of carried columns whose values are all text.
fn text_fields(names: &[String]) -> Vec<FieldRef> {
    let fields = names.iter();
    fields
        .map(|name| Arc::new(Field::new(name, DataType::Utf8, true)))
        .collect()
}

/// The columns next to the calls, in a format whose values are all text.
struct TextColumns {
    operations: Option<StringBuilder>,
    carried: Vec<StringBuilder>,
}

impl TextColumns {
    fn new(wanted: &Wanted) -> Self {
        let carried = wanted.carried.iter();
        Self {
            operations: wanted.operations.as_ref().map(|_| StringBuilder::new()),
            carried: carried.map(|_| StringBuilder::new()).collect(),
        }
    }

    /// The operations, if there are any, and the columns that are carried.
    fn finish(mut self) -> (Option<ArrayRef>, Vec<ArrayRef>) {
        let array = |builder: &mut StringBuilder| Arc::new(builder.finish()) as ArrayRef;
        let operations = self.operations.as_mut().map(array);
        (operations, self.carried.iter_mut().map(array).collect())
    }
}
