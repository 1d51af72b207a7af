//! Records which files of calls have complete findings, so that these files are not judged again.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use franking::RULES_VERSION;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::BulkError;
use crate::files::CallFile;
use crate::summary::{Summary, SummaryForm};
use crate::write::{Folder, remove, with_ending};

/// Everything that findings depend on, except the calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Settings {
    version: String,
    rules: u32,
    /// SHA-256 of the settings and of the files that they name.
    digest: String,
}

impl Settings {
    pub(crate) fn of(values: &[String]) -> Self {
        let mut digest = Sha256::new();
        for value in values {
            digest.update(value.len().to_le_bytes());
            digest.update(value);
        }
        let digest = digest.finalize();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: RULES_VERSION,
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}

/// The record of a file of calls whose findings are complete.
#[derive(Debug, Serialize, Deserialize)]
struct Finished {
    settings: Settings,
    /// The length of the file of calls.
    length: u64,
    /// The time of its last change.
    modified: u64,
    /// The length of the file of findings; `None` for a file without calls, which gets no file of findings.
    findings: Option<u64>,
    summary: SummaryForm,
}

/// Records that the findings of a file are complete.
///
/// # Errors
/// The record cannot be written.
pub(crate) fn note(
    folder: &Folder,
    file: &CallFile,
    settings: &Settings,
    summary: &Summary,
) -> Result<(), BulkError> {
    let finished = Finished {
        settings: settings.clone(),
        length: file.length,
        modified: file.modified,
        findings: findings(folder, file),
        summary: summary.to_form(),
    };
    let place = place(folder, file);
    let part = with_ending(&place, "part");
    let text = serde_json::to_vec(&finished).map_err(|_| BulkError::Internal)?;
    fs::write(&part, text).map_err(BulkError::write(&part))?;
    fs::rename(&part, &place).map_err(BulkError::write(&place))
}

/// Removes the record of a file, before its findings are replaced. If the process is killed in between, the findings have no
/// record. They never have the record of other findings.
///
/// # Errors
/// There is a record that cannot be removed.
pub(crate) fn forget(folder: &Folder, file: &CallFile) -> Result<(), BulkError> {
    remove(&place(folder, file))
}

/// The summary of the findings that an earlier run wrote with the same settings. `None` if no run with these settings is
/// recorded, if its findings are gone or have another length, or if the file of calls has changed since.
pub(crate) fn known(folder: &Folder, file: &CallFile, settings: &Settings) -> Option<Summary> {
    let text = fs::read(place(folder, file)).ok()?;
    let finished: Finished = serde_json::from_slice(&text).ok()?;
    let is_same = finished.settings == *settings
        && finished.length == file.length
        && finished.modified == file.modified
        && finished.findings == findings(folder, file);
    is_same.then(|| finished.summary.into_summary()).flatten()
}

/// The length of the findings of a file, if there are any.
fn findings(folder: &Folder, file: &CallFile) -> Option<u64> {
    let findings = fs::metadata(folder.place(file)).ok();
    findings
        .filter(fs::Metadata::is_file)
        .map(|findings| findings.len())
}

/// The path of the record. The name begins with a dot, so readers of a folder skip it.
fn place(folder: &Folder, file: &CallFile) -> PathBuf {
    let findings = folder.place(file);
    let mut name = OsString::from(".");
    name.push(findings.file_name().unwrap_or_default());
    name.push(".finished.json");
    findings.with_file_name(name)
}
