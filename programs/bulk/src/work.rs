//! Works on the pieces of files with several threads, and hands out the findings in the order of the calls.
//!
//! One thread cuts files into pieces. Worker threads judge the pieces. The caller's thread takes the findings. Memory
//! is bounded: at most two pieces are held for each worker, and the findings that wait for their turn have a bound in
//! bytes ([`Waiting`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use arrow_array::{Array as _, ArrayRef, Int64Array};
use arrow_schema::{ArrowError, FieldRef};

use crate::error::BulkError;
use crate::files::CallFile;
use crate::judge::{Judge, Judged};
use crate::read::{self, Calls, Piece, Wanted};

/// An event of the work. Events come in order.
pub(crate) enum Event<'w> {
    /// A file begins.
    Begin {
        file: &'w CallFile,
        /// The columns of the file that are carried.
        carried: Vec<FieldRef>,
    },
    /// Findings of the file that began last.
    Found(Box<Found>),
    /// A piece of that file is done. `bytes` is the length of the piece.
    Worked { bytes: u64 },
    /// That file has ended.
    End { file: &'w CallFile },
}

/// The findings of a batch.
pub(crate) struct Found {
    pub(crate) judged: Judged,
    /// The number of each call in its file.
    pub(crate) rows: Int64Array,
    pub(crate) carried: Vec<ArrayRef>,
}

impl Found {
    fn bytes(&self) -> usize {
        let carried = self.carried.iter().map(|own| own.get_array_memory_size());
        let rows = self.rows.get_array_memory_size();
        self.judged.columns.get_array_memory_size() + rows + carried.sum::<usize>()
    }
}

/// The files, and how to work on them.
pub(crate) struct Work<'w> {
    pub(crate) files: &'w [CallFile],
    pub(crate) judge: &'w Judge,
    pub(crate) wanted: Arc<Wanted>,
    pub(crate) threads: usize,
    /// The most bytes of findings that may wait for their turn.
    pub(crate) waiting_bytes: usize,
}

/// An item that the caller's thread waits for. Items are taken in order.
enum Slot<'w> {
    Event(Event<'w>),
    /// A piece that a worker judges.
    Piece {
        found: Receiver<Result<Found, BulkError>>,
        bytes: u64,
    },
    Failed(BulkError),
}

/// A piece for a worker.
struct Job<'w> {
    /// The number of the pieces before it, by which it knows its turn.
    number: u64,
    file: &'w CallFile,
    piece: Piece,
    found: Sender<Result<Found, BulkError>>,
}

/// Works on a file. A panic becomes an error: a crafted file may make a library panic, and no finding may be lost silently.
fn caught(file: &CallFile, work: impl FnOnce() -> Result<(), BulkError>) -> Result<(), BulkError> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| {
        Err(BulkError::Panic {
            path: file.path.clone(),
        })
    })
}

impl<'w> Work<'w> {
    /// Works on all files. `take` gets the events.
    ///
    /// # Errors
    /// A file cannot be read, or `take` fails. The work ends there.
    pub(crate) fn run(
        &self,
        mut take: impl FnMut(Event<'w>) -> Result<(), BulkError>,
    ) -> Result<(), BulkError> {
        let waiting = Waiting::new(self.waiting_bytes);
        let (give, jobs) = sync_channel(self.threads);
        let jobs = Mutex::new(jobs);
        let (tell, slots) = sync_channel(self.threads * 2);
        thread::scope(|scope| {
            scope.spawn(|| self.cut_all(give, tell));
            for _ in 0..self.threads {
                scope.spawn(|| self.judge_all(&jobs, &waiting));
            }
            let taken = take_all(slots, &waiting, &mut take);
            // After an error, nobody takes findings. Workers that wait are released, and stop when they cannot send.
            waiting.stop();
            taken
        })
    }

    /// Cuts all files into pieces.
    fn cut_all(&self, give: SyncSender<Job<'w>>, tell: SyncSender<Slot<'w>>) {
        let mut pieces = 0;
        for file in self.files {
            let cut = caught(file, || self.cut(file, &mut pieces, &give, &tell));
            if let Err(error) = cut {
                // If the caller's thread has stopped, it has an error already.
                let _ = tell.send(Slot::Failed(error));
                return;
            }
        }
    }

    /// Cuts a file into pieces, and stops when nobody takes them. `pieces` is the number of the pieces so far, those of
    /// earlier files included.
    fn cut(
        &self,
        file: &'w CallFile,
        pieces: &mut u64,
        give: &SyncSender<Job<'w>>,
        tell: &SyncSender<Slot<'w>>,
    ) -> Result<(), BulkError> {
        let opened = read::open(file, &self.wanted)?;
        let carried = opened.carried;
        if tell
            .send(Slot::Event(Event::Begin { file, carried }))
            .is_err()
        {
            return Ok(());
        }
        for piece in opened.pieces {
            let (piece, bytes) = piece?;
            let (send, found) = channel();
            let job = Job {
                number: *pieces,
                file,
                piece,
                found: send,
            };
            *pieces += 1;
            if give.send(job).is_err() || tell.send(Slot::Piece { found, bytes }).is_err() {
                return Ok(());
            }
        }
        let _ = tell.send(Slot::Event(Event::End { file }));
        Ok(())
    }

    /// Judges the pieces of all files.
    fn judge_all(&self, jobs: &Mutex<Receiver<Job<'w>>>, waiting: &Waiting) {
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = next else {
                return;
            };
            let (file, send) = (job.file, job.found);
            let judged = caught(file, || {
                for calls in job.piece.batches(&self.wanted) {
                    let found = self.found(file, calls?)?;
                    waiting.wait(job.number, found.bytes());
                    if send.send(Ok(found)).is_err() {
                        break;
                    }
                }
                Ok(())
            });
            if let Err(error) = judged {
                // If the caller's thread has stopped, it has an error already.
                let _ = send.send(Err(error));
            }
        }
    }

    fn found(&self, file: &CallFile, calls: Calls) -> Result<Found, BulkError> {
        let judged = self.judge.judge(&calls, &self.wanted);
        let judged = judged.map_err(|error| BulkError::Rows {
            path: file.path.clone(),
            row: calls.first_row(),
            reason: reason(error),
        })?;
        Ok(Found {
            judged,
            rows: calls.rows,
            carried: calls.carried,
        })
    }
}

/// The reason that the columns give for an error, without the words that Arrow's library puts before it.
fn reason(error: ArrowError) -> String {
    let said = match error {
        ArrowError::CDataInterface(said) | ArrowError::CastError(said) => said,
        other => other.to_string(),
    };
    let reason = said.split_once("Producer error: ");
    reason
        .map_or(said.as_str(), |(_, reason)| reason)
        .trim()
        .to_owned()
}

/// Takes the findings, piece by piece.
fn take_all<'w>(
    slots: Receiver<Slot<'w>>,
    waiting: &Waiting,
    take: &mut impl FnMut(Event<'w>) -> Result<(), BulkError>,
) -> Result<(), BulkError> {
    for slot in slots {
        match slot {
            Slot::Event(event) => take(event)?,
            Slot::Failed(error) => return Err(error),
            Slot::Piece { found, bytes } => {
                for found in found {
                    let found = found?;
                    waiting.taken(found.bytes());
                    take(Event::Found(Box::new(found)))?;
                }
                waiting.next_turn();
                take(Event::Worked { bytes })?;
            }
        }
    }
    Ok(())
}

/// The bytes of findings that wait for their turn.
struct Waiting {
    most: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    bytes: usize,
    /// The number of the piece whose findings are taken next.
    turn: u64,
    is_stopped: bool,
}

impl Waiting {
    fn new(most: usize) -> Self {
        Self {
            most,
            state: Mutex::new(State {
                bytes: 0,
                turn: 0,
                is_stopped: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// Waits until the findings of a piece fit within the bound. The piece whose turn it is never waits: the others
    /// wait for it.
    fn wait(&self, number: u64, bytes: usize) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |state: &mut State| {
            number != state.turn
                && !state.is_stopped
                && state.bytes.saturating_add(bytes) > self.most
        };
        let waited = self.changed.wait_while(state, is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.bytes = state.bytes.saturating_add(bytes);
    }

    fn taken(&self, bytes: usize) {
        self.change(|state| state.bytes = state.bytes.saturating_sub(bytes));
    }

    fn next_turn(&self) {
        self.change(|state| state.turn += 1);
    }

    fn stop(&self) {
        self.change(|state| state.is_stopped = true);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::files::Format;

    fn file(path: &Path, format: Format) -> CallFile {
        CallFile {
            path: path.to_owned(),
            format,
            length: 0,
            modified: 0,
            name: path.to_owned(),
        }
    }

    #[test]
    fn the_pieces_of_several_files_are_numbered_without_a_gap() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["a.csv", "b.csv", "c.csv"].map(|name| {
            let path = folder.path().join(name);
            std::fs::write(&path, "body\n{}\n{}\n").unwrap();
            file(&path, Format::Csv)
        });
        let judge = Judge::Convert;
        let work = Work {
            files: &files,
            judge: &judge,
            wanted: Arc::new(Wanted {
                calls: "body".to_owned(),
                operations: None,
                carried: Vec::new(),
                whole_lines: false,
                // Each call is a piece.
                batch_bytes: 1,
            }),
            threads: 1,
            waiting_bytes: 0,
        };
        // The channels have room for everything, so that nothing waits.
        let (give, jobs) = sync_channel(100);
        let (tell, slots) = sync_channel(100);
        work.cut_all(give, tell);
        let pieces = slots
            .iter()
            .filter(|slot| matches!(slot, Slot::Piece { .. }));
        assert_eq!(pieces.count(), 6);
        let numbers: Vec<u64> = jobs.iter().map(|job| job.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    #[expect(clippy::panic, reason = "it is what is caught")]
    fn a_panic_in_a_file_is_an_error_that_names_the_file() {
        let file = file(Path::new("calls.parquet"), Format::Parquet);
        let error = caught(&file, || panic!("text of a call")).unwrap_err();
        let said = error.to_string();
        assert!(
            said.starts_with("calls.parquet: ") && !said.contains("text"),
            "{said}"
        );
    }
}
