//! The reports of an import: the file of the rows that could not be taken, and the progress.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::rows::{Format, Row, Rows};

/// Why the file of refused rows cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RefusedError {
    /// It cannot be made, read or written.
    #[error("{}", .0.display())]
    Files(PathBuf, #[source] io::Error),
    /// It has the refused rows of another import.
    #[error("{} has refused rows of another import: move it away, or name another file with --refused", .0.display())]
    Exists(PathBuf),
    /// It does not have the rows that were refused before the import was interrupted.
    #[error("{} does not have the rows that this import refused before: put that file back, or name it with --refused. If it is lost, change the imported file, for example by an empty line, and the import begins again", .0.display())]
    Lacks(PathBuf),
}

/// A row that could not be taken, and why.
pub(crate) type RefusedRow = (Row, Cow<'static, str>);

/// The file of rows that could not be taken: in the format of the file that is imported, with the line and the reason of
/// each.
pub(crate) struct Refused {
    /// `None` if rows are only counted.
    file: Option<(PathBuf, File)>,
    format: Format,
    /// The length of the rows of all batches that are stored.
    kept: u64,
    /// The number of rows by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
}

impl Refused {
    /// Counts rows without writing them.
    #[must_use]
    pub(crate) const fn counted() -> Self {
        Self {
            file: None,
            format: Format::Jsonl,
            kept: 0,
            reasons: BTreeMap::new(),
        }
    }

    /// Opens `other`, or a file beside the one that is imported. For an import that goes on, `before` is the length up to
    /// which the file is kept: what follows is cut off, because it is written again.
    ///
    /// # Errors
    /// [`RefusedError`]
    pub(crate) fn open(
        rows: &Rows,
        other: Option<PathBuf>,
        before: Option<u64>,
    ) -> Result<Self, RefusedError> {
        let path = other.unwrap_or_else(|| {
            let mut name = rows.path.file_name().unwrap_or_default().to_owned();
            name.push(match rows.format {
                Format::Csv => ".refused.csv",
                Format::Jsonl => ".refused.jsonl",
            });
            rows.path.with_file_name(name)
        });
        let mut options = File::options();
        // It holds personal data.
        options.create(true).append(true).mode(0o600);
        let opened = options.open(&path).and_then(|file| {
            let length = file.metadata()?.len();
            Ok((file, length))
        });
        let (file, length) = match opened {
            Ok(opened) => opened,
            Err(error) => return Err(RefusedError::Files(path, error)),
        };
        match before {
            None if length > 0 => return Err(RefusedError::Exists(path)),
            Some(before) if length < before => return Err(RefusedError::Lacks(path)),
            _ => {}
        }
        let kept = before.unwrap_or(0);
        match file.set_len(kept) {
            Err(error) => Err(RefusedError::Files(path, error)),
            Ok(()) => Ok(Self {
                file: Some((path, file)),
                format: rows.format,
                kept,
                reasons: BTreeMap::new(),
            }),
        }
    }

    /// The path of the file, if it has rows.
    #[must_use]
    pub(crate) fn path(&self) -> Option<&Path> {
        let file = self.file.as_ref().filter(|_| self.kept > 0);
        file.map(|(path, _)| path.as_path())
    }

    /// Writes the refused rows of a batch, in place of those that were written for it before, and syncs them. Returns the
    /// length of the file.
    ///
    /// # Errors
    /// [`RefusedError::Files`]
    pub(crate) fn write(&mut self, rows: &[RefusedRow]) -> Result<u64, RefusedError> {
        let Some((path, file)) = self.file.as_mut().filter(|_| !rows.is_empty()) else {
            return Ok(self.kept);
        };
        let text = match self.format {
            Format::Jsonl => jsonl(rows),
            Format::Csv => csv(rows, self.kept == 0),
        };
        let written = text.and_then(|text| {
            file.set_len(self.kept)?;
            file.write_all(&text)?;
            file.sync_data()?;
            Ok(self.kept.saturating_add(text.len() as u64))
        });
        written.map_err(|error| RefusedError::Files(path.clone(), error))
    }

    /// Keeps the refused rows of a batch that is stored, and counts them. `length` is what [`Refused::write`]
    /// has returned for them.
    pub(crate) fn keep(&mut self, rows: &[RefusedRow], length: u64) {
        self.kept = length;
        for (_, reason) in rows {
            let count = self.reasons.entry(reason.to_string()).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Removes the file if it has no rows.
    ///
    /// # Errors
    /// [`RefusedError::Files`]
    pub(crate) fn end(&self) -> Result<(), RefusedError> {
        match &self.file {
            Some((path, _)) if self.kept == 0 => {
                std::fs::remove_file(path).map_err(|error| RefusedError::Files(path.clone(), error))
            }
            _ => Ok(()),
        }
    }
}

fn jsonl(rows: &[RefusedRow]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for (row, reason) in rows {
        let row = json!({"line": row.line, "reason": reason, "row": row.values});
        writeln!(text, "{row}")?;
    }
    Ok(text)
}

fn csv(rows: &[RefusedRow], has_head: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if has_head {
        writer.write_record(["line", "reason", "row"])?;
    }
    for (row, reason) in rows {
        let line = row.line.to_string();
        let text = Value::Object(row.values.clone()).to_string();
        let cells: [&str; 3] = [&line, reason, &text];
        writer.write_record(cells)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

/// The progress of an import on a terminal.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    /// A bar over the bytes of a file. It is drawn if standard error is a terminal.
    #[must_use]
    pub(crate) fn over(rows: &Rows) -> Self {
        let bar = ProgressBar::new(rows.bytes);
        let style = "{bar:30} {bytes}/{total_bytes}, {msg} rows, {elapsed} gone, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows how far the file is read.
    pub(crate) fn show(&self, rows: &Rows, done: i64) {
        self.0.set_position(rows.place());
        // clock: shown to people
        let seconds = self.0.elapsed().as_secs_f64().max(0.001);
        let each = (done as f64 / seconds).round();
        self.0.set_message(format!("{done} ({each}/s)"));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
