//! Reads CSV (RFC 4180): the first line names the columns, and all values are text.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use csv::{ByteRecord, Reader};

use super::{Calls, Piece, Pieces, Places, TextColumns, Wanted, numbers, text_fields};
use crate::error::BulkError;

pub(super) fn open(path: &Path, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    let file = File::open(path).map_err(BulkError::read(path))?;
    let mut reader = Reader::from_reader(file);
    let names = reader
        .headers()
        .map_err(|error| failed(path, &error))?
        .clone();
    let names: Vec<&str> = names
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}'))
        .collect();
    let batches = Batches {
        places: Places::of(path, &names, wanted)?,
        path: path.to_path_buf(),
        wanted: Arc::clone(wanted),
        reader,
        record: ByteRecord::new(),
        row: 0,
    };
    Ok(Pieces {
        carried: text_fields(&wanted.carried),
        pieces: Box::new(batches),
    })
}

fn failed(path: &Path, error: &csv::Error) -> BulkError {
    let line = error.position().map_or(1, csv::Position::line);
    let reason = match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => {
            format!("it has {len} columns, but the first line has {expected_len}")
        }
        csv::ErrorKind::Utf8 { .. } => "it is not UTF-8".to_owned(),
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => "it cannot be read".to_owned(),
    };
    BulkError::Line {
        path: path.to_path_buf(),
        line,
        reason,
    }
}

struct Batches {
    path: PathBuf,
    wanted: Arc<Wanted>,
    places: Places,
    reader: Reader<File>,
    record: ByteRecord,
    row: i64,
}

impl Batches {
    fn read(&mut self) -> Result<Option<(Piece, u64)>, BulkError> {
        let before = self.reader.position().byte();
        let mut calls = LargeBinaryBuilder::new();
        let mut columns = TextColumns::new(&self.wanted);
        let (mut bytes, mut count) = (0, 0);
        while count < Wanted::BATCH_ROWS && bytes < self.wanted.batch_bytes {
            let read = self.reader.read_byte_record(&mut self.record);
            if !read.map_err(|error| failed(&self.path, &error))? {
                break;
            }
            let call = self.record.get(self.places.calls).unwrap_or_default();
            calls.append_value(call);
            bytes += call.len();
            count += 1;
            if let Some((operations, place)) =
                columns.operations.as_mut().zip(self.places.operations)
            {
                operations.append_value(self.text(place)?);
            }
            for (builder, place) in columns.carried.iter_mut().zip(&self.places.carried) {
                builder.append_value(self.text(*place)?);
            }
        }
        if count == 0 {
            return Ok(None);
        }
        let first = self.row;
        self.row += i64::try_from(count).map_err(|_| BulkError::Internal)?;
        let (operations, carried) = columns.finish();
        let calls = Calls {
            rows: numbers(first, count),
            calls: Arc::new(calls.finish()),
            operations,
            carried,
        };
        let read = self.reader.position().byte().saturating_sub(before);
        Ok(Some((Piece::Calls(calls), read)))
    }

    /// A value of the record that has to be text.
    fn text(&self, place: usize) -> Result<&str, BulkError> {
        let value = self.record.get(place).unwrap_or_default();
        core::str::from_utf8(value).map_err(|_| BulkError::Line {
            path: self.path.clone(),
            line: self.record.position().map_or(0, csv::Position::line),
            reason: "it is not UTF-8".to_owned(),
        })
    }
}

impl Iterator for Batches {
    type Item = Result<(Piece, u64), BulkError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}
