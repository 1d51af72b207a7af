//! Connections that read. Long reads have threads of their own, because reading may block. A read of a few rows is made on
//! the thread of whoever asks, because waking another thread and being woken by it would take longer. Operators' reads have
//! one thread of their own, so that nothing that is served waits for them. They have a limit of time, so that no other
//! operator waits for ever.

use std::collections::VecDeque;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, available_parallelism};
// clock: the limit of an operator's read; no other result depends on it.
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::failure::Doing as _;
use super::open::{OpenError, connect};
use crate::store::Answer;
use crate::store::error::{Cause, StoreError};

/// The maximum number of threads that read, and of connections for reads of a few rows. They share the processors with the
/// tasks that decide calls.
const READERS: usize = 4;

/// The longest read of an operator, as PostgreSQL's statement_timeout is.
pub(super) const LONGEST: Duration = Duration::from_secs(60);
/// How many steps SQLite makes before it asks whether a read has taken too long. They take less than a millisecond.
const STEPS: i32 = 10_000;

/// The threads, and the reads that wait for them.
///
/// Under load a thread goes from one read to the next without sleeping: a read costs less than waking a thread.
pub(super) struct Readers {
    /// The reads of what is served.
    pub(super) served: Arc<Queue>,
    /// The reads of operators.
    pub(super) operators: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
    /// The connections for reads of a few rows that are not in use. There are fewer than the runtime has threads, so that a
    /// disk that hangs does not stop them all.
    idle: Mutex<Vec<Reader>>,
}

/// A connection that reads. It is opened when it is needed.
struct Reader {
    folder: PathBuf,
    connection: Option<Connection>,
    /// The limit of a read.
    longest: Option<Duration>,
}

/// A read, which sends its answer itself. If it gets a failure instead of a connection, it sends the failure.
type Read = Box<dyn FnOnce(Result<&Connection, StoreError>) + Send>;

/// Reads that wait for a thread.
#[derive(Default)]
pub(super) struct Queue {
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
    /// Opens the connections, and starts the threads. `longest` is the limit of an operator's read.
    pub(super) fn start(folder: &Path, longest: Option<Duration>) -> Result<Self, OpenError> {
        let count = available_parallelism().map_or(1, usize::from);
        let idle: Result<_, _> = (1..count)
            .take(READERS)
            .map(|_| Reader::open(folder, None))
            .collect();
        let (served, operators) = (Arc::<Queue>::default(), Arc::<Queue>::default());
        let mut readers = Self {
            served: Arc::clone(&served),
            operators: Arc::clone(&operators),
            threads: Vec::new(),
            idle: Mutex::new(idle?),
        };
        let of_all = iter::repeat_n((served, None), count.clamp(2, READERS));
        for (queue, longest) in of_all.chain([(operators, longest)]) {
            let mut reader = Reader::open(folder, longest)?;
            let thread = thread::Builder::new().name("sqlite-reader".to_owned());
            let started = thread.spawn(move || {
                while let Some(read) = queue.next() {
                    reader.run(read);
                }
            });
            readers
                .threads
                .push(started.map_err(|source| OpenError::Files {
                    path: folder.to_owned(),
                    source,
                })?);
        }
        Ok(readers)
    }

    /// Reads a few rows in one snapshot, on the calling thread if a connection for that is idle.
    pub(super) fn read_few<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<T> {
        let (read, answer) = with_answer(read);
        let idle = self.idle().pop();
        match idle {
            None => self.served.push(read),
            Some(mut reader) => {
                reader.run(read);
                self.idle().push(reader);
            }
        }
        answer
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        // Each use leaves the list consistent, even if a thread has panicked.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes a read that does its work in one snapshot. Also returns the answer that it will send.
fn with_answer<T, E>(
    read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
) -> (Read, Answer<T, E>)
where
    T: Send + 'static,
    E: From<StoreError> + Send + 'static,
{
    let (sender, answer) = oneshot::channel();
    let read = move |connection: Result<&Connection, StoreError>| {
        // Perhaps nobody waits for the answer any more: an operator who reloads a slow page leaves a read each time.
        if sender.is_closed() {
            return;
        }
        let read = match connection {
            Ok(connection) => in_snapshot(connection, read),
            Err(failure) => Err(failure.into()),
        };
        // The answer may have been dropped.
        drop(sender.send(read));
    };
    let stopped = || StoreError::Failed(Cause::new("reading: the reader stopped"));
    let answer = async move { answer.await.map_err(|_| stopped())? };
    (Box::new(read), Box::pin(answer))
}

impl Drop for Readers {
    /// Waits until the files are closed.
    fn drop(&mut self) {
        self.served.end();
        self.operators.end();
        for thread in self.threads.drain(..) {
            drop(thread.join());
        }
    }
}

impl Queue {
    /// Reads in one snapshot, on a thread of this queue.
    pub(super) fn read<T, E>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (read, answer) = with_answer(read);
        self.push(read);
        answer
    }

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

impl Reader {
    fn open(folder: &Path, longest: Option<Duration>) -> Result<Self, OpenError> {
        Ok(Self {
            folder: folder.to_owned(),
            connection: Some(reading(folder)?),
            longest,
        })
    }

    /// Runs a read.
    fn run(&mut self, read: Read) {
        let connection = match self.connection.take() {
            Some(connection) => Ok(connection),
            None => reading(&self.folder),
        };
        let limited = connection.and_then(|connection| {
            limit(&connection, self.longest)?;
            Ok(connection)
        });
        match limited.doing("opening a connection") {
            Err(failure) => read(Err(failure)),
            Ok(connection) => {
                let ended = catch_unwind(AssertUnwindSafe(|| read(Ok(&connection))));
                // A transaction that is left open would keep its snapshot for ever, so such a connection is closed.
                let is_whole = ended.is_ok() && connection.is_autocommit();
                self.connection = is_whole.then_some(connection);
            }
        }
    }
}

/// Makes SQLite give up what runs on a connection when the time for it is over.
fn limit(connection: &Connection, longest: Option<Duration>) -> rusqlite::Result<()> {
    let Some(longest) = longest else {
        return Ok(());
    };
    // clock: how long an operator may read.
    let until = Instant::now().checked_add(longest);
    let is_over = move || until.is_some_and(|until| Instant::now() >= until);
    connection.progress_handler(STEPS, Some(is_over))
}

/// Opens a connection that cannot write.
fn reading(folder: &Path) -> rusqlite::Result<Connection> {
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

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    fn thread_of<E>(_: &Connection) -> Result<thread::ThreadId, E> {
        Ok(thread::current().id())
    }

    /// Readers of an empty database, and one connection for reads of a few rows. Operators' reads have no time.
    fn readers() -> (Readers, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(super::super::open::DATABASE), "").unwrap();
        let readers = Readers::start(folder.path(), Some(Duration::ZERO)).unwrap();
        // The runtime has a thread for each processor.
        assert!(readers.idle().len() < available_parallelism().unwrap().get());
        *readers.idle() = vec![Reader::open(folder.path(), None).unwrap()];
        (readers, folder)
    }

    #[tokio::test]
    async fn few_rows_are_read_on_the_calling_thread_while_a_connection_is_idle() {
        let (readers, _folder) = readers();
        let here = thread::current().id();
        assert_eq!(readers.read_few(thread_of).await.unwrap(), here);
        let long: Result<_, StoreError> = readers.served.read(thread_of).await;
        assert_ne!(long.unwrap(), here);
        let idle = std::mem::take(&mut *readers.idle());
        assert_ne!(readers.read_few(thread_of).await.unwrap(), here);
        *readers.idle() = idle;
        assert_eq!(readers.read_few(thread_of).await.unwrap(), here);
    }

    #[tokio::test]
    async fn an_operators_read_ends_at_its_limit_and_nothing_else_waits_for_it() {
        let (readers, _folder) = readers();
        let count = |connection: &Connection| -> Result<i64, StoreError> {
            let sql = "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT max(n) FROM n";
            connection
                .query_row(sql, [], |row| row.get(0))
                .doing("counting")
        };
        let ended = readers.operators.read(count).await.unwrap_err();
        assert!(ended.to_string().contains("it took too long"), "{ended}");
        let (ends, end) = std::sync::mpsc::channel::<()>();
        let held = readers.operators.read(move |connection| {
            let thread = thread_of::<StoreError>(connection);
            // It lasts until the other end of the channel is dropped.
            let _ = end.recv();
            thread
        });
        let others: Result<_, StoreError> = readers.served.read(thread_of).await;
        drop(ends);
        assert_ne!(held.await.unwrap(), others.unwrap());
    }

    #[tokio::test]
    async fn a_read_of_few_rows_that_panics_fails_alone() {
        let (readers, _folder) = readers();
        let failed = readers.read_few(|connection| -> Result<(), StoreError> {
            connection.execute_batch("SAVEPOINT open").unwrap();
            panic!("for the test")
        });
        assert!(matches!(failed.await, Err(StoreError::Failed(_))));
        let here = thread::current().id();
        assert_eq!(readers.read_few(thread_of).await.unwrap(), here);
    }
}
