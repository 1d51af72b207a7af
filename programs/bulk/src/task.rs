//! Carries out what a command asks for, with all files of calls.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crate::arguments::Input;
use crate::chart;
use crate::error::BulkError;
use crate::files::{self, CallFile, Format};
use crate::finished::{self, Settings};
use crate::judge::Judge;
use crate::progress::Progress;
use crate::read::Wanted;
use crate::summary::{Done, Summary};
use crate::work::{Event, Work};
use crate::write::{Folder, Results, Which};

/// The result of a command. The number is the exit status of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// No call is refused or changed.
    Fine = 0,
    /// At least one call is.
    Notable = 1,
}

/// The work to do on the calls of some files.
pub(crate) struct Task {
    pub(crate) input: Input,
    /// The column of calls.
    pub(crate) column: String,
    /// The column of operations, if each call has its own.
    pub(crate) operations: Option<String>,
    pub(crate) judge: Judge,
    pub(crate) done: Done,
    pub(crate) which: Which,
    pub(crate) folder: Option<Folder>,
    pub(crate) svg: Option<PathBuf>,
    pub(crate) json: bool,
}

impl Task {
    /// Everything that the findings in a folder depend on, except the calls.
    fn settings(&self, folder: &Folder) -> Settings {
        let mut values = self.judge.settings();
        let Input { lines, carry, .. } = &self.input;
        values.extend([
            format!("{} {lines} {carry:?} {:?}", self.column, self.operations),
            format!("{:?} {:?}", self.which, folder.form),
        ]);
        Settings::of(&values)
    }

    /// Carries the task out.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub(crate) fn run(self) -> Result<Status, BulkError> {
        let files = files::find(&self.input.files)?;
        let folder = self.folder.as_ref();
        let folder = folder.map(|folder| (folder, self.settings(folder)));
        let (mut summary, left) = match &folder {
            Some((folder, settings)) => {
                folder.check(&files)?;
                finished_before(folder, files, settings)
            }
            None => (Summary::default(), files),
        };
        let folder = folder
            .as_ref()
            .map(|(folder, settings)| (*folder, settings));
        self.work(&left, folder, &mut summary)?;
        if let Some(path) = &self.svg {
            fs::write(path, chart::svg(&summary)).map_err(BulkError::write(path))?;
        }
        let mut out = anstream::stdout().lock();
        let written = if self.json {
            serde_json::to_writer(&mut out, &summary.to_form())
                .map_err(Into::into)
                .and_then(|()| writeln!(out))
        } else {
            summary.write(&mut out, self.done)
        };
        match written.and_then(|()| out.flush()) {
            // The reader of the output has closed it, as `head` does. The work is done, and its status is known.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            written => written.map_err(BulkError::Output)?,
        }
        Ok(match summary.notable() {
            0 => Status::Fine,
            _ => Status::Notable,
        })
    }

    fn work(
        &self,
        files: &[CallFile],
        folder: Option<(&Folder, &Settings)>,
        summary: &mut Summary,
    ) -> Result<(), BulkError> {
        let processors = || thread::available_parallelism().map_or(1, usize::from);
        let threads = self.input.threads.map_or_else(processors, usize::from);
        let memory = usize::try_from(self.input.memory).unwrap_or(usize::MAX);
        let memory = memory.saturating_mul(1 << 20);
        let wanted = Wanted {
            calls: self.column.clone(),
            operations: self.operations.clone(),
            carried: self.input.carry.clone(),
            whole_lines: self.input.lines,
            // For each thread there is a piece, its findings, and a piece that waits.
            batch_bytes: (memory / threads / 4).clamp(1 << 16, 16 << 20),
        };
        let work = Work {
            files,
            judge: &self.judge,
            wanted: Arc::new(wanted),
            threads,
            waiting_bytes: memory / 8,
        };
        let mut progress = Progress::new(files.iter().map(|file| file.length).sum());
        let mut of_file = Summary::default();
        let mut results = None;
        let done = work.run(|event| {
            match event {
                Event::Begin { file, carried } => {
                    of_file = Summary::default();
                    if let Some((folder, _)) = folder {
                        results = Some(Results::begin(folder, file, carried, self.which)?);
                    }
                }
                Event::Found(found) => {
                    progress.calls(found.judged.summary.calls);
                    of_file.add(&found.judged.summary);
                    if let Some(results) = &mut results {
                        results.write(&found)?;
                    }
                }
                Event::Worked { bytes } => progress.bytes(bytes),
                Event::End { file } => {
                    self.check_end(file, &of_file)?;
                    summary.add(&of_file);
                    if let Some((folder, settings)) = folder {
                        finished::forget(folder, file)?;
                        results.take().map_or(Ok(()), Results::end)?;
                        finished::note(folder, file, settings, &of_file)?;
                    }
                }
            }
            Ok(())
        });
        progress.end();
        done
    }

    /// JSON lines have no columns that could be checked beforehand. If no line has the member, its name is probably wrong.
    fn check_end(&self, file: &CallFile, summary: &Summary) -> Result<(), BulkError> {
        if file.format == Format::JsonLines && summary.calls == 0 && summary.empty > 0 {
            return Err(BulkError::NoMember {
                path: file.path.clone(),
                column: self.column.clone(),
            });
        }
        Ok(())
    }
}

/// The summary of the files that already have their findings, and the other files.
fn finished_before(
    folder: &Folder,
    files: Vec<CallFile>,
    settings: &Settings,
) -> (Summary, Vec<CallFile>) {
    let mut summary = Summary::default();
    let mut left = Vec::new();
    for file in files {
        match finished::known(folder, &file, settings) {
            Some(finished) => summary.add(&finished),
            None => left.push(file),
        }
    }
    (summary, left)
}
