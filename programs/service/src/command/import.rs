//! What the commands that import have in common.
//!
//! Rows are stored a batch at a time, and with each batch the number of rows that are done. So an import that was killed goes
//! on where it was when the same file is imported again. The refused rows of a batch are written into their file before the
//! batch is stored. The length of that file is stored with the batch as well. If a batch was not stored, its refused rows are
//! beyond the stored length, and are cut off.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::operate::import::{Bar, Refused, RefusedRow};
use crate::operate::rows::{Format, Row, Rows};
use crate::store::{Imported, Progress, Reply, Store};

/// How many rows are brought in together.
const BATCH: usize = 1_000;
/// The bytes of a file at which a batch ends, even if it has fewer rows.
const BATCH_BYTES: u64 = 8 << 20;

/// A file to import.
#[derive(Args)]
pub(super) struct ImportedFile {
    /// The file
    file: PathBuf,
    /// The format of the file, if the ending of its name does not tell
    #[arg(long)]
    format: Option<Format>,
    /// The file for rows that cannot be taken, which must be new; by default a file beside the imported one
    #[arg(long, value_name = "FILE")]
    refused: Option<PathBuf>,
    /// Only say how many rows would be imported and refused, and import nothing
    #[arg(long)]
    dry_run: bool,
}

/// The result of each row of a batch.
pub(super) type Batch = Reply<Vec<Imported>>;

/// The reason why a row was not taken.
const fn reason(imported: Imported) -> Option<&'static str> {
    match imported {
        Imported::New => None,
        Imported::SameAddress => Some("a subscriber with this address exists already"),
        Imported::SameNumber => Some("a subscriber with this number exists already"),
    }
}

impl ImportedFile {
    /// Like [`ImportedFile::run`], for things that replace existing ones, so that each of them is stored.
    pub(super) async fn run_over<T: Clone>(
        self,
        store: &dyn Store,
        what: &str,
        columns: &[&str],
        parse: impl Fn(&mut Row) -> Result<T, String>,
        store_all: impl Fn(Vec<T>, Progress) -> Reply<()>,
    ) -> Result<(), Failure> {
        self.run(store, what, columns, parse, |things, progress, tries| {
            let all = vec![Imported::New; things.len()];
            let stored = (!tries).then(|| store_all(things, progress));
            Box::pin(async move {
                if let Some(stored) = stored {
                    stored.await?;
                }
                Ok(all)
            })
        })
        .await
    }

    /// Imports the file. `what` names the things, `parse` makes a thing of a row, and `store_all` stores a batch of them, or
    /// nothing if one of them cannot be stored. If its last argument is true, `store_all` stores nothing and only says what
    /// would come of the batch.
    pub(super) async fn run<T: Clone>(
        self,
        store: &dyn Store,
        what: &str,
        columns: &[&str],
        parse: impl Fn(&mut Row) -> Result<T, String>,
        store_all: impl Fn(Vec<T>, Progress, bool) -> Batch,
    ) -> Result<(), Failure> {
        let mut rows = Rows::open(&self.file, self.format, what)?;
        rows.expect(columns)?;
        let file = rows.digest();
        let before = match self.dry_run {
            true => None,
            false => store.imported(file).await?,
        };
        let mut refused = match self.dry_run && self.refused.is_none() {
            true => Refused::counted(),
            false => {
                let length = before.map(|before| before.refused.unsigned_abs());
                Refused::open(&rows, self.refused, length)?
            }
        };
        let before = before.map_or(0, |before| before.rows);
        if before == 0 && !self.dry_run {
            // From here on, the file of refused rows is that of this import.
            store.begin_import(file).await?;
        }
        let bar = Bar::over(&rows);
        let mut progress = Progress {
            file,
            rows: 0,
            refused: 0,
        };
        while progress.rows < before && rows.next()?.is_some() {
            progress.rows = progress.rows.saturating_add(1);
        }
        let mut taken = 0_u64;
        loop {
            let (mut things, mut of_things) = (Vec::new(), Vec::new());
            let mut refused_here: Vec<RefusedRow> = Vec::new();
            let mut read = 0_usize;
            let begun = rows.place();
            while read < BATCH
                && rows.place().saturating_sub(begun) < BATCH_BYTES
                && let Some(row) = rows.next()?
            {
                read = read.saturating_add(1);
                match row {
                    Err((line, reason)) => {
                        let values = serde_json::Map::new();
                        refused_here.push((Row { line, values }, reason.into()));
                    }
                    Ok(row) => match parse(&mut row.clone()) {
                        Ok(thing) => {
                            things.push(thing);
                            of_things.push(row);
                        }
                        Err(reason) => refused_here.push((row, reason.into())),
                    },
                }
            }
            progress.rows = progress.rows.saturating_add(read as i64);
            if read == 0 {
                break;
            }
            loop {
                refused_here.sort_by_key(|(row, _)| row.line);
                let length = refused.write(&refused_here)?;
                progress.refused = length.cast_signed();
                let came = store_all(things.clone(), progress, self.dry_run).await?;
                if came.iter().all(|came| reason(*came).is_none()) {
                    taken = taken.saturating_add(things.len() as u64);
                    refused.keep(&refused_here, length);
                    break;
                }
                // Nothing is stored. The batch is tried again without the rows that cannot be stored.
                let all = things.into_iter().zip(of_things).zip(came);
                (things, of_things) = (Vec::new(), Vec::new());
                for ((thing, row), came) in all {
                    match reason(came) {
                        None => {
                            things.push(thing);
                            of_things.push(row);
                        }
                        Some(reason) => refused_here.push((row, reason.into())),
                    }
                }
            }
            bar.show(&rows, progress.rows);
        }
        drop(bar);
        refused.end()?;
        if !self.dry_run {
            store.end_import(file).await?;
        }
        let would = if self.dry_run { "would be " } else { "" };
        if before > 0 {
            say!("rows done before: {before}");
        }
        say!("{would}imported: {taken}");
        for (reason, count) in &refused.reasons {
            say!("{would}refused, {reason}: {count}");
        }
        if let Some(path) = refused.path() {
            say!("refused rows are in {}", path.display());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn the_page_says_how_many_rows_are_stored_at_a_time() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = std::fs::read_to_string(root.join("../../docs/operating.md")).unwrap();
        assert_eq!(BATCH % 1_000, 0);
        assert!(page.contains(&format!("stores {},000 rows at a time", BATCH / 1_000)));
    }
}
