//! Backs up a database while it is served, and restores it.
//!
//! SQLite copies itself. PostgreSQL's own programs `pg_dump` and `pg_restore` copy a PostgreSQL database, at one snapshot.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tokio_postgres::config::Host;

use crate::settings::Settings;
use crate::store::sqlite::{self, OpenError};

/// Why a backup or a restore has failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// A file cannot be made or read.
    #[error("{}", .0.display())]
    Files(PathBuf, #[source] io::Error),
    /// SQLite's database cannot be copied.
    #[error(transparent)]
    Sqlite(#[from] OpenError),
    /// The setting `database` is not an address.
    #[error("the setting database is not the address of a PostgreSQL database")]
    Address,
    /// A program of PostgreSQL's is not installed.
    #[error(
        "cannot run {0}: install PostgreSQL's client programs, of the server's version or a later one"
    )]
    Program(&'static str, #[source] io::Error),
    /// A program of PostgreSQL's has failed, and has said why.
    #[error("{0} has failed")]
    Failed(&'static str),
    /// There is something in the database already.
    #[error("the database is not empty: a backup is restored into an empty one")]
    NotEmpty,
}

/// Copies the database of the settings into a new file, as it is at one moment. Calls are taken meanwhile.
///
/// # Errors
/// [`BackupError`]
pub fn back_up(settings: &Settings, file: &Path) -> Result<(), BackupError> {
    if file.exists() {
        let exists = io::Error::from(io::ErrorKind::AlreadyExists);
        return Err(BackupError::Files(file.to_owned(), exists));
    }
    // The file gets its own name only when the backup is complete.
    let mut part: OsString = file.into();
    part.push(".part");
    let part = PathBuf::from(part);
    let of_part = |error| BackupError::Files(part.clone(), error);
    // It holds personal data.
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(0o600);
    let made = options.open(&part).map_err(of_part)?;
    let copied = match &settings.database {
        None => sqlite::back_up(&settings.data, &part).map_err(Into::into),
        Some(_) => dump(settings, &part),
    };
    let copied = copied.and_then(|()| {
        made.sync_all().map_err(of_part)?;
        fs::rename(&part, file).map_err(|error| BackupError::Files(file.to_owned(), error))
    });
    if copied.is_err() {
        let _ = fs::remove_file(&part);
    }
    copied
}

/// Restores a backup into the database of the settings, which has to be empty.
///
/// # Errors
/// [`BackupError`]
pub fn restore(settings: &Settings, file: &Path) -> Result<(), BackupError> {
    File::open(file).map_err(|error| BackupError::Files(file.to_owned(), error))?;
    match &settings.database {
        None => Ok(sqlite::restore(file, &settings.data)?),
        Some(_) => load(settings, file),
    }
}

fn dump(settings: &Settings, file: &Path) -> Result<(), BackupError> {
    let mut command = of_database(settings, "pg_dump")?;
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--file"]);
    run(command.arg(file), "pg_dump")
}

fn load(settings: &Settings, file: &Path) -> Result<(), BackupError> {
    let mut command = of_database(settings, "psql")?;
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace";
    command.args([
        "--no-psqlrc",
        "--tuples-only",
        "--no-align",
        "--command",
        tables,
    ]);
    let found = command.output();
    let found = found.map_err(|error| BackupError::Program("psql", error))?;
    if !found.status.success() {
        return Err(BackupError::Failed("psql"));
    }
    if String::from_utf8_lossy(&found.stdout).trim() != "0" {
        return Err(BackupError::NotEmpty);
    }
    let mut command = of_database(settings, "pg_restore")?;
    let name = database_name(settings)?;
    command.args([
        "--single-transaction",
        "--exit-on-error",
        "--no-owner",
        "--no-privileges",
    ]);
    run(command.arg("--dbname").arg(name).arg(file), "pg_restore")
}

fn run(command: &mut Command, program: &'static str) -> Result<(), BackupError> {
    let ended = command.status();
    let ended = ended.map_err(|error| BackupError::Program(program, error))?;
    match ended.success() {
        true => Ok(()),
        false => Err(BackupError::Failed(program)),
    }
}

fn parsed(settings: &Settings) -> Result<tokio_postgres::Config, BackupError> {
    let address = settings.database.as_ref().ok_or(BackupError::Address)?;
    address.secret().parse().map_err(|_| BackupError::Address)
}

fn database_name(settings: &Settings) -> Result<String, BackupError> {
    let config = parsed(settings)?;
    let name = config.get_dbname().or_else(|| config.get_user());
    Ok(name.ok_or(BackupError::Address)?.to_owned())
}

/// A program that gets the address of the database by its environment. Other users of the machine can see arguments, and the
/// address has a password.
fn of_database(settings: &Settings, program: &'static str) -> Result<Command, BackupError> {
    let config = parsed(settings)?;
    let mut command = Command::new(program);
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        })
        .collect();
    if !hosts.is_empty() {
        command.env("PGHOST", hosts.join(","));
    }
    let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
    if !ports.is_empty() {
        command.env("PGPORT", ports.join(","));
    }
    if let Some(user) = config.get_user() {
        command.env("PGUSER", user);
    }
    if let Some(password) = config.get_password() {
        command.env("PGPASSWORD", String::from_utf8_lossy(password).into_owned());
    }
    if let Some(certificates) = &settings.database_certificates {
        command.env("PGSSLMODE", "verify-full");
        command.env("PGSSLROOTCERT", certificates);
    }
    command.env("PGDATABASE", database_name(settings)?);
    Ok(command)
}
