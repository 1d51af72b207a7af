//! Why a command could not be carried out.

use std::io;
use std::path::PathBuf;

use crate::visible::visible;

/// Why a command could not be carried out. The text names files, but shows none of their content.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("{} cannot be read: {source}", shown(path))]
    Read { path: PathBuf, source: io::Error },
    #[error("{} cannot be written: {source}", shown(path))]
    Write { path: PathBuf, source: io::Error },
    #[error("{} is not UTF-8", shown(path))]
    NotUtf8 { path: PathBuf },
    #[error("{} is not a {what}: {}", shown(path), visible(reason))]
    Form {
        path: PathBuf,
        what: &'static str,
        reason: String,
    },
    #[error("there is no rule or code {}: `franking rules` lists them", visible(.0))]
    Unknown(String),
    #[error("the output cannot be written: {0}")]
    Output(#[from] io::Error),
}

fn shown(path: &std::path::Path) -> String {
    if path.as_os_str() == "-" {
        return "standard input".to_string();
    }
    visible(&path.to_string_lossy())
}
