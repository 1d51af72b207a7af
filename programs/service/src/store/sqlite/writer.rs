//! The one thread that writes, and its groups of commits.
//!
//! What waits is written as a group, which is committed together. No answer is sent before COMMIT has returned.

use std::fs::File;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use super::failure::{cause, meaning};
use super::gates::{Gate, Gates};
use super::group::{Group, Job, Piece, Ran, Run, Tell, Waiting, run};
use super::open::Place;
use crate::store::broken::Broken;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::work::Work;
use crate::store::{Answer, Committed};
use crate::telemetry;

static GROUPS: AtomicU64 = AtomicU64::new(0);

/// How many groups were committed in this process.
#[must_use]
pub fn groups() -> u64 {
    GROUPS.load(Relaxed)
}

/// The result of a piece of work, before COMMIT.
pub(super) struct Written<T> {
    /// Whether its rows stay; otherwise its savepoint is rolled back.
    pub(super) keeps: bool,
    /// An estimate of the rows that it wrote.
    pub(super) rows: usize,
    /// What to tell the caller after COMMIT.
    pub(super) tells: T,
}

/// A handle of the writer's thread.
pub(super) struct Writer {
    /// Taken when the writer is dropped, which ends the thread.
    pieces: Option<UnboundedSender<Piece>>,
    thread: Option<JoinHandle<()>>,
    broken: Broken,
    gates: Gates,
}

impl Writer {
    /// Starts the thread, which owns the connection and, where the database is served, its lock.
    pub(super) fn start(
        connection: Connection,
        place: Place,
        lock: Option<File>,
    ) -> std::io::Result<Self> {
        let (pieces, mut waiting) = unbounded_channel();
        let broken = Broken::default();
        let breaks = broken.clone();
        let gates = Gates::default();
        let admits = gates.clone();
        let thread = std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                let _panic = breaks.reports_panic("writing");
                let served = serve(&connection, &place, &admits, &mut waiting);
                drop(connection);
                if let Err(cause) = served {
                    breaks.report(cause.clone());
                    // It is certain that nothing was done of work that has not begun.
                    while let Some(piece) = waiting.blocking_recv() {
                        piece.fail(StoreError::Failed(cause.clone()));
                    }
                }
                drop(lock);
            })?;
        Ok(Self {
            pieces: Some(pieces),
            thread: Some(thread),
            broken,
            gates,
        })
    }

    /// Carries out a plan in its turn, together with others that wait. When this method returns, the writer owns the plan.
    /// `is_done` is called after COMMIT if the plan was carried out, also when nobody waits for the answer.
    pub(super) fn commit(
        &self,
        work: Work,
        is_done: impl FnOnce() + Send + 'static,
    ) -> Answer<Committed> {
        let (sender, answer) = oneshot::channel();
        let account = Some(work.account);
        let tell = Box::new(move |told: Result<Committed, StoreError>| {
            if told == Ok(Committed::Done) {
                is_done();
            }
            drop(sender.send(told));
        });
        self.send(account, Job::Plan(Box::new(Waiting { work, tell })), answer)
    }

    /// Runs a piece of work in its turn. When this method returns, the writer owns the work. The answer comes after COMMIT.
    pub(super) fn run<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Written<Result<T, E>> + Send + 'static,
    ) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run_and_finish(None, work, |told| told)
    }

    /// Closes the gate of an account, in its turn, until the returned gate is dropped. In the meantime, only the holder of
    /// the gate writes for the account. Earlier writes are committed.
    pub(super) fn close(&self, account: AccountId) -> Answer<Gate> {
        let gates = self.gates.clone();
        let Some(pieces) = self.pieces.as_ref().map(UnboundedSender::downgrade) else {
            return Box::pin(std::future::ready(Err(StoreError::Failed(ended()))));
        };
        let close = move |_: &Connection| Written {
            keeps: true,
            rows: 0,
            tells: gates.close(account, pieces),
        };
        self.run_and_finish(Some(account), close, Ok)
    }

    /// As [`Writer::run`], but `finish` makes the answer from the result of the work after COMMIT. With an account, the work
    /// waits until the account's gate is open.
    pub(super) fn run_and_finish<M, T, E>(
        &self,
        account: Option<AccountId>,
        work: impl FnOnce(&Connection) -> Written<M> + Send + 'static,
        finish: impl FnOnce(M) -> Result<T, E> + Send + 'static,
    ) -> Answer<T, E>
    where
        M: Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (sender, answer) = oneshot::channel();
        let run: Run = Box::new(move |connection| {
            let connection = match connection {
                Ok(connection) => connection,
                Err(failure) => {
                    drop(sender.send(Err(failure.into())));
                    return None;
                }
            };
            let Written { keeps, rows, tells } = work(connection);
            let tell: Tell = Box::new(move |group| {
                // The answer may have been dropped.
                drop(sender.send(group.map_err(E::from).and_then(|()| finish(tells))));
            });
            Some(Ran { keeps, rows, tell })
        });
        self.send(account, Job::Other(run), answer)
    }

    fn send<T, E>(
        &self,
        account: Option<AccountId>,
        job: Job,
        answer: oneshot::Receiver<Result<T, E>>,
    ) -> Answer<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let piece = Piece { account, job };
        let sent = self.pieces.as_ref().map(|pieces| pieces.send(piece));
        Box::pin(async move {
            if !matches!(sent, Some(Ok(()))) {
                return Err(StoreError::Failed(ended()).into());
            }
            let unknown = || StoreError::Unknown(Cause::new("waiting for the writer, which ended"));
            answer.await.unwrap_or_else(|_| Err(unknown().into()))
        })
    }

    /// Resolves when the writer has ended, or when only a restart can go on.
    pub(super) fn broken(&self) -> impl Future<Output = Cause> + Send + use<> {
        self.broken.reported()
    }

    /// Reports that only a restart can go on.
    pub(super) fn breaks(&self, cause: Cause) {
        self.broken.report(cause);
    }
}

impl Drop for Writer {
    /// Waits until what was sent is written and the file is closed.
    fn drop(&mut self) {
        self.pieces = None;
        if let Some(thread) = self.thread.take() {
            // If the thread panicked, its callers noticed when it ended.
            drop(thread.join());
        }
    }
}

/// Writes group by group until the last sender is gone.
///
/// # Errors
/// A COMMIT failed, or the file was removed or replaced. After a failed COMMIT it is unknown what the file holds, and a
/// restart reads it.
fn serve(
    connection: &Connection,
    place: &Place,
    gates: &Gates,
    waiting: &mut UnboundedReceiver<Piece>,
) -> Result<(), Cause> {
    while let Some(first) = waiting.blocking_recv() {
        let Some(first) = gates.admit(first) else {
            continue;
        };
        if let Err(error) = run(connection, "BEGIN IMMEDIATE") {
            // Another process holds the lock. Everything that waits has waited for it, so it fails together.
            let failure = meaning("beginning a transaction", &error);
            first.fail(failure.clone());
            for _ in 0..waiting.len() {
                if let Ok(piece) = waiting.try_recv() {
                    piece.fail(failure.clone());
                }
            }
            continue;
        }
        let mut group = Group::default();
        let written = group.fill(connection, gates, waiting, first);
        let ended = match &written {
            Ok(()) if !place.is_there() => {
                group.tell(&Err(StoreError::Failed(gone())));
                return Err(gone());
            }
            Ok(()) => run(connection, "COMMIT"),
            // SQLite has rolled back on its own if it gave the transaction up.
            Err(_) if connection.is_autocommit() => Ok(()),
            Err(_) => run(connection, "ROLLBACK"),
        };
        match ended {
            Ok(()) => {
                if written.is_ok() {
                    GROUPS.fetch_add(1, Relaxed);
                    telemetry::committed(group.len());
                }
                group.tell(&written);
            }
            Err(error) => {
                let cause = cause("ending a transaction", &error);
                group.tell(&Err(StoreError::Unknown(cause.clone())));
                return Err(cause);
            }
        }
    }
    Ok(())
}

/// The cause when a writer has ended and writes nothing more.
pub(super) fn ended() -> Cause {
    Cause::new("waiting for the writer, which has ended")
}

/// The cause when the database's file is gone and nothing more is written.
pub(super) fn gone() -> Cause {
    Cause::new("looking for the database's file: it was taken away or replaced")
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::panic,
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;
    use crate::store::Store as _;
    use crate::store::sqlite::Sqlite;

    #[tokio::test]
    #[ignore = "run by the test below in a process in which no other test writes"]
    async fn a_group_is_rolled_back() {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(folder.path()).unwrap();
        let before = groups();
        // A full disk makes SQLite roll the transaction back as well.
        let rolls_back = |connection: &Connection| -> Written<Result<(), StoreError>> {
            connection.execute_batch("ROLLBACK").unwrap();
            let tells = Ok(());
            Written {
                keeps: true,
                rows: 1,
                tells,
            }
        };
        let told = sqlite.writer.run(rolls_back).await;
        assert!(matches!(told, Err(StoreError::Failed(_))), "{told:?}");
        assert_eq!(groups(), before);
        let writes = |_: &Connection| -> Written<Result<(), StoreError>> {
            let tells = Ok(());
            Written {
                keeps: true,
                rows: 1,
                tells,
            }
        };
        assert_eq!(sqlite.writer.run(writes).await, Ok(()));
        assert_eq!(groups(), before + 1);
    }

    #[test]
    fn a_group_that_was_rolled_back_does_not_count_as_committed() {
        let name = concat!(module_path!(), "::a_group_is_rolled_back");
        let name = name.split_once("::").unwrap().1;
        let program = std::env::current_exe().unwrap();
        let run = std::process::Command::new(program)
            .args(["--exact", name, "--ignored"])
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{printed}");
        assert!(printed.contains("1 passed"), "{printed}");
    }

    #[tokio::test]
    async fn a_panic_of_the_thread_is_reported_as_what_only_a_restart_mends() {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = Sqlite::open(folder.path()).unwrap();
        let panics = |_: &Connection| -> Written<Result<(), StoreError>> { panic!("of this test") };
        let told = sqlite.writer.run(panics).await;
        assert!(matches!(told, Err(StoreError::Unknown(_))), "{told:?}");
        assert!(sqlite.broken().await.to_string().contains("panic"));
    }
}
