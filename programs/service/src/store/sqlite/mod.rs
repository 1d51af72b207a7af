//! The store on SQLite: one file in one folder, served by one process.

mod backup;
mod carry_out;
mod claims;
mod events;
mod facts;
mod failure;
mod gates;
mod group;
mod hits;
mod import;
mod inspect;
mod large;
mod open;
mod operator;
mod outbox;
mod readers;
mod reports;
mod rows;
mod statement;
mod stored;
mod transcripts;
mod turn;
mod unsubscribed;
mod watch;
mod webhooks;
mod writer;

use std::fs::File;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tokio::time::interval;

pub use self::backup::{back_up, restore};
use self::claims::Claims;
use self::failure::Doing as _;
use self::large::Ways;
pub(crate) use self::open::LOG;
use self::open::Place;
pub use self::open::{OpenError, add_functions, statements};
use self::readers::Readers;
pub use self::writer::groups;
use self::writer::{Writer, Written};
use super::asked::Asked;
use super::error::{Cause, StoreError};
use super::holds::Holds;
use super::idempotency::{Claim, IdempotencyKey};
use super::identity::{AccountId, Authenticated, KeyHash};
use super::known::Found;
use super::turn::{Again, Turned};
use super::work::Work;
use super::{Answer, Committed, Store};

/// A SQLite database that this process serves alone. Debug shows nothing.
pub struct Sqlite {
    writer: Arc<Writer>,
    readers: Arc<Readers>,
    holds: Holds,
    claims: Claims,
    folder: PathBuf,
    place: Place,
}

impl Sqlite {
    /// Opens the database in a folder, and creates what is missing: the folder, the files in it and the schema. Only the
    /// owner can read the database's files.
    ///
    /// # Errors
    /// The database cannot be served.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        let lock = open::lock(folder)?;
        open::make(folder)?;
        let mut connection = open::connect(folder)?;
        open::migrate(&mut connection)?;
        large::recover(&mut connection)?;
        webhooks::release_all(&connection)?;
        Self::start(folder, connection, Some(lock))
    }

    /// As [`Sqlite::open`], for an operator's command, which may run while another process serves the database. The
    /// transactions of the two wait for each other. Nothing is created, and a schema that does not fit this program stays as
    /// it is.
    ///
    /// # Errors
    /// Also [`OpenError::Missing`] and [`OpenError::Older`].
    pub fn visit(folder: &Path) -> Result<Self, OpenError> {
        if !folder.join(open::DATABASE).exists() {
            return Err(OpenError::Missing(folder.to_owned()));
        }
        let connection = open::connect(folder)?;
        open::check_version(&connection)?;
        Self::start(folder, connection, None)
    }

    fn start(folder: &Path, connection: Connection, lock: Option<File>) -> Result<Self, OpenError> {
        // The pages that a savepoint may have to take back are kept in memory. In a temporary file, each group would write them
        // once more, outside of the database's folder.
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        let claims = Claims::default();
        // If the clock was set back, deliveries that were stored before do not wait longer because of that.
        claims.has_shown(open::latest(&connection)?);
        // Where nothing is served, nobody else waits for a long read, such as that of `verify`.
        let longest = lock.as_ref().map(|_| readers::LONGEST);
        let readers = Readers::start(folder, longest)?;
        let place = Place::of(folder)?;
        let writer =
            Writer::start(connection, place.clone(), lock).map_err(|source| OpenError::Files {
                path: folder.to_owned(),
                source,
            })?;
        Ok(Self {
            writer: Arc::new(writer),
            readers: Arc::new(readers),
            holds: Holds::default(),
            claims,
            folder: folder.to_owned(),
            place,
        })
    }
}

impl Sqlite {
    /// Runs work on a large plan, which goes on even if its answer is dropped.
    fn in_parts<T: Send + 'static, F>(&self, work: impl FnOnce(Ways) -> F) -> Answer<T>
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let work = work(Ways {
            writer: Arc::clone(&self.writer),
            readers: Arc::clone(&self.readers),
        });
        let outbox = Arc::clone(&self.claims.work);
        let task = tokio::spawn(async move {
            let done = work.await;
            outbox.notify_one();
            done
        });
        Box::pin(async move {
            let ended =
                || StoreError::Unknown(Cause::new("carrying out a large plan: the task failed"));
            task.await.unwrap_or_else(|_| Err(ended()))
        })
    }
}

impl Store for Sqlite {
    fn account(&self, key: KeyHash) -> Answer<Option<Authenticated>> {
        self.readers
            .read_few(move |connection| carry_out::account_by_key(connection, key))
    }

    fn facts(&self, account: AccountId, asked: Asked) -> Answer<Found> {
        let are_few = asked.are_few();
        let read = move |connection: &_| facts::facts(connection, account, &asked);
        match are_few {
            true => self.readers.read_few(read),
            false => self.readers.served.read(read),
        }
    }

    fn commit(&self, work: Work) -> Answer<Committed> {
        if work.is_large() {
            return self.in_parts(|ways| ways.commit(work));
        }
        let outbox = Arc::clone(&self.claims.work);
        self.writer.commit(work, move || outbox.notify_one())
    }

    fn in_turn(&self, again: Again) -> Answer<Turned> {
        let outbox = Arc::clone(&self.claims.work);
        if again.is_large {
            return self.in_parts(|ways| ways.in_turn(again));
        }
        self.writer.run_and_finish(
            Some(again.account),
            move |connection| turn::drive(connection, again),
            move |driven| {
                outbox.notify_one();
                driven.and_then(turn::Driven::finish)
            },
        )
    }

    fn claim(&self, account: AccountId, key: IdempotencyKey) -> Answer<Claim> {
        let Some(hold) = self.holds.hold(account, &key, |_, _| {}) else {
            return Box::pin(std::future::ready(Ok(Claim::Busy)));
        };
        // The key is held first and looked up afterwards, so a call that ends in between is found.
        self.readers.read_few(move |connection| {
            let kept = stored::kept(connection, &[(account.0, key.as_str())])?;
            Ok(match kept.into_values().next() {
                Some(kept) => Claim::Kept(kept),
                None => Claim::Held(Arc::new(hold)),
            })
        })
    }

    fn flush_removed(&self) -> Answer<bool> {
        let folder = self.folder.clone();
        let flushed = tokio::task::spawn_blocking(move || {
            let doing = "emptying the log of the database";
            let connection = open::connect(&folder).doing(doing)?;
            // This waits for readers of what was there before, as long as for any lock.
            let is_busy: bool = connection
                .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
                .doing(doing)?;
            Ok(!is_busy)
        });
        let stopped = || StoreError::Failed(Cause::new("emptying the log: it stopped"));
        Box::pin(async move { flushed.await.unwrap_or_else(|_| Err(stopped())) })
    }

    fn health(&self) -> Answer<()> {
        // Reading and writing are both checked, because a database whose writer hangs is not healthy.
        let reads = self.readers.served.read(|connection| {
            connection
                .query_row("SELECT 1", [], |_| Ok(()))
                .doing("asking for health")
        });
        let writes: Answer<()> = self.writer.run(|_| Written {
            keeps: true,
            rows: 0,
            tells: Ok(()),
        });
        Box::pin(async move {
            reads.await?;
            writes.await
        })
    }

    fn broken(&self) -> Pin<Box<dyn Future<Output = Cause> + Send>> {
        let (writer, place) = (self.writer.broken(), self.place.clone());
        Box::pin(async move {
            tokio::select! {
                cause = writer => cause,
                cause = gone(place) => cause,
            }
        })
    }
}

/// Resolves when the file of the database is not where it was.
async fn gone(place: Place) -> Cause {
    // clock: how soon it is noticed; the writer looks before each COMMIT as well
    let mut looks = interval(Duration::from_millis(500));
    while place.is_there() {
        looks.tick().await;
    }
    writer::gone()
}

impl std::fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sqlite").finish_non_exhaustive()
    }
}
