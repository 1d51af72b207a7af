//! Reads CSV (RFC 4180): the first line names the columns, and all values are text.

use std::fs::File;
use std::io::{Read as _, Take};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use csv::{ByteRecord, Reader, ReaderBuilder};

use super::{Calls, Piece, Pieces, Places, TextColumns, Wanted, numbers, text_fields};
use crate::error::BulkError;

/// The longest record, in bytes: a call of 32 MB, with room for the characters by which CSV and JSON escape its quotation
/// marks. Without a bound, a quotation mark that is never closed would make one record of the rest of the file.
const LONGEST: usize = 128 << 20;
/// The size of the reader's buffer, in bytes. The reader may read this much of the file beyond a record.
const AHEAD: usize = 8 << 10;

pub(super) fn open(path: &Path, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    let batches = Batches::open(path, wanted, LONGEST)?;
    Ok(Pieces {
        carried: text_fields(&wanted.carried),
        pieces: Box::new(batches),
    })
}

/// The most bytes of the file that are read for a record: the longest record, and what the reader may read beyond it.
fn most(longest: usize) -> u64 {
    u64::try_from(longest.saturating_add(AHEAD)).unwrap_or(u64::MAX)
}

/// Checks that a record was not cut off because it is too long. `line` is where it begins.
fn check_length(
    reader: &Reader<Take<File>>,
    path: &Path,
    line: u64,
    longest: usize,
) -> Result<(), BulkError> {
    if reader.get_ref().limit() > 0 {
        return Ok(());
    }
    Err(BulkError::Line {
        path: path.to_path_buf(),
        line,
        reason: format!(
            "the record that begins here is longer than {} MB: close its quotation marks, or write the calls as JSON lines",
            longest >> 20
        ),
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
    /// The file. The number of bytes that are read for a record is limited.
    reader: Reader<Take<File>>,
    /// The longest record, in bytes.
    longest: usize,
    record: ByteRecord,
    row: i64,
}

impl Batches {
    fn open(path: &Path, wanted: &Arc<Wanted>, longest: usize) -> Result<Self, BulkError> {
        let file = File::open(path).map_err(BulkError::read(path))?;
        let mut reader = ReaderBuilder::new()
            .buffer_capacity(AHEAD)
            .from_reader(file.take(most(longest)));
        let names = reader.headers().cloned();
        check_length(&reader, path, 1, longest)?;
        let names = names.map_err(|error| failed(path, &error))?;
        let names: Vec<&str> = names
            .iter()
            .map(|name| name.trim_start_matches('\u{feff}'))
            .collect();
        Ok(Self {
            places: Places::of(path, &names, wanted)?,
            path: path.to_path_buf(),
            wanted: Arc::clone(wanted),
            reader,
            longest,
            record: ByteRecord::new(),
            row: 0,
        })
    }

    /// Reads the next record. Returns `false` after the last one.
    fn next_record(&mut self) -> Result<bool, BulkError> {
        self.reader.get_mut().set_limit(most(self.longest));
        let read = self.reader.read_byte_record(&mut self.record);
        let line = self.record.position().map_or(0, csv::Position::line);
        check_length(&self.reader, &self.path, line, self.longest)?;
        read.map_err(|error| failed(&self.path, &error))
    }

    fn read(&mut self) -> Result<Option<(Piece, u64)>, BulkError> {
        let before = self.reader.position().byte();
        let mut calls = LargeBinaryBuilder::new();
        let mut columns = TextColumns::new(&self.wanted);
        let (mut bytes, mut count) = (0, 0);
        while count < Wanted::BATCH_ROWS && bytes < self.wanted.batch_bytes {
            if !self.next_record()? {
                break;
            }
            let call = self.record.get(self.places.calls).unwrap_or_default();
            calls.append_value(call);
            bytes += call.len();
            count += 1;
            if let Some((operations, place)) =
                columns.operations.as_mut().zip(self.places.operations)
            {
                let operation = self.text(place)?;
                operations.append_value(operation);
                bytes += operation.len();
            }
            for (builder, place) in columns.carried.iter_mut().zip(&self.places.carried) {
                let carried = self.text(*place)?;
                builder.append_value(carried);
                bytes += carried.len();
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

#[cfg(test)]
mod tests {
    use super::*;

    const MEGABYTE: usize = 1 << 20;

    /// Reads CSV whose records have at most a megabyte. Returns the number of calls in each batch.
    fn batches(text: &str, batch_bytes: usize) -> Result<Vec<usize>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.csv");
        std::fs::write(&path, text).unwrap();
        let wanted = Arc::new(Wanted {
            calls: "body".to_owned(),
            operations: None,
            carried: vec!["note".to_owned()],
            whole_lines: false,
            batch_bytes,
        });
        let batches = Batches::open(&path, &wanted, MEGABYTE);
        let pieces = batches.and_then(|batches| batches.collect::<Result<Vec<_>, _>>());
        let pieces = pieces.map_err(|error| error.to_string())?;
        let counts = pieces.into_iter().filter_map(|(piece, _)| match piece {
            Piece::Calls(calls) => Some(calls.rows.values().len()),
            _ => None,
        });
        Ok(counts.collect())
    }

    #[test]
    fn a_quotation_mark_that_is_never_closed_is_an_error_with_the_line_of_its_record() {
        let rest = "{},a\n".repeat(MEGABYTE / 4);
        for (text, line) in [
            (format!("\"body,note\n{rest}"), 1),
            (format!("body,note\n{{}},a\n\"{{}},a\n{rest}"), 3),
        ] {
            let error = batches(&text, MEGABYTE).unwrap_err();
            let words =
                format!("calls.csv, line {line}: the record that begins here is longer than 1 MB");
            assert!(error.contains(&words), "{error}");
        }
    }

    #[test]
    fn records_of_the_longest_length_are_read() {
        let call = "x".repeat(MEGABYTE - ",a\n".len());
        let text = format!("body,note\n{call},a\n{call},a\n{{}},a\n");
        assert_eq!(batches(&text, 16 * MEGABYTE), Ok(vec![3]));
    }

    #[test]
    fn what_is_carried_counts_towards_the_bytes_of_a_batch() {
        let line = format!("{{}},{}\n", "x".repeat(1_000));
        let text = format!("body,note\n{}", line.repeat(100));
        assert_eq!(batches(&text, 10_000), Ok(vec![10; 10]));
    }
}
