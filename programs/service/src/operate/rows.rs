//! Reads files to import, row by row: CSV with a line of names, or JSON objects, one on each line.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

pub(crate) use super::row::Row;

/// The longest row, in bytes. Without a bound, a quotation mark that is never closed would make one row of the rest of a
/// file of CSV.
const LONGEST: u64 = 4 << 20;
/// The bytes that the reader of CSV may have read ahead of a row.
const AHEAD: usize = 8 << 10;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// CSV (RFC 4180) with a line of names
    Csv,
    /// JSON objects, one on each line
    Jsonl,
}

impl Format {
    /// The format that the end of a file's name tells, if it tells one.
    #[must_use]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            _ => None,
        }
    }
}

/// Why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ImportError {
    /// A file cannot be read or written.
    #[error("{}", .0.display())]
    Files(PathBuf, #[source] io::Error),
    /// The name of the file does not say how it is written.
    #[error("{}: say --format csv or --format jsonl", .0.display())]
    Format(PathBuf),
    /// The file of CSV is not CSV.
    #[error("{}", .0.display())]
    Csv(PathBuf, #[source] csv::Error),
    /// A row of CSV is too long. Where the next row begins is not known.
    #[error(
        "{path}, line {line}: the row that begins here is longer than {} MB: close its quotation marks",
        LONGEST >> 20
    )]
    Long {
        /// The file.
        path: String,
        /// The line on which the row begins.
        line: u64,
    },
    /// A column of the file is not known. Its values would be lost.
    #[error("{path}: there is no column {column:?}: expected {expected}")]
    Column {
        /// The file.
        path: String,
        /// Its name.
        column: String,
        /// The columns that there can be.
        expected: String,
    },
}

/// A file that is read row by row.
pub(crate) struct Rows {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// The hash of the file and of what it is imported as.
    digest: [u8; 32],
    pub(super) bytes: u64,
    reader: Reader,
}

enum Reader {
    Csv {
        reader: Box<Csv>,
        names: Vec<String>,
    },
    Jsonl {
        reader: BufReader<File>,
        line: u64,
        place: u64,
    },
}

/// A reader of CSV. A row may take a limited length of its file.
type Csv = csv::Reader<io::Take<File>>;

/// The bytes that a row may take from a file of CSV: its own, and those that are read ahead.
const MOST: u64 = LONGEST + AHEAD as u64;

/// Checks that a row was not cut off because it is too long. `line` is where it begins.
fn check_length(reader: &Csv, path: &Path, line: u64) -> Result<(), ImportError> {
    match reader.get_ref().limit() {
        0 => Err(ImportError::Long {
            path: path.display().to_string(),
            line,
        }),
        _ => Ok(()),
    }
}

/// A row, or the number of a line that is not a row, with the reason.
pub(crate) type ReadRow = Result<Row, (u64, String)>;

impl Rows {
    /// Opens a file. `what` says what it is imported as: the same file imported as something else is another import.
    ///
    /// # Errors
    /// [`ImportError`]
    pub(crate) fn open(
        path: &Path,
        format: Option<Format>,
        what: &str,
    ) -> Result<Self, ImportError> {
        let of_file = |error| ImportError::Files(path.to_owned(), error);
        let format = format.or_else(|| Format::of(path));
        let format = format.ok_or_else(|| ImportError::Format(path.to_owned()))?;
        let mut file = File::open(path).map_err(of_file)?;
        let (digest, bytes) = digest(&mut file, what).map_err(of_file)?;
        file.rewind().map_err(of_file)?;
        let reader = match format {
            Format::Csv => {
                let mut reader = csv::ReaderBuilder::new()
                    .buffer_capacity(AHEAD)
                    .from_reader(file.take(MOST));
                let names = reader.headers().cloned();
                check_length(&reader, path, 1)?;
                let names = names.map_err(|error| ImportError::Csv(path.to_owned(), error))?;
                let reader = Box::new(reader);
                let names = names.iter().map(|name| name.trim().to_owned()).collect();
                Reader::Csv { reader, names }
            }
            Format::Jsonl => Reader::Jsonl {
                reader: BufReader::new(file),
                line: 0,
                place: 0,
            },
        };
        Ok(Self {
            path: path.to_owned(),
            format,
            digest,
            bytes,
            reader,
        })
    }

    /// Checks that all columns of a CSV file are known.
    ///
    /// # Errors
    /// [`ImportError::Column`]
    pub(crate) fn expect(&self, known: &[&str]) -> Result<(), ImportError> {
        let Reader::Csv { names, .. } = &self.reader else {
            return Ok(());
        };
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(column) => Err(ImportError::Column {
                path: self.path.display().to_string(),
                column: column.clone(),
                expected: known.join(", "),
            }),
        }
    }

    /// The hash of the file and of what it is imported as, by which an import is known.
    #[must_use]
    pub(crate) const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// How far the file is read, in bytes.
    pub(crate) fn place(&self) -> u64 {
        match &self.reader {
            Reader::Csv { reader, .. } => reader.position().byte(),
            Reader::Jsonl { place, .. } => *place,
        }
    }

    /// The next row.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<ReadRow>, ImportError> {
        let of_file = |error| ImportError::Files(self.path.clone(), error);
        match &mut self.reader {
            Reader::Csv { reader, names } => {
                let mut record = csv::StringRecord::new();
                let line = reader.position().line();
                reader.get_mut().set_limit(MOST);
                let read = reader.read_record(&mut record);
                check_length(reader, &self.path, line)?;
                match read {
                    Ok(false) => Ok(None),
                    Ok(true) => {
                        let line = record.position().map_or(line, csv::Position::line);
                        let cells = names.iter().zip(&record);
                        let cells = cells.filter(|(_, cell)| !cell.is_empty());
                        let values = cells.map(|(name, cell)| (name.clone(), cell.into()));
                        let values = values.collect();
                        Ok(Some(Ok(Row { line, values })))
                    }
                    Err(error) if matches!(error.kind(), csv::ErrorKind::Io(_)) => {
                        Err(ImportError::Csv(self.path.clone(), error))
                    }
                    Err(error) => {
                        let reason = match error.kind() {
                            csv::ErrorKind::Utf8 { .. } => "it is not UTF-8",
                            csv::ErrorKind::UnequalLengths { .. } => {
                                "it has another number of cells than the line of names"
                            }
                            _ => "it is not CSV",
                        };
                        let line = error.position().map_or(line, csv::Position::line);
                        Ok(Some(Err((line, reason.to_owned()))))
                    }
                }
            }
            Reader::Jsonl {
                reader,
                line,
                place,
            } => loop {
                let mut text = Vec::new();
                let mut limited = reader.by_ref().take(LONGEST);
                let read = limited.read_until(b'\n', &mut text).map_err(of_file)?;
                if read == 0 {
                    return Ok(None);
                }
                *place = place.saturating_add(read as u64);
                *line = line.saturating_add(1);
                let is_cut = read as u64 == LONGEST && text.last() != Some(&b'\n');
                if is_cut {
                    let rest = skip_line(reader).map_err(of_file)?;
                    *place = place.saturating_add(rest);
                    let reason = format!("it is longer than {} MB", LONGEST >> 20);
                    return Ok(Some(Err((*line, reason))));
                }
                if text.trim_ascii().is_empty() {
                    continue;
                }
                return Ok(Some(match serde_json::from_slice(&text) {
                    Ok(Value::Object(values)) => Ok(Row {
                        line: *line,
                        values,
                    }),
                    Ok(_) => Err((*line, "it is not a JSON object".to_owned())),
                    Err(_) => Err((*line, "it is not JSON".to_owned())),
                }));
            },
        }
    }
}

/// Skips the rest of a line, and returns its length.
fn skip_line(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0_u64;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(skipped);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end.saturating_add(1));
        reader.consume(used);
        skipped = skipped.saturating_add(used as u64);
        if end.is_some() {
            return Ok(skipped);
        }
    }
}

fn digest(file: &mut File, what: &str) -> io::Result<([u8; 32], u64)> {
    let mut hash = Sha256::new();
    hash.update((what.len() as u64).to_be_bytes());
    hash.update(what.as_bytes());
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0_u64;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((hash.finalize().into(), bytes));
        }
        hash.update(buffer.get(..read).unwrap_or_default());
        bytes = bytes.saturating_add(read as u64);
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    fn read(name: &str, text: &[u8]) -> Vec<Result<String, (u64, String)>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let mut rows = Rows::open(&path, None, "test").unwrap();
        let mut read = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            read.push(row.map(|row| format!("{} {}", row.line, Value::Object(row.values))));
        }
        assert_eq!(rows.place(), text.len() as u64);
        read
    }

    #[test]
    fn a_row_of_csv_has_its_line_and_what_is_no_row_has_a_reason() {
        let text = b"email,city\na@b.c,\"x\ny\"\nd@e.f\n\xff@b.c,z\ng@h.i,\n";
        assert_eq!(
            read("a.csv", text),
            [
                Ok(r#"2 {"city":"x\ny","email":"a@b.c"}"#.to_owned()),
                Err((
                    4,
                    "it has another number of cells than the line of names".to_owned()
                )),
                Err((5, "it is not UTF-8".to_owned())),
                Ok(r#"6 {"email":"g@h.i"}"#.to_owned()),
            ]
        );
    }

    #[test]
    fn a_quotation_mark_that_nothing_closes_is_an_error_with_the_line_of_its_row() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let rest = "a@b.c,x\n".repeat(MOST as usize / 8 + AHEAD);
        for (text, line) in [
            (format!("\"email,city\n{rest}"), 1),
            (format!("email,city\na@b.c,x\n\"d@e.f,x\n{rest}"), 3),
        ] {
            std::fs::write(&path, text).unwrap();
            let read = Rows::open(&path, None, "test").and_then(|mut rows| {
                rows.next().map(drop)?;
                rows.next().map(drop)
            });
            let said = read.unwrap_err().to_string();
            let words = format!("a.csv, line {line}: the row that begins here is longer than 4 MB");
            assert!(said.contains(&words), "{said}");
        }
    }

    #[test]
    fn a_row_of_json_has_its_line_and_what_is_no_row_has_a_reason() {
        let mut text = b"{\"email\":\"a@b.c\"}\n\n[1]\n{\n".to_vec();
        text.extend(std::iter::repeat_n(b' ', LONGEST as usize + 5));
        text.extend(b"\n{\"email\":\"d@e.f\"}");
        assert_eq!(
            read("a.jsonl", &text),
            [
                Ok(r#"1 {"email":"a@b.c"}"#.to_owned()),
                Err((3, "it is not a JSON object".to_owned())),
                Err((4, "it is not JSON".to_owned())),
                Err((5, "it is longer than 4 MB".to_owned())),
                Ok(r#"6 {"email":"d@e.f"}"#.to_owned()),
            ]
        );
    }

    #[test]
    fn one_file_imported_as_two_things_is_two_imports() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "email\na@b.c\n").unwrap();
        let digest = |what| Rows::open(&path, None, what).unwrap().digest();
        assert_ne!(digest("subscribers of 1"), digest("subscribers of 2"));
        assert_eq!(digest("subscribers of 1"), digest("subscribers of 1"));
    }
}
