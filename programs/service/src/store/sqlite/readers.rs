//! Connections that read, each on a thread of its own, because reading may block.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, available_parallelism};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::failure::Doing as _;
use super::open::{OpenError, connect};
use crate::store::Answer;
use crate::store::error::{Cause, StoreError};

/// The maximum number of connections that read. They share the processors with the tasks that decide calls.
const READERS: usize = 4;

/// The threads, and the reads that wait for them.
///
/// Under load a thread goes from one read to the next without sleeping: a read costs less than waking a thread.
pub(super) struct Readers {
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

/// A read, which sends its answer itself. If it gets a failure instead of a connection, it sends the failure.
type Read = Box<dyn FnOnce(Result<&Connection, StoreError>) + Send>;

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    /// Notified when something waits, or when the readers are to end.
    comes: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Read>,
    is_over: bool,
}

impl Readers {
    /// Opens the connections, and starts their threads.
    pub(super) fn start(folder: &Path) -> Result<Self, OpenError> {
        let mut readers = Self {
            queue: Arc::default(),
            threads: Vec::new(),
        };
        let count = available_parallelism().map_or(1, usize::from);
        for _ in 0..count.clamp(2, READERS) {
            let (queue, connection) = (Arc::clone(&readers.queue), reader(folder)?);
            let path = folder.to_owned();
            let thread = thread::Builder::new().name("sqlite-reader".to_owned());
            let started = thread.spawn(move || serve(&queue, &path, connection));
            readers
                .threads
                .push(started.map_err(|source| OpenError::Files {
                    path: folder.to_owned(),
                    source,
                })?);
        }
        Ok(readers)
    }

    /// Reads in one snapshot.
    pub(super) fn read<T, E>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        self.queue.push(Box::new(move |connection| {
            let read = match connection {
                Ok(connection) => in_snapshot(connection, read),
                Err(failure) => Err(failure.into()),
            };
            // The answer may have been dropped.
            drop(sender.send(read));
        }));
        let stopped = || StoreError::Failed(Cause::new("reading: the reader stopped"));
        Box::pin(async move { answer.await.map_err(|_| stopped())? })
    }
}

impl Drop for Readers {
    /// Waits until the files are closed.
    fn drop(&mut self) {
        self.queue.end();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

impl Queue {
    fn push(&self, read: Read) {
        self.lock().waiting.push_back(read);
        self.comes.notify_one();
    }

    fn end(&self) {
        self.lock().is_over = true;
        self.comes.notify_all();
    }

    /// Takes the read that has waited for longest. Returns `None` when nothing waits and nothing comes any more.
    fn next(&self) -> Option<Read> {
        let mut state = self.lock();
        loop {
            if let Some(read) = state.waiting.pop_front() {
                return Some(read);
            }
            if state.is_over {
                return None;
            }
            state = self
                .comes
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each method leaves the state consistent, even if a thread has panicked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs reads until nothing comes any more.
fn serve(queue: &Queue, folder: &Path, connection: Connection) {
    let mut open = Some(connection);
    while let Some(read) = queue.next() {
        let connection = match open.take() {
            Some(connection) => Ok(connection),
            None => reader(folder).doing("opening a connection"),
        };
        match connection {
            Err(failure) => read(Err(failure)),
            Ok(connection) => {
                let ended = catch_unwind(AssertUnwindSafe(|| read(Ok(&connection))));
                // A transaction that is left open would keep its snapshot for ever, so such a connection is closed.
                let is_whole = ended.is_ok() && connection.is_autocommit();
                open = is_whole.then_some(connection);
            }
        }
    }
}

fn reader(folder: &Path) -> rusqlite::Result<Connection> {
    let connection = connect(folder)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

fn in_snapshot<T, E: From<StoreError>>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, E> {
    let run = |statement| {
        let mut statement = connection.prepare_cached(statement)?;
        statement.execute([])
    };
    run("BEGIN").doing("beginning to read")?;
    let answer = read(connection);
    run("ROLLBACK").doing("ending to read")?;
    answer
}
