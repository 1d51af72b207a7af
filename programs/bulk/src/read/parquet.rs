//! Reads Parquet. The column of calls is read value by value, so that a batch is bounded in bytes, however long the
//! calls are.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use arrow_select::concat::concat_batches;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::serialized_reader::SerializedPageReader;

use super::{Batches, Calls, Piece, Pieces, Places, Wanted, numbers};
use crate::error::BulkError;

const WHAT: &str = "Parquet file";
/// The number of calls of a row group that are read before the length of any is known.
const FIRST: usize = 16;
/// The largest number of calls that are read at once.
const MOST: usize = 1024;

/// A file whose columns are known.
struct Source {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
    /// Positions among the columns of the schema that have values of their own (leaves).
    calls: usize,
    operations: Option<usize>,
    /// Positions among the columns of the table.
    carried: Vec<usize>,
}

/// A row group of a file.
pub(crate) struct RowGroup {
    source: Arc<Source>,
    index: usize,
    first_row: i64,
    /// The number of its rows.
    rows: usize,
}

pub(super) fn open(path: &Path, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    let file = File::open(path).map_err(BulkError::read(path))?;
    let failed = |error: ParquetError| BulkError::form(path, WHAT, &error);
    let metadata = ArrowReaderMetadata::load(&file, Default::default()).map_err(failed)?;
    let places = Places::of_schema(path, metadata.schema(), wanted)?;
    let leaf = |place: usize| leaf_of(path, &metadata, place);
    let source = Arc::new(Source {
        path: path.to_path_buf(),
        calls: leaf(places.calls)?,
        operations: places.operations.map(leaf).transpose()?,
        carried: places.carried.clone(),
        metadata: metadata.clone(),
    });
    let wrong = || BulkError::form(path, WHAT, &"a length in it is wrong");
    let mut first_row = 0_i64;
    let mut groups = Vec::new();
    for (index, group) in metadata.metadata().row_groups().iter().enumerate() {
        let rows = usize::try_from(group.num_rows()).map_err(|_| wrong())?;
        let bytes = u64::try_from(group.compressed_size()).map_err(|_| wrong())?;
        let group_of = RowGroup {
            source: Arc::clone(&source),
            index,
            first_row,
            rows,
        };
        groups.push(Ok((Piece::RowGroup(group_of), bytes)));
        first_row = first_row.checked_add(group.num_rows()).ok_or_else(wrong)?;
    }
    Ok(Pieces {
        carried: places.carried_fields(metadata.schema()),
        pieces: Box::new(groups.into_iter()),
    })
}

/// The position of a column of texts among those that have values.
fn leaf_of(path: &Path, metadata: &ArrowReaderMetadata, place: usize) -> Result<usize, BulkError> {
    let schema = metadata.parquet_schema();
    let field = metadata.schema().fields().get(place);
    let field = field.ok_or(BulkError::Internal)?;
    let leaf = (0..schema.num_columns()).find(|leaf| {
        schema.get_column_root_idx(*leaf) == place
            && schema.column(*leaf).physical_type() == parquet::basic::Type::BYTE_ARRAY
            && schema.column(*leaf).max_rep_level() == 0
            && schema.column(*leaf).path().parts().len() == 1
    });
    leaf.ok_or_else(|| BulkError::Type {
        path: path.to_path_buf(),
        column: field.name().clone(),
        kind: field.data_type().to_string(),
    })
}

impl RowGroup {
    pub(super) fn batches(self, wanted: &Arc<Wanted>) -> Batches {
        match Reading::new(&self, wanted) {
            Ok(mut reading) => Box::new(core::iter::from_fn(move || reading.next().transpose())),
            Err(error) => Box::new(core::iter::once(Err(error))),
        }
    }
}

/// A row group that is being read.
struct Reading {
    source: Arc<Source>,
    wanted: Arc<Wanted>,
    calls: Texts,
    operations: Option<Texts>,
    carried: Option<Carried>,
    /// The number of the next call.
    row: i64,
    /// The number of calls that are left in the row group, according to the file.
    left: usize,
    /// The longest row so far, in bytes.
    longest: usize,
}

impl Reading {
    fn new(group: &RowGroup, wanted: &Arc<Wanted>) -> Result<Self, BulkError> {
        let source = &group.source;
        let path = &source.path;
        let open = || File::open(path).map_err(BulkError::read(path));
        let failed = |error: ParquetError| BulkError::form(path, WHAT, &error);
        let file = Arc::new(open()?);
        let metadata = source.metadata.metadata().row_group(group.index);
        let texts = |leaf| {
            let column = metadata.column(leaf);
            let pages = SerializedPageReader::new(Arc::clone(&file), column, group.rows, None);
            let column = column.column_descr_ptr();
            Ok(Texts {
                most_defined: column.max_def_level(),
                reader: ColumnReaderImpl::new(column, Box::new(pages.map_err(failed)?)),
            })
        };
        let carried = if source.carried.is_empty() {
            None
        } else {
            let metadata = source.metadata.clone();
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(open()?, metadata);
            let roots = source.carried.iter().copied();
            let mask = ProjectionMask::roots(builder.parquet_schema(), roots);
            let builder = builder.with_row_groups(vec![group.index]);
            let builder = builder.with_projection(mask).with_batch_size(MOST);
            let reader = builder.build().map_err(failed)?;
            Some(Carried::new(reader, source))
        };
        Ok(Self {
            calls: texts(source.calls)?,
            operations: source.operations.map(texts).transpose()?,
            carried,
            row: group.first_row,
            left: group.rows,
            source: Arc::clone(source),
            wanted: Arc::clone(wanted),
            longest: 0,
        })
    }

    fn next(&mut self) -> Result<Option<Calls>, BulkError> {
        let source = Arc::clone(&self.source);
        let failed = |error: ParquetError| BulkError::form(&source.path, WHAT, &error);
        let mut calls = LargeBinaryBuilder::new();
        let mut operations = LargeBinaryBuilder::new();
        let mut carried = Vec::new();
        let (mut bytes, mut count) = (0, 0);
        while count < Wanted::BATCH_ROWS && bytes < self.wanted.batch_bytes {
            let left = self.wanted.batch_bytes - bytes;
            let fit = match self.longest {
                0 => FIRST,
                longest => (left / longest).clamp(1, MOST),
            };
            let read = self
                .calls
                .read(fit.min(Wanted::BATCH_ROWS - count), &mut calls);
            let read = read.map_err(failed)?;
            if read.count == 0 {
                break;
            }
            if let Some(column) = &mut self.operations
                && column
                    .read(read.count, &mut operations)
                    .map_err(failed)?
                    .count
                    != read.count
            {
                return Err(BulkError::form(&source.path, WHAT, &UNEQUAL));
            }
            let carried_bytes = match &mut self.carried {
                Some(own) => own.take(read.count, &mut carried, &source.path)?,
                None => 0,
            };
            count += read.count;
            bytes += read.bytes + carried_bytes;
            let longest = read.longest + carried_bytes.div_ceil(read.count);
            self.longest = self.longest.max(longest);
        }
        // No row may be lost silently.
        self.left = match self.left.checked_sub(count) {
            Some(left) if count > 0 || left == 0 => left,
            _ => return Err(BulkError::form(&source.path, WHAT, &UNEQUAL)),
        };
        if count == 0 {
            return Ok(None);
        }
        let first = self.row;
        self.row += i64::try_from(count).map_err(|_| BulkError::Internal)?;
        let carried = match &self.carried {
            Some(own) => own.columns(&carried, &source.path)?,
            None => Vec::new(),
        };
        Ok(Some(Calls {
            rows: numbers(first, count),
            calls: Arc::new(calls.finish()),
            operations: self
                .operations
                .is_some()
                .then(|| Arc::new(operations.finish()) as ArrayRef),
            carried,
        }))
    }
}

const UNEQUAL: &str = "one of its columns does not have the number of rows that the file states";

/// A column of texts that is being read.
struct Texts {
    reader: ColumnReaderImpl<ByteArrayType>,
    /// The definition level of a value that is not null.
    most_defined: i16,
}

/// The size of what one read returned.
struct Read {
    count: usize,
    bytes: usize,
    longest: usize,
}

impl Texts {
    /// Reads at most `most` values. It reads fewer at the end of the row group.
    fn read(&mut self, most: usize, into: &mut LargeBinaryBuilder) -> Result<Read, ParquetError> {
        let mut levels = Vec::new();
        let mut values: Vec<ByteArray> = Vec::new();
        let (count, ..) = self
            .reader
            .read_records(most, Some(&mut levels), None, &mut values)?;
        let mut read = Read {
            count,
            bytes: 0,
            longest: 1,
        };
        let uneven = || ParquetError::General(UNEQUAL.to_owned());
        // Rows that are null have no value here.
        let mut values = values.iter();
        for index in 0..count {
            let is_null = levels
                .get(index)
                .is_some_and(|level| *level < self.most_defined);
            if is_null {
                into.append_null();
                continue;
            }
            let value = values.next().ok_or_else(uneven)?;
            into.append_value(value.data());
            read.bytes += value.len();
            read.longest = read.longest.max(value.len());
        }
        match values.next() {
            None => Ok(read),
            Some(_) => Err(uneven()),
        }
    }
}

/// Columns that are carried, read in batches of their own.
struct Carried {
    reader: ParquetRecordBatchReader,
    schema: SchemaRef,
    /// The position of each wanted column in a batch.
    order: Vec<usize>,
    /// What is left of the batch that was read last.
    current: Option<RecordBatch>,
    /// The size of a row of that batch, in bytes.
    row_bytes: usize,
}

impl Carried {
    fn new(reader: ParquetRecordBatchReader, source: &Source) -> Self {
        // A projection keeps the order of the file.
        let mut sorted = source.carried.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let order = source.carried.iter();
        let order = order.filter_map(|place| sorted.binary_search(place).ok());
        Self {
            schema: arrow_array::RecordBatchReader::schema(&reader),
            order: order.collect(),
            reader,
            current: None,
            row_bytes: 0,
        }
    }

    /// Takes the next `count` rows. Returns their size in bytes, as if all rows of a batch had the same size.
    fn take(
        &mut self,
        count: usize,
        into: &mut Vec<RecordBatch>,
        path: &Path,
    ) -> Result<usize, BulkError> {
        let failed = |reason: &dyn ToString| BulkError::form(path, WHAT, reason);
        let mut left = count;
        let mut bytes = 0_usize;
        while left > 0 {
            let batch = match self.current.take() {
                Some(batch) => batch,
                None => match self.reader.next() {
                    Some(batch) => {
                        let batch = batch.map_err(|error| failed(&error))?;
                        let size = batch.get_array_memory_size();
                        self.row_bytes = size.div_ceil(batch.num_rows().max(1));
                        batch
                    }
                    None => return Err(failed(&UNEQUAL)),
                },
            };
            let taken = left.min(batch.num_rows());
            into.push(batch.slice(0, taken));
            left -= taken;
            bytes = bytes.saturating_add(taken.saturating_mul(self.row_bytes));
            if taken < batch.num_rows() {
                self.current = Some(batch.slice(taken, batch.num_rows() - taken));
            }
        }
        Ok(bytes)
    }

    /// The wanted columns of rows that were taken.
    fn columns(&self, rows: &[RecordBatch], path: &Path) -> Result<Vec<ArrayRef>, BulkError> {
        let all = concat_batches(&self.schema, rows)
            .map_err(|error| BulkError::form(path, WHAT, &error))?;
        let columns = self.order.iter();
        Ok(columns
            .filter_map(|place| all.columns().get(*place).cloned())
            .collect())
    }
}
