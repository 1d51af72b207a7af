//! Writes findings: for each file of calls a file of the same name, below one folder.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_json::LineDelimitedWriter;
use arrow_schema::{Field, Schema, SchemaRef};
use arrow_select::filter::filter_record_batch;
use clap::ValueEnum;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::error::BulkError;
use crate::files::CallFile;
use crate::work::Found;

/// The format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Parquet, with Zstandard
    Parquet,
    /// Arrow's IPC format, as a file
    Arrow,
    /// A JSON object for each call
    Jsonl,
}

impl Form {
    const fn ending(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Jsonl => "jsonl",
        }
    }
}

/// The folder into which findings are written.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    pub(crate) form: Form,
}

impl Folder {
    pub(crate) fn new(path: PathBuf, form: Form) -> Self {
        Self { path, form }
    }

    /// The file for the findings of a file of calls.
    pub(crate) fn place(&self, file: &CallFile) -> PathBuf {
        let place = self.path.join(&file.name);
        let ending = self.form.ending();
        if place.extension().is_some_and(|own| own == ending) {
            place
        } else {
            with_ending(&place, ending)
        }
    }

    /// Checks that no two files of findings would have the same path, and that no file of calls would be overwritten.
    ///
    /// # Errors
    /// Two files would have the same path, or a file of calls would be overwritten.
    pub(crate) fn check(&self, files: &[CallFile]) -> Result<(), BulkError> {
        let own = files
            .iter()
            .filter_map(|file| file.path.canonicalize().ok());
        let own: HashSet<PathBuf> = own.collect();
        let mut places = HashSet::new();
        for file in files {
            let place = self.place(file);
            if place.canonicalize().is_ok_and(|there| own.contains(&there)) {
                return Err(BulkError::OverInput { path: place });
            }
            if let Some(path) = places.replace(place) {
                return Err(BulkError::SameName { path });
            }
        }
        Ok(())
    }
}

/// A path with one more ending.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Removes a file, if there is one.
///
/// # Errors
/// It cannot be removed.
pub(crate) fn remove(path: &Path) -> Result<(), BulkError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BulkError::write(path)(error)),
        _ => Ok(()),
    }
}

/// The calls and columns to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Which {
    /// Whether to write only calls that are refused or changed.
    pub(crate) notable_only: bool,
    /// Whether to write a column with the number of each call in its file.
    pub(crate) has_rows: bool,
}

/// A file of findings that is being written.
pub(crate) struct Results {
    /// Its path until it is complete.
    part: PathBuf,
    place: PathBuf,
    form: Form,
    which: Which,
    carried: Vec<Arc<Field>>,
    writer: Option<Writer>,
}

enum Writer {
    Parquet(Box<ArrowWriter<File>>),
    Arrow(Box<FileWriter<BufWriter<File>>>),
    Lines(LineDelimitedWriter<BufWriter<File>>),
}

impl Results {
    /// Begins the file for the findings of a file of calls.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub(crate) fn begin(
        folder: &Folder,
        file: &CallFile,
        carried: Vec<Arc<Field>>,
        which: Which,
    ) -> Result<Self, BulkError> {
        let place = folder.place(file);
        if let Some(above) = place.parent() {
            fs::create_dir_all(above).map_err(BulkError::write(above))?;
        }
        Ok(Self {
            part: with_ending(&place, "part"),
            place,
            form: folder.form,
            which,
            carried,
            writer: None,
        })
    }

    /// Writes the findings of a batch.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&mut self, found: &Found) -> Result<(), BulkError> {
        let failed = || BulkError::written(&self.part);
        let batch = self.batch(found).map_err(failed())?;
        let batch = match &found.judged.notable {
            Some(notable) if self.which.notable_only => {
                filter_record_batch(&batch, notable).map_err(failed())?
            }
            _ => batch,
        };
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => {
                let writer = Writer::new(&self.part, self.form, &batch.schema())?;
                self.writer.insert(writer)
            }
        };
        writer.write(&batch).map_err(BulkError::written(&self.part))
    }

    /// The columns of a batch: the number, the carried columns, the findings.
    fn batch(&self, found: &Found) -> Result<RecordBatch, arrow_schema::ArrowError> {
        let columns = &found.judged.columns;
        let schema = columns.schema();
        let mut fields: Vec<Arc<Field>> = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        if self.which.has_rows {
            fields.push(Arc::new(Field::new(
                "row",
                found.rows.data_type().clone(),
                false,
            )));
            arrays.push(Arc::new(found.rows.clone()));
        }
        fields.extend(self.carried.iter().cloned());
        arrays.extend(found.carried.iter().cloned());
        fields.extend(schema.fields().iter().cloned());
        arrays.extend(columns.columns().iter().cloned());
        let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
        RecordBatch::try_new(Arc::new(schema), arrays)
    }

    /// Completes the file and gives it its final name. A file without any calls gets no file of findings.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn end(self) -> Result<(), BulkError> {
        let Some(writer) = self.writer else {
            // Findings of an earlier version of the file of calls no longer apply.
            return remove(&self.place);
        };
        writer.end().map_err(BulkError::written(&self.part))?;
        fs::rename(&self.part, &self.place).map_err(BulkError::write(&self.place))
    }
}

impl Writer {
    fn new(path: &Path, form: Form, schema: &SchemaRef) -> Result<Self, BulkError> {
        let file = File::create(path).map_err(BulkError::write(path))?;
        match form {
            Form::Parquet => {
                let level = ZstdLevel::try_new(3).map_err(|_| BulkError::Internal)?;
                let properties =
                    WriterProperties::builder().set_compression(Compression::ZSTD(level));
                let writer =
                    ArrowWriter::try_new(file, Arc::clone(schema), Some(properties.build()));
                let writer = writer.map_err(|error| BulkError::written(path)(error.into()))?;
                Ok(Self::Parquet(Box::new(writer)))
            }
            Form::Arrow => {
                let writer = FileWriter::try_new(BufWriter::new(file), schema);
                Ok(Self::Arrow(Box::new(
                    writer.map_err(BulkError::written(path))?,
                )))
            }
            Form::Jsonl => Ok(Self::Lines(LineDelimitedWriter::new(BufWriter::new(file)))),
        }
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), arrow_schema::ArrowError> {
        match self {
            Self::Parquet(writer) => Ok(writer.write(batch)?),
            Self::Arrow(writer) => writer.write(batch),
            Self::Lines(writer) => writer.write(batch),
        }
    }

    fn end(self) -> Result<(), arrow_schema::ArrowError> {
        match self {
            Self::Parquet(mut writer) => Ok(writer.finish().map(drop)?),
            Self::Arrow(mut writer) => writer.finish(),
            Self::Lines(mut writer) => {
                writer.finish()?;
                Ok(writer.into_inner().flush()?)
            }
        }
    }
}
