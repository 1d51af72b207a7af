//! The database's folder and file, and connections to it.

use std::cmp::Ordering;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
// clock: how long a lock is waited for.
use std::time::{Duration, Instant};

use rusqlite::trace::TraceEventCodes;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::store::error::StoreError;

/// The schema's versions, from the first. What was released is never changed.
const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql")];

pub(super) const DATABASE: &str = "franking.db";

/// For how long a lock is waited for: longer than an operator's command holds it.
const LOCK_TIME: Duration = Duration::from_secs(1);
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder or a file in it cannot be made or opened.
    #[error("cannot use {}", .path.display())]
    Files {
        /// Which one.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// An operator's command makes no database.
    #[error("there is no database in {}: franking-service migrate makes one", .0.display())]
    Missing(PathBuf),
    /// It has the schema of an earlier release.
    #[error(
        "the database has version {found}, and this program needs version {known}: end the earlier program, and run franking-service migrate"
    )]
    Older {
        /// Of the database.
        found: i64,
        /// Of this program.
        known: i64,
    },
    /// Another process serves this database.
    #[error("{} is locked: another process serves this database", .0.display())]
    Served(PathBuf),
    /// A later release of the service has used the database.
    #[error(
        "the database has version {found}, and this program knows versions up to {known}: use the later program"
    )]
    Newer {
        /// Of the database.
        found: i64,
        /// Of this program.
        known: i64,
    },
    /// A plan that was accepted cannot be completed.
    #[error("cannot complete a large plan that was accepted: {0}")]
    Unfinished(#[source] StoreError),
    /// SQLite cannot read it.
    #[error("cannot open the database")]
    Database(#[from] rusqlite::Error),
}

/// Makes what is missing of the folder and of the files in it, so that nobody else can read them, and takes the lock: a
/// file that is locked as long as it is open. An operator's command holds it for a moment, which is waited for.
pub(super) fn lock(folder: &Path) -> Result<File, OpenError> {
    let in_files = |path: &Path| {
        let path = path.to_owned();
        move |source| OpenError::Files { path, source }
    };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(in_files(folder))?;
    let path = folder.join("franking.lock");
    let lock = private(&path).map_err(in_files(&path))?;
    // clock: whoever holds it for longer serves the database.
    let until = Instant::now().checked_add(LOCK_TIME);
    while let Err(error) = flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        if error != Errno::WOULDBLOCK {
            return Err(in_files(&path)(error.into()));
        }
        if until.is_none_or(|until| Instant::now() >= until) {
            return Err(OpenError::Served(path));
        }
        std::thread::sleep(LOCK_PAUSE);
    }
    // SQLite gives the files beside it the same mode.
    let database = folder.join(DATABASE);
    private(&database).map_err(in_files(&database))?;
    Ok(lock)
}

fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.mode(0o600).open(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(file)
}

/// The file of a database, to notice that it was taken away or replaced: SQLite goes on writing to a file without a name.
#[derive(Clone, Debug)]
pub(super) struct Place {
    path: PathBuf,
    file: (u64, u64),
}

impl Place {
    pub(super) fn of(folder: &Path) -> Result<Self, OpenError> {
        let path = folder.join(DATABASE);
        match fs::metadata(&path) {
            Ok(found) => Ok(Self {
                path,
                file: (found.dev(), found.ino()),
            }),
            Err(source) => Err(OpenError::Files { path, source }),
        }
    }

    /// Whether the file is where it was.
    pub(super) fn is_there(&self) -> bool {
        fs::metadata(&self.path).is_ok_and(|found| (found.dev(), found.ino()) == self.file)
    }
}

static STATEMENTS: AtomicU64 = AtomicU64::new(0);

/// How many statements SQLite has run in this process, by its own count.
#[must_use]
pub fn statements() -> u64 {
    STATEMENTS.load(Relaxed)
}

/// How long a connection waits for a lock.
const BUSY_MILLISECONDS: u32 = 5_000;

/// A connection with the settings that all have.
pub(super) fn connect(folder: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(folder.join(DATABASE), flags)?;
    connection.pragma_update(None, "busy_timeout", BUSY_MILLISECONDS)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Each COMMIT syncs the log, so that an answered call is on the disk.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.trace_v2(
        TraceEventCodes::SQLITE_TRACE_STMT,
        Some(|_| {
            STATEMENTS.fetch_add(1, Relaxed);
        }),
    );
    Ok(connection)
}

/// Whether the schema is that of this program.
pub(super) fn check_version(connection: &Connection) -> Result<(), OpenError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    match found.cmp(&known) {
        Ordering::Less => Err(OpenError::Older { found, known }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(OpenError::Newer { found, known }),
    }
}

/// Brings the schema up to this program's version, all of it or nothing.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let done = usize::try_from(found).ok();
    let missing = done
        .and_then(|done| MIGRATIONS.get(done..))
        .ok_or(OpenError::Newer { found, known })?;
    for migration in missing {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(())
}

/// When the latest delivery was made, in seconds since 1970; 0 when there is none.
pub(super) fn latest(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row(include_str!("sql/latest.sql"), [], |row| row.get(0))
}
