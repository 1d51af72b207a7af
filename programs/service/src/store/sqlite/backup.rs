//! Copies of a database that are made while it is served.

use std::fs::{self, File};
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::open::{self, DATABASE, OpenError};

/// Copies the database of a folder into an empty file: its state at one moment, without its free space. Calls are accepted
/// in the meantime.
///
/// # Errors
/// The folder has no database, or SQLite cannot read it or write the file.
pub fn back_up(folder: &Path, file: &Path) -> Result<(), OpenError> {
    if !folder.join(DATABASE).exists() {
        return Err(OpenError::Missing(folder.to_owned()));
    }
    let from = open::connect(folder)?;
    open::check_version(&from)?;
    let name = file.to_str().ok_or_else(|| OpenError::Files {
        path: file.to_owned(),
        source: std::io::ErrorKind::InvalidFilename.into(),
    })?;
    from.execute("VACUUM INTO ?1", [name])?;
    look(&read(file)?)
}

/// Copies a backup into a folder that has no database.
///
/// # Errors
/// The file is not an intact database of this program's version or an earlier one, or the folder has a database already.
pub fn restore(file: &Path, folder: &Path) -> Result<(), OpenError> {
    let from = read(file)?;
    if open::found_version(&from)?.number == 0 {
        return Err(OpenError::Broken("it is of another program".to_owned()));
    }
    open::check_not_newer(&from)?;
    look(&from)?;
    if folder.join(DATABASE).exists() {
        return Err(OpenError::Exists(folder.to_owned()));
    }
    let _lock = open::lock(folder)?;
    let (place, part) = (folder.join(DATABASE), folder.join("franking.db.part"));
    // The copy gets the name of the database only when it is complete.
    let copied = (|| {
        open::private(&part)?;
        fs::copy(file, &part)?;
        File::open(&part)?.sync_all()?;
        fs::rename(&part, &place)
    })();
    copied.map_err(|source| OpenError::Files {
        path: place,
        source,
    })
}

fn read(file: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(file, flags)
}

/// Checks that a database is intact.
fn look(connection: &Connection) -> Result<(), OpenError> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    match found == "ok" {
        true => Ok(()),
        false => Err(OpenError::Broken(found)),
    }
}
