//! Copies of a database that are made while it is served.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::open::{self, BESIDE, DATABASE, OpenError, PART};
use crate::folders;

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
        source: io::ErrorKind::InvalidFilename.into(),
    })?;
    from.execute("VACUUM INTO ?1", [name])?;
    look(&read(file)?)
}

/// Copies a backup into a folder that has no database. If this fails, the folder still has none.
///
/// # Errors
/// The file is not an intact database of this program's version or an earlier one, or the folder has a database already, or
/// files of one.
pub fn restore(file: &Path, folder: &Path) -> Result<(), OpenError> {
    let from = read(file)?;
    if open::found_version(&from)?.number == 0 {
        return Err(OpenError::Broken("it is of another program".to_owned()));
    }
    open::check_not_newer(&from)?;
    look(&from)?;
    // A folder with a database is refused without waiting for a process that serves it.
    is_vacant(folder)?;
    let _lock = open::lock(folder)?;
    is_vacant(folder)?;
    let (place, part) = (folder.join(DATABASE), folder.join(PART));
    // The copy gets the name of the database only when it is complete.
    let copied = (|| {
        let mut copy = open::private(&part)?;
        // A restore that was interrupted may have left its copy.
        copy.set_len(0)?;
        io::copy(&mut File::open(file)?, &mut copy)?;
        copy.sync_all()?;
        fs::rename(&part, &place)?;
        folders::sync(folder)
    })();
    copied.map_err(|source| {
        for made in [&part, &place] {
            let _ = fs::remove_file(made);
        }
        OpenError::Files {
            path: place,
            source,
        }
    })
}

/// Checks that a folder has no database, and no file that SQLite keeps beside one.
fn is_vacant(folder: &Path) -> Result<(), OpenError> {
    if folder.join(DATABASE).exists() {
        return Err(OpenError::Exists(folder.to_owned()));
    }
    let mut beside = BESIDE.iter().map(|name| folder.join(name));
    match beside.find(|path| path.exists()) {
        Some(left) => Err(OpenError::Left(left)),
        None => Ok(()),
    }
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
