//! Reads the bodies that a command inspects: from files, folders, standard input, or lines of these.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use franking::{Operation, Policy};
use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use walkdir::WalkDir;

use crate::error::CommandError;

/// The file name that means standard input.
const STANDARD_INPUT: &str = "-";

/// A body, and where it comes from.
pub(crate) struct Body {
    pub(crate) path: PathBuf,
    /// The number of its line in the file, from 1; `None` when it is the whole file.
    pub(crate) line: Option<usize>,
    pub(crate) operation: Operation,
    pub(crate) bytes: Vec<u8>,
}

impl Body {
    /// A body that is not in a file.
    pub(crate) fn of_text(label: &str, operation: Option<Operation>, bytes: Vec<u8>) -> Self {
        Self {
            path: PathBuf::from(label),
            line: None,
            operation: operation.unwrap_or_else(|| operation_of(&bytes)),
            bytes,
        }
    }

    /// The file, and the line if there is one, for people.
    pub(crate) fn label(&self) -> String {
        let path = label(&self.path);
        match self.line {
            Some(line) => format!("{path}:{line}"),
            None => path,
        }
    }
}

/// The name of a file for people.
pub(crate) fn label(path: &Path) -> String {
    if path == Path::new(STANDARD_INPUT) {
        return "standard input".to_string();
    }
    crate::visible::visible(&path.to_string_lossy())
}

/// How to read bodies from files.
pub(crate) struct Source {
    pub(crate) operation: Option<Operation>,
    pub(crate) lines: bool,
}

/// The named files, and the `.json` and `.jsonl` files in named folders in the order of their names.
///
/// # Errors
/// A folder cannot be read.
pub(crate) fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        for entry in WalkDir::new(path).sort_by_file_name() {
            let entry = entry.map_err(|error| CommandError::Read {
                path: path.clone(),
                source: error.into(),
            })?;
            let is_body = entry
                .path()
                .extension()
                .is_some_and(|extension| extension == "json" || extension == "jsonl");
            if entry.file_type().is_file() && is_body {
                files.push(entry.into_path());
            }
        }
    }
    Ok(files)
}

/// The number of bytes of all files; `None` when the length of one is known only by reading it.
pub(crate) fn total(files: &[PathBuf]) -> Option<u64> {
    files
        .iter()
        .map(|path| {
            let metadata = std::fs::metadata(path).ok()?;
            metadata.is_file().then_some(metadata.len())
        })
        .sum()
}

impl Source {
    /// Passes each body of a file to `take`, one after the other.
    ///
    /// # Errors
    /// When the file cannot be read, or `take` fails.
    pub(crate) fn read(
        &self,
        path: &Path,
        take: &mut impl FnMut(Body) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let in_lines = self.lines
            || path
                .extension()
                .is_some_and(|extension| extension == "jsonl");
        let failed = |source| CommandError::Read {
            path: path.to_path_buf(),
            source,
        };
        let mut reader = open(path).map_err(failed)?;
        let named = self.operation.or_else(|| operation_in_name(path));
        let body = |line, bytes: Vec<u8>| Body {
            path: path.to_path_buf(),
            line,
            operation: named.unwrap_or_else(|| operation_of(&bytes)),
            bytes,
        };
        if !in_lines {
            let bytes = read_all(&mut reader).map_err(failed)?;
            return take(body(None, bytes));
        }
        let mut number = 0;
        while let Some(bytes) = read_line(&mut reader).map_err(failed)? {
            number += 1;
            if !bytes.trim_ascii().is_empty() {
                take(body(Some(number), bytes))?;
            }
        }
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new(STANDARD_INPUT) {
        return Ok(Box::new(BufReader::new(io::stdin())));
    }
    Ok(Box::new(BufReader::with_capacity(
        1 << 16,
        File::open(path)?,
    )))
}

fn read_all(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The next line without its line break; `None` after the last line.
fn read_line(reader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if reader.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    Ok(Some(line))
}

/// The operation in a name such as `first.sendMailer.json`.
fn operation_in_name(path: &Path) -> Option<Operation> {
    let stem = Path::new(path.file_stem()?);
    Operation::from_name(stem.extension()?.to_str()?)
}

/// The operation that a body is for, judged by its fields. A body that cannot be read counts as httpSendMail's if it has
/// `"requests"` anywhere.
pub(crate) fn operation_of(body: &[u8]) -> Operation {
    let is_http_send_mail = match serde_json::from_slice::<Names>(body) {
        Ok(names) => names.is_http_send_mail,
        Err(_) => body.windows(10).any(|name| name == b"\"requests\""),
    };
    if is_http_send_mail {
        Operation::HttpSendMail
    } else {
        Operation::SendMailer
    }
}

/// The operation that the names of an object's members show.
struct Names {
    is_http_send_mail: bool,
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Names, A::Error> {
        let mut names = Names {
            is_http_send_mail: false,
        };
        while let Some(name) = members.next_key::<std::borrow::Cow<'de, str>>()? {
            names.is_http_send_mail |= matches!(&*name, "requests" | "ApiKey");
            members.next_value::<IgnoredAny>()?;
        }
        Ok(names)
    }
}

/// Reads a whole file.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, CommandError> {
    let failed = |source| CommandError::Read {
        path: path.to_path_buf(),
        source,
    };
    open(path)
        .and_then(|mut reader| read_all(&mut reader))
        .map_err(failed)
}

/// Like [`read_bytes`], for a text. A byte order mark is removed.
///
/// # Errors
/// When it cannot be read, or is not UTF-8.
pub(crate) fn read_text(path: &Path) -> Result<String, CommandError> {
    let text = String::from_utf8(read_bytes(path)?);
    let text = text.map_err(|_| CommandError::NotUtf8 {
        path: path.to_path_buf(),
    })?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map(str::to_string)
        .unwrap_or(text))
}

/// Reads the policy in a file; without a file, the default policy.
///
/// # Errors
/// When the file cannot be read, or is not a policy.
pub(crate) fn read_policy(path: Option<&Path>) -> Result<Policy, CommandError> {
    let Some(path) = path else {
        return Ok(Policy::default());
    };
    serde_json::from_str(&read_text(path)?).map_err(|error| CommandError::Form {
        path: path.to_path_buf(),
        what: "policy",
        reason: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operation_is_that_of_the_name_or_of_the_fields() {
        assert_eq!(
            operation_in_name(Path::new("a/b.sendMailer.json")),
            Some(Operation::SendMailer)
        );
        assert_eq!(operation_in_name(Path::new("b.json")), None);
        assert_eq!(operation_of(br#"{"apiKey":"k"}"#), Operation::SendMailer);
        assert_eq!(operation_of(br#"{"requests":[]}"#), Operation::HttpSendMail);
        assert_eq!(operation_of(br#"{"ApiKey":1}"#), Operation::HttpSendMail);
        assert_eq!(operation_of(br#"{"requests": ["#), Operation::HttpSendMail);
        assert_eq!(
            operation_of(br#"{"x":{"requests":1}}"#),
            Operation::SendMailer
        );
    }

    #[test]
    fn lines_end_with_either_line_break() {
        let mut reader = &b"one\r\ntwo\n\nlast"[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut reader).unwrap() {
            lines.push(String::from_utf8(line).unwrap());
        }
        assert_eq!(lines, ["one", "two", "", "last"]);
    }
}
