//! The vectors in `tests/vectors`, with their recipes expanded.

use std::sync::OnceLock;

use serde_json::{Map, Value};

/// Every case of every file, read once: the file's name and the case itself.
pub(crate) fn cases() -> &'static [(String, Value)] {
    static CASES: OnceLock<Vec<(String, Value)>> = OnceLock::new();
    CASES.get_or_init(read)
}

fn read() -> Vec<(String, Value)> {
    let rows = rows().into_iter();
    rows.map(|(name, row)| (name, expand(&row["case"])))
        .collect()
}

/// Every row of every file, as it is written: the file's name, and the row with its case and what is expected.
pub(crate) fn rows() -> Vec<(String, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        for row in file["cases"].as_array().unwrap() {
            rows.push((name.clone(), row.clone()));
        }
    }
    rows
}

/// The value with its recipes expanded: `$parts` is a text built from repeated parts, `$items` an array of repeated items.
fn expand(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expand).collect(),
        Value::Object(members) => match only(members) {
            Some(("$parts", Value::Array(parts))) => {
                Value::String(parts.iter().map(repeated).collect())
            }
            Some(("$items", Value::Array(items))) => {
                let mut expanded = Vec::new();
                for item in items {
                    for index in 0..item[1].as_u64().unwrap() {
                        expanded.push(numbered(&expand(&item[0]), index));
                    }
                }
                Value::Array(expanded)
            }
            _ => Value::Object(
                members
                    .iter()
                    .map(|(key, value)| (key.clone(), expand(value)))
                    .collect(),
            ),
        },
        other => other.clone(),
    }
}

fn only(members: &Map<String, Value>) -> Option<(&str, &Value)> {
    let (key, value) = members.iter().next()?;
    (members.len() == 1).then_some((key.as_str(), value))
}

fn repeated(part: &Value) -> String {
    let text = part[0].as_str().unwrap();
    let count = part[1].as_u64().unwrap();
    let Some(first) = part.get(2).and_then(Value::as_u64) else {
        return text.repeat(usize::try_from(count).unwrap());
    };
    (first..first + count)
        .map(|number| text.replace('#', &number.to_string()))
        .collect()
}

fn numbered(value: &Value, index: u64) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| numbered(item, index)).collect(),
        Value::Object(members) => match only(members) {
            Some(("$number", first)) => Value::from(first.as_u64().unwrap() + index),
            _ => Value::Object(
                members
                    .iter()
                    .map(|(key, value)| (key.clone(), numbered(value, index)))
                    .collect(),
            ),
        },
        other => other.clone(),
    }
}
