//! `target/bench/ratios.json`: the medians of all languages in one file. Each language adds its own.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::{Map, Value};

/// Where the file lies: `target/bench/ratios.json`, below `CARGO_TARGET_DIR` if that is set.
#[must_use]
pub fn path() -> PathBuf {
    directory().join("ratios.json")
}

/// `target/bench`, for all files that benchmarks write.
#[must_use]
pub fn directory() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    env::var_os("CARGO_TARGET_DIR")
        .map_or(beside, PathBuf::from)
        .join("bench")
}

/// Replaces one section of the file (`rust`, `memory_w3_mb`, ...) and leaves the others as they are.
///
/// # Errors
/// When the file can be neither read nor written, or holds something else than a JSON object.
pub fn merge(path: &Path, section: &str, value: Value) -> io::Result<()> {
    let mut sections: Map<String, Value> = match fs::read(path) {
        Ok(bytes) => serde_json::from_slice(&bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Map::new(),
        Err(error) => return Err(error),
    };
    sections.insert(section.to_owned(), value);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut text = serde_json::to_string_pretty(&sections)?;
    text.push('\n');
    fs::write(path, text)
}

/// Rounds to three digits after the point: more would be noise.
#[must_use]
pub fn rounded(number: f64) -> Value {
    Value::from((number * 1_000.0).round() / 1_000.0)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{directory, merge, rounded};

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let path = directory().join(format!("test-{}.json", std::process::id()));
        merge(&path, "rust", json!({"W1": 1})).expect("written");
        merge(&path, "memory_w3_mb", rounded(5.12345)).expect("written");
        merge(&path, "rust", json!({"W1": 0.5})).expect("written");
        let read = std::fs::read(&path).expect("read");
        std::fs::remove_file(&path).expect("removed");
        let sections: Value = serde_json::from_slice(&read).expect("JSON");
        assert_eq!(
            sections,
            json!({"rust": {"W1": 0.5}, "memory_w3_mb": 5.123})
        );
    }
}
