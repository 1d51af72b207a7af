//! Why a command could not be carried out.

use std::io;
use std::path::{Path, PathBuf};

use arrow_schema::ArrowError;

/// Why a command could not be carried out. It names files, columns and rows, and shows none of their content.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BulkError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write: {0}")]
    Output(io::Error),
    #[error("{} is not a {what}: {reason}", path.display())]
    Form {
        path: PathBuf,
        what: &'static str,
        reason: String,
    },
    #[error("{pattern}: no such file")]
    NoFile { pattern: String },
    #[error("{pattern} is not a valid file pattern: {reason}")]
    Pattern { pattern: String, reason: String },
    #[error(
        "{} has an unknown ending: expected .parquet, .arrow, .arrows, .feather, .jsonl, .ndjson or .csv", path.display()
    )]
    Unknown { path: PathBuf },
    #[error("{}: there is no column {column}; its columns are: {}", path.display(), there.join(", "))]
    Column {
        path: PathBuf,
        column: String,
        there: Vec<String>,
    },
    #[error("{}: no line has a member {column}: name another member with --column, or say --lines if each line is a call", path.display())]
    NoMember { path: PathBuf, column: String },
    #[error("{}: column {column} has the type {kind}: expected text or binary", path.display())]
    Type {
        path: PathBuf,
        column: String,
        kind: String,
    },
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        path: PathBuf,
        line: u64,
        reason: String,
    },
    #[error("{}, in the calls from row {row} on: {reason}", path.display())]
    Rows {
        path: PathBuf,
        row: i64,
        reason: String,
    },
    #[error("{} would be overwritten: choose another folder with --out", path.display())]
    OverInput { path: PathBuf },
    #[error("the findings of two files would both be written to {}: rename one of the files, or run the command for each of them", path.display())]
    SameName { path: PathBuf },
    #[error("{}: franking-bulk failed while it read this file: a fault of the program, please report it", path.display())]
    Panic { path: PathBuf },
    #[error("franking-bulk failed: a fault of the program, please report it")]
    Internal,
}

impl BulkError {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Write { path, source }
    }

    /// The error for a file that does not have the form of `what`.
    pub(crate) fn form(path: &Path, what: &'static str, reason: &dyn ToString) -> Self {
        Self::Form {
            path: path.to_path_buf(),
            what,
            reason: reason.to_string(),
        }
    }

    /// Turns an error of an Arrow library into the error for a file that cannot be written.
    pub(crate) fn written(path: &Path) -> impl FnOnce(ArrowError) -> Self {
        let path = path.to_path_buf();
        move |error| Self::Write {
            path,
            source: match error {
                ArrowError::IoError(_, source) => source,
                other => io::Error::other(other.to_string()),
            },
        }
    }
}
