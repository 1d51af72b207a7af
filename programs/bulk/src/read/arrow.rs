//! Reads Arrow's IPC format. A batch is read as it was written, and cut where it has too many calls.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};

use super::{Calls, Piece, Pieces, Places, Wanted, numbers};
use crate::error::BulkError;
use crate::files::CallFile;

const WHAT: &str = "file of Arrow's IPC format";

pub(super) fn open_file(file: &CallFile, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    let open = File::open(&file.path).map_err(BulkError::read(&file.path))?;
    let reader = FileReader::try_new_buffered(open, None)
        .map_err(|error| BulkError::form(&file.path, WHAT, &error))?;
    let count = u64::try_from(reader.num_batches()).unwrap_or(1);
    let of_each = file.length / count.max(1);
    pieces(file, wanted, reader.schema(), reader, move |_| of_each)
}

pub(super) fn open_stream(file: &CallFile, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    let open = File::open(&file.path).map_err(BulkError::read(&file.path))?;
    let reader = StreamReader::try_new(BufReader::new(open), None)
        .map_err(|error| BulkError::form(&file.path, WHAT, &error))?;
    let length_of = |batch: &RecordBatch| u64::try_from(batch.get_array_memory_size()).unwrap_or(0);
    pieces(file, wanted, reader.schema(), reader, length_of)
}

fn pieces(
    file: &CallFile,
    wanted: &Arc<Wanted>,
    schema: SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + 'static,
    length_of: impl Fn(&RecordBatch) -> u64 + 'static,
) -> Result<Pieces, BulkError> {
    let places = Places::of_schema(&file.path, &schema, wanted)?;
    let carried = places.carried_fields(&schema);
    let path = file.path.clone();
    let mut row = 0;
    let pieces = batches.flat_map(move |batch| {
        let cut = batch
            .map_err(|error| BulkError::form(&path, WHAT, &error))
            .and_then(|batch| cut(&path, &batch, &places, &mut row, length_of(&batch)));
        match cut {
            Ok(parts) => parts,
            Err(error) => vec![Err(error)],
        }
    });
    Ok(Pieces {
        carried,
        pieces: Box::new(pieces),
    })
}

type Parts = Vec<Result<(Piece, u64), BulkError>>;

/// The calls of a batch, as pieces of at most [`Wanted::BATCH_ROWS`].
fn cut(
    path: &Path,
    batch: &RecordBatch,
    places: &Places,
    row: &mut i64,
    length: u64,
) -> Result<Parts, BulkError> {
    let column = |place: usize| -> Result<ArrayRef, BulkError> {
        let column = batch.columns().get(place).cloned();
        column.ok_or_else(|| BulkError::form(path, WHAT, &"a batch lacks a column of the schema"))
    };
    let calls = column(places.calls)?;
    let operations = places.operations.map(column).transpose()?;
    let carried: Vec<ArrayRef> = places
        .carried
        .iter()
        .map(|place| column(*place))
        .collect::<Result<_, _>>()?;
    let mut parts = Parts::new();
    for start in (0..calls.len()).step_by(Wanted::BATCH_ROWS) {
        let count = Wanted::BATCH_ROWS.min(calls.len() - start);
        let piece = Calls {
            rows: numbers(*row, count),
            calls: calls.slice(start, count),
            operations: operations.as_ref().map(|own| own.slice(start, count)),
            carried: carried.iter().map(|own| own.slice(start, count)).collect(),
        };
        *row += i64::try_from(count).map_err(|_| BulkError::Internal)?;
        // The bytes of the whole batch count with its first piece.
        let bytes = if start == 0 { length } else { 0 };
        parts.push(Ok((Piece::Calls(piece), bytes)));
    }
    Ok(parts)
}
