//! Reads JSON lines. One thread cuts a file at line breaks; other threads parse the lines.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::Int64Array;
use arrow_array::builder::BinaryViewBuilder;
use arrow_buffer::Buffer;
use memchr::{memchr_iter, memrchr};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Calls, Piece, Pieces, TextColumns, Wanted, text_fields};
use crate::error::BulkError;

/// Whole lines of a file.
pub(crate) struct Lines {
    path: Arc<PathBuf>,
    bytes: Vec<u8>,
    /// The number of the first line, from 0.
    first: u64,
}

pub(super) fn open(path: &Path, wanted: &Arc<Wanted>) -> Result<Pieces, BulkError> {
    let cut = Cut {
        file: File::open(path).map_err(BulkError::read(path))?,
        path: Arc::new(path.to_path_buf()),
        piece: wanted.batch_bytes,
        begun: Vec::new(),
        line: 0,
        is_at_end: false,
    };
    Ok(Pieces {
        carried: text_fields(&wanted.carried),
        pieces: Box::new(cut),
    })
}

/// Cuts a file into pieces that end with a line break.
struct Cut {
    file: File,
    path: Arc<PathBuf>,
    /// The length of a piece, in bytes. A longer line is a piece of its own.
    piece: usize,
    /// A line whose end was not read yet.
    begun: Vec<u8>,
    line: u64,
    is_at_end: bool,
}

impl Cut {
    fn read(&mut self) -> Result<Option<(Piece, u64)>, BulkError> {
        let mut bytes = core::mem::take(&mut self.begun);
        bytes.reserve_exact(self.piece.saturating_sub(bytes.len()));
        while !self.is_at_end {
            let wanted = u64::try_from(self.piece.saturating_sub(bytes.len()).max(1 << 16));
            let wanted = wanted.map_err(|_| BulkError::Internal)?;
            let from = bytes.len();
            let mut part = self.file.by_ref().take(wanted);
            let read = part
                .read_to_end(&mut bytes)
                .map_err(BulkError::read(&self.path))?;
            self.is_at_end = read == 0;
            if let Some(end) = bytes.get(from..).and_then(|new| memrchr(b'\n', new)) {
                self.begun = bytes.split_off(from + end + 1);
                break;
            }
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        let first = self.line;
        let lines = memchr_iter(b'\n', &bytes).count();
        self.line += u64::try_from(lines).map_err(|_| BulkError::Internal)?;
        let length = u64::try_from(bytes.len()).map_err(|_| BulkError::Internal)?;
        let lines = Lines {
            path: Arc::clone(&self.path),
            bytes,
            first,
        };
        Ok(Some((Piece::Lines(lines), length)))
    }
}

impl Iterator for Cut {
    type Item = Result<(Piece, u64), BulkError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl Lines {
    /// The calls of the lines. A blank line has none.
    pub(super) fn calls(self, wanted: &Wanted) -> Result<Calls, BulkError> {
        let text = Buffer::from_vec(self.bytes);
        let mut rows = Vec::new();
        let mut calls = Views::new(text.clone());
        let mut columns = TextColumns::new(wanted);
        for (number, line) in (self.first..).zip(lines(&text)) {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            rows.push(i64::try_from(number).map_err(|_| BulkError::Internal)?);
            if wanted.whole_lines {
                calls.push(Some(Cow::Borrowed(line)))?;
                continue;
            }
            let found = Found::in_line(line, wanted).map_err(|error| BulkError::Line {
                path: self.path.to_path_buf(),
                line: number.saturating_add(1),
                reason: reason(&error),
            })?;
            calls.push(found.calls)?;
            if let Some(operations) = &mut columns.operations {
                operations.append_option(found.operation);
            }
            for (builder, text) in columns.carried.iter_mut().zip(found.carried) {
                builder.append_option(text);
            }
        }
        let (operations, carried) = columns.finish();
        Ok(Calls {
            rows: Int64Array::from(rows),
            calls: Arc::new(calls.column.finish()),
            operations,
            carried,
        })
    }
}

/// The lines of a text, without their breaks.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr_iter(b'\n', text)
        .chain(core::iter::once(text.len()))
        .filter_map(move |end| text.get(core::mem::replace(&mut start, end + 1)..end))
}

/// A column of calls. Calls that are slices of the text are not copied.
struct Views {
    text: Buffer,
    block: u32,
    column: BinaryViewBuilder,
}

impl Views {
    fn new(text: Buffer) -> Self {
        let mut column = BinaryViewBuilder::new();
        Self {
            block: column.append_block(text.clone()),
            text,
            column,
        }
    }

    fn push(&mut self, call: Option<Cow<'_, [u8]>>) -> Result<(), BulkError> {
        match call {
            Some(Cow::Borrowed(call)) => {
                let start = call.as_ptr().addr().checked_sub(self.text.as_ptr().addr());
                let start = start.and_then(|start| u32::try_from(start).ok());
                let length = u32::try_from(call.len()).ok();
                let (start, length) = start.zip(length).ok_or(BulkError::Internal)?;
                let pushed = self.column.try_append_view(self.block, start, length);
                pushed.map_err(|_| BulkError::Internal)
            }
            Some(Cow::Owned(call)) => {
                self.column.append_value(call);
                Ok(())
            }
            None => {
                self.column.append_null();
                Ok(())
            }
        }
    }
}

/// Says what is wrong with a line, without its content.
fn reason(error: &serde_json::Error) -> String {
    let column = error.column();
    match error.classify() {
        serde_json::error::Category::Data => "it is not a JSON object".to_owned(),
        _ => format!("it is not JSON: the fault is at column {column}"),
    }
}

/// The wanted members of a line.
struct Found<'l> {
    calls: Option<Cow<'l, [u8]>>,
    operation: Option<Cow<'l, str>>,
    carried: Vec<Option<Cow<'l, str>>>,
}

impl<'l> Found<'l> {
    fn in_line(line: &'l [u8], wanted: &Wanted) -> Result<Self, serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_slice(line);
        let found = Members(wanted).deserialize(&mut reader)?;
        reader.end()?;
        Ok(found)
    }
}

struct Members<'w>(&'w Wanted);

impl<'l> DeserializeSeed<'l> for Members<'_> {
    type Value = Found<'l>;

    fn deserialize<D: serde::Deserializer<'l>>(self, reader: D) -> Result<Found<'l>, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'l> Visitor<'l> for Members<'_> {
    type Value = Found<'l>;

    fn expecting(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'l>>(self, mut map: M) -> Result<Found<'l>, M::Error> {
        let wanted = self.0;
        let mut found = Found {
            calls: None,
            operation: None,
            carried: vec![None; wanted.carried.len()],
        };
        while let Some(name) = map.next_key::<Cow<'l, str>>()? {
            let is_operation = wanted.operations.as_deref() == Some(&*name);
            if wanted.calls != name
                && !is_operation
                && !wanted.carried.iter().any(|own| *own == name)
            {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let value: &RawValue = map.next_value()?;
            let text = text_of(value).map_err(M::Error::custom)?;
            if wanted.calls == name {
                found.calls = text.clone().map(|text| match text {
                    Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                    Cow::Owned(text) => Cow::Owned(text.into_bytes()),
                });
            }
            if is_operation {
                found.operation.clone_from(&text);
            }
            let carried = wanted.carried.iter().zip(&mut found.carried);
            for (_, slot) in carried.filter(|(own, _)| **own == name) {
                slot.clone_from(&text);
            }
        }
        Ok(found)
    }
}

/// Returns the content of a string, `None` for `null`, and any other value as it is written.
fn text_of(value: &RawValue) -> Result<Option<Cow<'_, str>>, serde_json::Error> {
    let written = value.get();
    match written.as_bytes().first() {
        Some(b'"') => {
            // Text without escapes is borrowed.
            let inside = written.get(1..written.len().saturating_sub(1));
            match inside.filter(|inside| memchr::memchr(b'\\', inside.as_bytes()).is_none()) {
                Some(inside) => Ok(Some(Cow::Borrowed(inside))),
                None => serde_json::from_str(written).map(|text: String| Some(Cow::Owned(text))),
            }
        }
        Some(b'n') => Ok(None),
        _ => Ok(Some(Cow::Borrowed(written))),
    }
}
