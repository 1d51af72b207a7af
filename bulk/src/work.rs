//! Works on the pieces of files with some threads, and hands out what was found in the order of the calls.
//!
//! One thread cuts files into pieces, some judge them, and the caller's takes what they found. What is held is bounded: there are at
//! most two pieces for each thread, and findings that wait for their turn have a bound in bytes ([`Waiting`]).

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use arrow_array::{Array as _, ArrayRef, Int64Array};
use arrow_schema::{ArrowError, FieldRef};

use crate::error::BulkError;
use crate::files::CallFile;
use crate::judge::{Judge, Judged};
use crate::read::{self, Calls, Piece, Wanted};

/// What comes out of the work, in order.
pub(crate) enum Event {
    /// A file begins, and has these columns to carry.
    Begin { file: usize, carried: Vec<FieldRef> },
    /// Findings of the file that began last.
    Found(Box<Found>),
    /// So many bytes of files were worked on.
    Worked { bytes: u64 },
    /// The file that began last has ended.
    End { file: usize },
}

/// What was found in a batch.
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

/// How the work is done.
pub(crate) struct Work<'w> {
    pub(crate) files: &'w [CallFile],
    pub(crate) judge: &'w Judge,
    pub(crate) wanted: Arc<Wanted>,
    pub(crate) threads: usize,
    /// How many bytes of findings may wait for their turn.
    pub(crate) waiting_bytes: usize,
}

/// In which order events come.
enum Slot {
    Event(Event),
    /// What was found in a piece.
    Piece {
        found: Receiver<Result<Found, BulkError>>,
        bytes: u64,
    },
    Failed(BulkError),
}

/// A piece for a thread.
struct Job {
    number: u64,
    file: usize,
    piece: Piece,
    found: Sender<Result<Found, BulkError>>,
}

impl Work<'_> {
    /// Works on all files. `take` gets the events.
    ///
    /// # Errors
    /// A file cannot be read, and the error of `take`. The work ends there.
    pub(crate) fn run(
        &self,
        mut take: impl FnMut(Event) -> Result<(), BulkError>,
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
            // After an error nobody takes anything more: whoever waits to hand something over learns it.
            waiting.stop();
            taken
        })
    }

    /// Cuts all files into pieces, until nobody takes them.
    fn cut_all(&self, give: SyncSender<Job>, tell: SyncSender<Slot>) {
        let mut numbers = 0..;
        for (file, path) in self.files.iter().enumerate() {
            let opened = match read::open(path, &self.wanted) {
                Ok(opened) => opened,
                Err(error) => return drop(tell.send(Slot::Failed(error))),
            };
            let begin = Event::Begin {
                file,
                carried: opened.carried,
            };
            if tell.send(Slot::Event(begin)).is_err() {
                return;
            }
            for piece in opened.pieces {
                let (piece, bytes) = match piece {
                    Ok(piece) => piece,
                    Err(error) => return drop(tell.send(Slot::Failed(error))),
                };
                let (found_by_thread, found) = channel();
                let Some(number) = numbers.next() else {
                    return;
                };
                let job = Job {
                    number,
                    file,
                    piece,
                    found: found_by_thread,
                };
                let slot = Slot::Piece { found, bytes };
                if give.send(job).is_err() || tell.send(slot).is_err() {
                    return;
                }
            }
            if tell.send(Slot::Event(Event::End { file })).is_err() {
                return;
            }
        }
    }

    /// Judges pieces, until there are no more.
    fn judge_all(&self, jobs: &Mutex<Receiver<Job>>, waiting: &Waiting) {
        loop {
            let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(job) = next else {
                return;
            };
            for calls in job.piece.batches(&self.wanted) {
                let found = calls.and_then(|calls| self.found(job.file, calls));
                let is_failed = found.is_err();
                if let Ok(found) = &found {
                    waiting.wait(job.number, found.bytes());
                }
                if job.found.send(found).is_err() || is_failed {
                    break;
                }
            }
        }
    }

    fn found(&self, file: usize, calls: Calls) -> Result<Found, BulkError> {
        let judged = self.judge.judge(&calls).map_err(|error| BulkError::Rows {
            path: self
                .files
                .get(file)
                .map(|file| file.path.clone())
                .unwrap_or_default(),
            row: u64::try_from(calls.first_row()).unwrap_or(0),
            reason: reason(error),
        })?;
        Ok(Found {
            judged,
            rows: calls.rows,
            carried: calls.carried,
        })
    }
}

/// What the columns say is wrong, without the words that Arrow's library puts before it.
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

/// Takes what was found, piece by piece.
fn take_all(
    slots: Receiver<Slot>,
    waiting: &Waiting,
    take: &mut impl FnMut(Event) -> Result<(), BulkError>,
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
    /// The number of the piece whose findings are taken.
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

    /// Waits until there is room for findings of a piece. Those of the piece whose turn it is always have room: otherwise those that
    /// wait for them would wait for ever.
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
