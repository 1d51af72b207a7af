//! The database's folder and file, and connections to it.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
// clock: how long a lock is waited for.
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::trace::TraceEventCodes;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

use crate::folders;
use crate::store::error::StoreError;
use crate::store::schema::{self, Fit, Migration, Version};

/// The schema of a new database.
pub(super) const SCHEMA: &str = include_str!("migrations/0001.sql");
/// The schema's versions, from the first. A version that was released is never changed.
const MIGRATIONS: &[Migration] = &[Migration {
    sql: SCHEMA,
    least: 1,
}];

pub(super) const DATABASE: &str = "franking.db";
/// The name of its write-ahead log.
pub(crate) const LOG: &str = "franking.db-wal";
/// The names of the files that SQLite keeps beside a database. It would carry out what they say on another database.
pub(super) const BESIDE: [&str; 3] = [LOG, "franking.db-shm", "franking.db-journal"];
/// The name of a database that is being restored.
pub(super) const PART: &str = "franking.db.part";

/// How long to wait for a lock: longer than an operator's command holds it.
const LOCK_TIME: Duration = Duration::from_secs(1);
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Why a database cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The folder or a file in it cannot be made or opened.
    #[error("cannot use {} ({})", .path.display(), folders::ACCESS)]
    Files {
        /// Which one.
        path: PathBuf,
        /// The system's reason.
        #[source]
        source: io::Error,
    },
    /// There is no database, and an operator's command does not create one.
    #[error("there is no database in {}: name its folder with --data, in --settings or in FRANKING_DATA. franking-service migrate makes a new one", .0.display())]
    Missing(PathBuf),
    /// There is a database. A backup is restored only into a folder without one.
    #[error("there is already a database in {}: restore the backup into an empty folder", .0.display())]
    Exists(PathBuf),
    /// A file beside a database is left from an earlier one.
    #[error("{} is left from another database: move it away, or restore the backup into an empty folder", .0.display())]
    Left(PathBuf),
    /// A restore was interrupted, and there is no database.
    #[error("the restore of a backup into {} was interrupted: run it again, or delete franking.db.part to begin with an empty database", .0.display())]
    Interrupted(PathBuf),
    /// The file is broken, or is not a database of this service.
    #[error("the database is broken: {0}")]
    Broken(String),
    /// It has the schema of an earlier release.
    #[error(
        "the database is older than this program: it has schema {found}, and this program needs schema {known}. End the earlier program, and run franking-service migrate"
    )]
    Older {
        /// Of the database.
        found: i64,
        /// Of this program.
        known: i64,
    },
    /// Another process serves this database.
    #[error("{} is locked, because another process serves this database: end that process first", .0.display())]
    Served(PathBuf),
    /// A later release of the service has used the database.
    #[error(
        "the database is newer than this program: it has schema {found}, and this program knows schemas up to {known}. Run the newer program"
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

/// Creates the folder if it is missing, so that nobody else can read it. Then takes the lock: a file that is locked as long
/// as it is open. An operator's command may hold the lock for a moment, for which this waits.
pub(super) fn lock(folder: &Path) -> Result<File, OpenError> {
    let in_files = |path: &Path| {
        let path = path.to_owned();
        move |source| OpenError::Files { path, source }
    };
    folders::make_private(folder).map_err(in_files(folder))?;
    let path = folder.join("franking.lock");
    let lock = private(&path).map_err(in_files(&path))?;
    // clock: a process that holds it for longer serves the database.
    let until = Instant::now().checked_add(LOCK_TIME);
    while let Err(error) = flock(&lock, FlockOperation::NonBlockingLockExclusive) {
        if error != Errno::WOULDBLOCK {
            return Err(in_files(&path)(error.into()));
        }
        if until.is_none_or(|until| Instant::now() >= until) {
            return Err(OpenError::Served(path));
        }
        thread::sleep(LOCK_PAUSE);
    }
    Ok(lock)
}

/// Creates the file of the database if it is missing, so that nobody else can read it.
pub(super) fn make(folder: &Path) -> Result<(), OpenError> {
    let path = folder.join(DATABASE);
    if !path.exists() && folder.join(PART).exists() {
        return Err(OpenError::Interrupted(folder.to_owned()));
    }
    // SQLite gives the files beside it the same mode.
    match private(&path) {
        Ok(_) => Ok(()),
        Err(source) => Err(OpenError::Files { path, source }),
    }
}

pub(super) fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options.mode(0o600).open(path)?;
    fs::set_permissions(path, Permissions::from_mode(0o600))?;
    Ok(file)
}

/// The file of a database, to notice that it was removed or replaced, because SQLite goes on writing to a file without a
/// name.
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

/// The length that the log keeps after a checkpoint, in bytes.
const LOG_BYTES: i64 = 64 << 20;

/// The length of the log, in pages, at which a COMMIT copies it into the database. A page that many calls change is then copied
/// once for all of them. SQLite's own setting of 1,000 pages is the log of about 60 calls that come one by one. It costs them 3 % of their
/// time.
const LOG_PAGES: i64 = 4_000;

/// How often a connection tries to take a lock, and how long it waits before it tries again: 5 seconds together. A service
/// under load frees the lock for a moment after each group of commits. SQLite's own waiting, which grows to a tenth of a
/// second, would miss these moments.
const TRIES: i32 = 2_500;
const BEFORE_NEXT_TRY: Duration = Duration::from_millis(2);

/// Waits for a lock. Returns whether it is to be tried again.
fn wait_for_lock(tries: i32) -> bool {
    let again = tries < TRIES;
    if again {
        // clock: another process frees the lock, and tells nobody.
        thread::sleep(BEFORE_NEXT_TRY);
    }
    again
}

/// Opens a connection with the settings that all connections have.
pub(super) fn connect(folder: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(folder.join(DATABASE), flags)?;
    connection.busy_handler(Some(wait_for_lock))?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // Each COMMIT syncs the log, so that an answered call is on the disk.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Deleted data is overwritten.
    connection.pragma_update(None, "secure_delete", true)?;
    // After a burst of calls, the log takes no more space than this.
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Plans do not depend on values. Otherwise a statement is compiled again for each new value that a plan could depend on.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(64);
    add_functions(&connection)?;
    connection.trace_v2(
        TraceEventCodes::SQLITE_TRACE_STMT,
        Some(|_| {
            STATEMENTS.fetch_add(1, Relaxed);
        }),
    );
    Ok(connection)
}

/// Adds the functions that the statements call.
///
/// # Errors
/// SQLite has no memory.
pub fn add_functions(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_DIRECTONLY;
    connection.create_scalar_function("reader_hash", 2, flags, |given| {
        let text = |place| Ok::<_, rusqlite::Error>(given.get_raw(place).as_bytes()?);
        Ok(reader_hash(text(0)?, text(1)?))
    })
}

/// Returns the hash of a reader's match key, as a function of PostgreSQL's schema does.
fn reader_hash(key: &[u8], match_key: &[u8]) -> Vec<u8> {
    let hash = |text: &[u8]| {
        Sha256::new()
            .chain_update(key)
            .chain_update(text)
            .finalize()
    };
    hash(&hash(match_key)).to_vec()
}

/// Returns the version of a database.
pub(super) fn found_version(connection: &Connection) -> rusqlite::Result<Version> {
    let table = "SELECT count(*) FROM sqlite_schema WHERE name = 'schema_version'";
    let tables: i64 = connection.query_row(table, [], |row| row.get(0))?;
    if tables == 0 {
        return Ok(Version::default());
    }
    connection.query_row(include_str!("../sql/version.sql"), [], |row| {
        Ok(Version {
            number: row.get(0)?,
            least: row.get(1)?,
        })
    })
}

/// Checks that this program works with the schema.
pub(super) fn check_version(connection: &Connection) -> Result<(), OpenError> {
    let (version, known) = (found_version(connection)?, schema::known(MIGRATIONS));
    let found = version.number;
    match version.fit(known) {
        Fit::Older => Err(OpenError::Older { found, known }),
        Fit::Fits => Ok(()),
        Fit::Newer => Err(OpenError::Newer { found, known }),
    }
}

/// Checks that this program works with the schema, or can bring it up to date.
pub(super) fn check_not_newer(connection: &Connection) -> Result<(), OpenError> {
    match check_version(connection) {
        Err(OpenError::Older { .. }) => Ok(()),
        checked => checked,
    }
}

/// Brings the schema up to this program's version, completely or not at all.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    migrate_by(connection, MIGRATIONS)
}

fn migrate_by(connection: &mut Connection, migrations: &[Migration]) -> Result<(), OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let (version, known) = (found_version(&transaction)?, schema::known(migrations));
    let found = version.number;
    match version.fit(known) {
        Fit::Newer => return Err(OpenError::Newer { found, known }),
        Fit::Fits => return Ok(()),
        Fit::Older => {}
    }
    transaction.execute_batch(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, least INTEGER NOT NULL) STRICT",
    )?;
    for (number, migration) in schema::missing(migrations, found) {
        transaction.execute_batch(migration.sql)?;
        let record = "INSERT INTO schema_version (version, least) VALUES (?1, ?2)";
        transaction.execute(record, [number, migration.least])?;
    }
    transaction.commit()?;
    Ok(())
}

/// Returns when the latest delivery was made, in seconds since 1970, or 0 if there is none.
pub(super) fn latest(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row(include_str!("sql/latest.sql"), [], |row| row.get(0))
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn the_page_says_how_long_the_log_becomes() {
        let page = include_str!("../../../../../docs/load.md");
        let (thousands, rest) = (LOG_PAGES / 1000, LOG_PAGES % 1000);
        let sentence = format!("When the log has {thousands},{rest:03} pages");
        assert!(page.contains(&sentence), "{sentence}");
    }

    #[test]
    fn a_database_is_brought_to_the_next_version_whole_or_not_at_all() {
        let first = MIGRATIONS.first().copied().unwrap();
        let next = |sql| [first, Migration { sql, least: 1 }];
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        let insert =
            "INSERT INTO accounts (name, blocked, expired, deactivated) VALUES ('A', 0, 0, 0)";
        connection.execute(insert, []).unwrap();
        let broken = next("ALTER TABLE accounts ADD COLUMN note TEXT; SELECT nothing;");
        migrate_by(&mut connection, &broken).unwrap_err();
        assert_eq!(found_version(&connection).unwrap().number, 1);
        assert!(connection.prepare("SELECT note FROM accounts").is_err());
        let whole = next("ALTER TABLE accounts ADD COLUMN note TEXT;");
        migrate_by(&mut connection, &whole).unwrap();
        let version = found_version(&connection).unwrap();
        assert_eq!((version.number, version.least), (2, 1));
        let read = "SELECT name FROM accounts WHERE note IS NULL";
        let name: String = connection.query_row(read, [], |row| row.get(0)).unwrap();
        assert_eq!(name, "A");
        // The previous release still opens the database, and changes nothing.
        check_version(&connection).unwrap();
        migrate(&mut connection).unwrap();
        assert_eq!(found_version(&connection).unwrap(), version);
    }
}
