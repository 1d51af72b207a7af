//! What the commands that export have in common.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};

use super::{Failure, Of};
use crate::folders;
use crate::operate::rows::Format;
use crate::store::{AccountId, EXPORTED, Store, StoredReader};

/// How an export is written to standard output.
#[derive(Args)]
pub(super) struct ExportForm {
    /// The format of the output
    #[arg(long, default_value = "csv")]
    format: Format,
}

/// Writes rows with the same columns.
pub(super) struct Rows<'a, W: Write> {
    columns: &'a [&'a str],
    writer: Writer<W>,
}

enum Writer<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Jsonl(W),
}

impl<'a, W: Write> Rows<'a, W> {
    fn new(format: Format, columns: &'a [&'a str], out: W) -> Result<Self, Failure> {
        let writer = match format {
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(columns)?;
                Writer::Csv(Box::new(writer))
            }
            Format::Jsonl => Writer::Jsonl(out),
        };
        Ok(Self { columns, writer })
    }

    /// Writes a row. A NULL is an empty cell in CSV, and is left out of a JSON object.
    pub(super) fn row(&mut self, values: Vec<Value>) -> Result<(), Failure> {
        match &mut self.writer {
            Writer::Csv(writer) => {
                let cells = values.iter().map(|value| match value {
                    Value::Null => String::new(),
                    Value::String(text) => text.clone(),
                    Value::Array(values) => {
                        let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
                        texts.join(";")
                    }
                    value => value.to_string(),
                });
                writer.write_record(cells)?;
            }
            Writer::Jsonl(out) => {
                let members = self.columns.iter().zip(values);
                let members = members.filter(|(_, value)| !value.is_null());
                let members = members.map(|(name, value)| ((*name).to_owned(), value));
                writeln!(out, "{}", Value::Object(members.collect()))?;
            }
        }
        Ok(())
    }

    /// Flushes the rows.
    pub(super) fn end(self) -> Result<(), Failure> {
        match self.writer {
            Writer::Csv(mut writer) => writer.flush()?,
            Writer::Jsonl(mut out) => out.flush()?,
        }
        Ok(())
    }
}

impl ExportForm {
    /// Rows with these columns, to standard output.
    pub(super) fn to_output<'a>(
        &self,
        columns: &'a [&'a str],
    ) -> Result<Rows<'a, io::BufWriter<io::Stdout>>, Failure> {
        Rows::new(self.format, columns, io::BufWriter::new(io::stdout()))
    }
}

/// The columns of a file of subscribers: what `subscriber import` takes, and `subscriber export` writes.
pub(super) fn subscriber_columns() -> Vec<&'static str> {
    let columns = ["email", "id", "inactive", "lists"].into_iter();
    columns.chain(franking::personalization_fields()).collect()
}

/// A subscriber in these columns.
fn cells(columns: &[&str], reader: &StoredReader) -> Vec<Value> {
    let cell = |column: &&str| match *column {
        "email" => reader.email.as_str().into(),
        "id" => reader.id.into(),
        "inactive" => match reader.inactive {
            true => true.into(),
            false => Value::Null,
        },
        "lists" => match reader.lists.is_empty() {
            true => Value::Null,
            false => json!(reader.lists),
        },
        name => {
            let field = reader.fields.iter().find(|(field, _)| field == name);
            field.map_or(Value::Null, |(_, value)| value.as_str().into())
        }
    };
    columns.iter().map(cell).collect()
}

/// Writes all subscribers of an account.
pub(super) async fn subscribers<W: Write>(
    store: &dyn Store,
    account: AccountId,
    columns: &[&str],
    rows: &mut Rows<'_, W>,
) -> Result<(), Failure> {
    let mut after = i64::MIN;
    loop {
        let readers = store.readers_after(account, after).await?;
        let Some(last) = readers.last() else {
            return Ok(());
        };
        after = last.id;
        for reader in &readers {
            rows.row(cells(columns, reader))?;
        }
    }
}

/// What is known of an account, as one archive.
#[derive(Args)]
pub(super) struct Archive {
    #[command(flatten)]
    of: Of,
    /// The archive: a tar file of JSON objects, one on each line. The file must not exist
    file: PathBuf,
}

impl Archive {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        let account = self.of.known(store).await?;
        let mut options = std::fs::File::options();
        // It holds personal data.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.write(true).create_new(true).open(&self.file);
        let file = file.map_err(|error| format!("{}: {error}", self.file.display()))?;
        let written = write(store, account, &self.file, file).await;
        if written.is_err() {
            // The file is incomplete.
            let _ = std::fs::remove_file(&self.file);
        }
        written
    }
}

async fn write(
    store: &dyn Store,
    account: AccountId,
    path: &Path,
    file: std::fs::File,
) -> Result<(), Failure> {
    let mut archive = tar::Builder::new(file);
    for table in EXPORTED {
        let mut part = Part::new(path)?;
        let mut after = i64::MIN;
        loop {
            let rows = store.exported(table, account, after).await?;
            let Some((last, _)) = rows.last() else { break };
            after = *last;
            for (_, row) in &rows {
                part.line(row)?;
            }
        }
        part.append(&mut archive, table.name)?;
    }
    let mut part = Part::new(path)?;
    for sender in store.exported_senders(account).await? {
        part.line(&sender)?;
    }
    part.append(&mut archive, "senders")?;
    let mut part = Part::new(path)?;
    let columns = subscriber_columns();
    let mut rows = Rows::new(Format::Jsonl, &columns, &mut part.0)?;
    subscribers(store, account, &columns, &mut rows).await?;
    rows.end()?;
    part.append(&mut archive, "subscribers")?;
    archive.into_inner()?.sync_all()?;
    Ok(folders::sync(folders::of(path))?)
}

/// A file of the archive, collected in a temporary file first, because a tar archive states the length of a file before its
/// contents.
struct Part(std::fs::File);

impl Part {
    /// Makes a temporary file without a name, in the folder of the archive.
    fn new(path: &Path) -> Result<Self, Failure> {
        Ok(Self(tempfile::tempfile_in(folders::of(path))?))
    }

    fn line(&mut self, row: &Value) -> io::Result<()> {
        writeln!(self.0, "{row}")
    }

    fn append(
        mut self,
        archive: &mut tar::Builder<std::fs::File>,
        name: &str,
    ) -> Result<(), Failure> {
        io::Seek::rewind(&mut self.0)?;
        let mut header = tar::Header::new_ustar();
        header.set_size(self.0.metadata()?.len());
        header.set_mode(0o600);
        header.set_cksum();
        archive.append_data(
            &mut header,
            format!("{name}.jsonl"),
            io::BufReader::new(self.0),
        )?;
        Ok(())
    }
}
