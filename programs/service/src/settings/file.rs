//! The settings file, and the places in it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::{Given, SettingsError};

/// A settings file as it was read.
#[derive(Debug)]
pub struct File {
    path: PathBuf,
    text: String,
}

impl File {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| SettingsError::new(path.display().to_string(), error.to_string()))?;
        Ok(Self {
            path: path.to_owned(),
            text,
        })
    }

    pub(super) fn given(&self) -> Result<Given, SettingsError> {
        toml::from_str(&self.text).map_err(|error| {
            let place = match error.span() {
                Some(span) => self.at(&span),
                None => self.path.display().to_string(),
            };
            // The message alone: the error's own Display shows the line, which may hold a password.
            SettingsError::new(place, error.message())
        })
    }

    /// The place of a setting in the file.
    pub(super) fn place(&self, setting: &str) -> Option<String> {
        let table = DeTable::parse(&self.text).ok()?;
        let (name, _) = table.get_ref().get_key_value(setting)?;
        Some(format!("{}: {setting}", self.at(&name.span())))
    }

    fn at(&self, span: &Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or_default();
        let line = before.matches('\n').count().saturating_add(1);
        let start = before.rfind('\n').map_or(0, |end| end.saturating_add(1));
        let column = before.get(start..).unwrap_or_default().chars().count();
        let column = column.saturating_add(1);
        format!("{}:{line}:{column}", self.path.display())
    }
}
