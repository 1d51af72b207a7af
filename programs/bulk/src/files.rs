//! Finds files of calls.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
// clock: whether a file of calls has changed since its findings were written
use std::time::UNIX_EPOCH;

use glob::MatchOptions;
use walkdir::WalkDir;

use crate::error::BulkError;

/// The format of a file of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Parquet,
    /// Arrow's IPC format as a file.
    Arrow,
    /// Arrow's IPC format as a stream.
    ArrowStream,
    JsonLines,
    Csv,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "parquet" => Some(Self::Parquet),
            "arrow" | "feather" => Some(Self::Arrow),
            "arrows" => Some(Self::ArrowStream),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }
}

/// A file of calls.
#[derive(Clone, Debug)]
pub(crate) struct CallFile {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    /// In bytes.
    pub(crate) length: u64,
    /// The time of its last change, in nanoseconds since 1970; 0 if the system does not know it.
    pub(crate) modified: u64,
    /// Its name below the folder that all files have in common.
    pub(crate) name: PathBuf,
}

/// Finds the named files, the files in named folders, and the files that match patterns. Each file is listed once.
///
/// # Errors
/// A file cannot be looked at, or has no known ending; or no file matches a pattern.
pub(crate) fn find(named: &[String]) -> Result<Vec<CallFile>, BulkError> {
    let mut paths = Vec::new();
    for pattern in named {
        let before = paths.len();
        let path = Path::new(pattern);
        if path.is_dir() {
            in_folder(path, &mut paths)?;
        } else if path.exists() {
            paths.push(path.to_path_buf());
        } else {
            by_pattern(pattern, &mut paths)?;
        }
        if paths.len() == before {
            return Err(BulkError::NoFile {
                pattern: pattern.clone(),
            });
        }
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    let common = common_folder(&paths);
    paths.iter().map(|path| call_file(path, &common)).collect()
}

/// The files with a known ending in a folder, in the order of their names. A name that begins with `.` or `_` is skipped, as
/// Spark and Hive do.
fn in_folder(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), BulkError> {
    let is_hidden = |name: &std::ffi::OsStr| {
        let name = name.as_encoded_bytes();
        name.starts_with(b".") || name.starts_with(b"_")
    };
    let walk = WalkDir::new(folder).sort_by_file_name();
    let entries = walk
        .into_iter()
        .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.file_name()));
    for entry in entries {
        let entry = entry.map_err(|error| BulkError::Read {
            path: folder.to_path_buf(),
            source: error.into(),
        })?;
        if entry.file_type().is_file() && Format::of(entry.path()).is_some() {
            paths.push(entry.into_path());
        }
    }
    Ok(())
}

fn by_pattern(pattern: &str, paths: &mut Vec<PathBuf>) -> Result<(), BulkError> {
    let options = MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..MatchOptions::default()
    };
    let found = glob::glob_with(pattern, options).map_err(|error| BulkError::Pattern {
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    })?;
    for path in found {
        let path = path.map_err(|error| BulkError::Read {
            path: error.path().to_path_buf(),
            source: error.into(),
        })?;
        if path.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}

fn call_file(path: &Path, common: &Path) -> Result<CallFile, BulkError> {
    let format = Format::of(path).ok_or_else(|| BulkError::Unknown {
        path: path.to_path_buf(),
    })?;
    let metadata = std::fs::metadata(path).map_err(BulkError::read(path))?;
    let since = metadata
        .modified()
        .ok()
        // clock: as above
        .and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let modified = since.and_then(|since| u64::try_from(since.as_nanos()).ok());
    let name = path.strip_prefix(common).unwrap_or(path);
    // Without `..` and a root, the name stays below the folder of the findings.
    let name = name
        .components()
        .filter(|component| matches!(component, Component::Normal(_)));
    Ok(CallFile {
        path: path.to_path_buf(),
        format,
        length: metadata.len(),
        modified: modified.unwrap_or(0),
        name: name.collect(),
    })
}

/// The deepest folder that all paths are in.
fn common_folder(paths: &[PathBuf]) -> PathBuf {
    let mut folders = paths.iter().filter_map(|path| path.parent());
    let Some(first) = folders.next() else {
        return PathBuf::new();
    };
    folders.fold(first.to_path_buf(), |common, folder| {
        let same = common.components().zip(folder.components());
        same.take_while(|(left, right)| left == right)
            .map(|(left, _)| left)
            .collect()
    })
}
