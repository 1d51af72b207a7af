//! A row of a file that is imported.

use serde_json::{Map, Value};

/// A row of a file: its values by the names of their columns. Empty cells of CSV are left out.
#[derive(Clone)]
pub(crate) struct Row {
    /// The line on which it begins, from 1.
    pub(crate) line: u64,
    /// Its values.
    pub(crate) values: Map<String, Value>,
}

impl Row {
    /// Takes a text.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        match self.values.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) if text.contains('\0') => {
                Err(format!("{name} holds a character NUL"))
            }
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("{name} is not a text")),
        }
    }

    /// Takes a text that has to be there.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(crate) fn needed(&mut self, name: &str) -> Result<String, String> {
        self.text(name)?.ok_or_else(|| format!("{name} is missing"))
    }

    /// Takes a number, from 1 on.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let number = match self.values.remove(name) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_u64(),
        };
        let is_id = |number: &u64| (1..=i64::MAX.unsigned_abs()).contains(number);
        let number = number.filter(is_id);
        number
            .map(Some)
            .ok_or_else(|| format!("{name} is not a number from 1 to {}", i64::MAX))
    }

    /// Takes a truth value: `true`, `yes` or `1`, or `false`, `no` or `0`. It is false if it is missing.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, String> {
        let text = match self.values.remove(name) {
            None | Some(Value::Null) => return Ok(false),
            Some(Value::Bool(flag)) => return Ok(flag),
            Some(Value::String(text)) => text,
            Some(value) => value.to_string(),
        };
        match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "1" => Ok(true),
            "false" | "no" | "0" => Ok(false),
            _ => Err(format!("{name} is neither yes nor no")),
        }
    }

    /// Takes several texts: an array, or in CSV a text in which `;` separates them.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, String> {
        let texts: Vec<String> = match self.values.remove(name) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) => text.split(';').map(|one| one.trim().to_owned()).collect(),
            Some(Value::Array(values)) => {
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let texts: Option<Vec<String>> = values.iter().map(text).collect();
                texts.ok_or_else(|| format!("{name} is not an array of texts"))?
            }
            Some(_) => return Err(format!("{name} is not an array of texts")),
        };
        match texts.iter().any(|text| text.contains('\0')) {
            true => Err(format!("{name} holds a character NUL")),
            false => Ok(texts.into_iter().filter(|text| !text.is_empty()).collect()),
        }
    }

    /// Checks that all values were taken.
    ///
    /// # Errors
    /// The reason why the row is refused: a column that is not known.
    pub(crate) fn end(&self) -> Result<(), String> {
        match self.values.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("there is no {name}")),
        }
    }
}
