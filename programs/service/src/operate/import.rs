//! The reports of an import: the file of the rows that could not be taken, and the progress.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::rows::{Format, ImportError, Row, Rows};

/// The file of rows that could not be taken: in the format of the file that is imported, with the line and the reason of
/// each.
pub(crate) struct Refused {
    /// The path of the file; `None` if rows are only counted.
    path: Option<PathBuf>,
    format: Format,
    file: Option<File>,
    /// The number of rows by reason.
    pub(crate) reasons: BTreeMap<String, u64>,
}

impl Refused {
    /// Counts rows without writing them.
    #[must_use]
    pub(crate) const fn counted() -> Self {
        Self {
            path: None,
            format: Format::Jsonl,
            file: None,
            reasons: BTreeMap::new(),
        }
    }

    /// Writes rows into a file beside the one that is imported, or into `other`. The file is made with the first row.
    /// `goes_on` keeps the rows that are in it.
    ///
    /// # Errors
    /// [`ImportError::Files`]
    pub(crate) fn beside(
        rows: &Rows,
        other: Option<PathBuf>,
        goes_on: bool,
    ) -> Result<Self, ImportError> {
        let path = other.unwrap_or_else(|| {
            let mut name = rows.path.file_name().unwrap_or_default().to_owned();
            name.push(match rows.format {
                Format::Csv => ".refused.csv",
                Format::Jsonl => ".refused.jsonl",
            });
            rows.path.with_file_name(name)
        });
        if !goes_on && path.exists() {
            std::fs::remove_file(&path).map_err(|error| ImportError::Files(path.clone(), error))?;
        }
        Ok(Self {
            path: Some(path),
            format: rows.format,
            file: None,
            reasons: BTreeMap::new(),
        })
    }

    /// The path of the file, if it has rows.
    #[must_use]
    pub(crate) fn path(&self) -> Option<&Path> {
        let path = self.path.as_deref();
        path.filter(|_| !self.reasons.is_empty())
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`ImportError::Files`]
    pub(crate) fn add(&mut self, row: &Row, reason: &str) -> Result<(), ImportError> {
        let count = self.reasons.entry(reason.to_owned()).or_default();
        *count = count.saturating_add(1);
        let Some(path) = &self.path else {
            return Ok(());
        };
        let of_file = |error| ImportError::Files(path.clone(), error);
        let is_new = !path.exists();
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let mut options = File::options();
                // It holds personal data.
                std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
                let opened = options.create(true).append(true).open(path);
                none.insert(opened.map_err(of_file)?)
            }
        };
        let text = match self.format {
            Format::Jsonl => {
                let row = json!({"line": row.line, "reason": reason, "row": row.values});
                format!("{row}\n").into_bytes()
            }
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(Vec::new());
                let head = || ["line", "reason", "row"];
                let written = match is_new {
                    true => writer.write_record(head()),
                    false => Ok(()),
                };
                let row_text = Value::Object(row.values.clone()).to_string();
                let line = row.line.to_string();
                let cells = [line.as_str(), reason, row_text.as_str()];
                let written = written.and_then(|()| writer.write_record(cells));
                written.map_err(|error| ImportError::Csv(path.clone(), error))?;
                writer
                    .into_inner()
                    .map_err(|error| of_file(error.into_error()))?
            }
        };
        file.write_all(&text).map_err(of_file)
    }
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
