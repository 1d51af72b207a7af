//! Backs up a database while it is served, and restores it.
//!
//! SQLite copies itself. PostgreSQL's own programs `pg_dump` and `pg_restore` copy a PostgreSQL database, as of one moment.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tokio_postgres::config::{ChannelBinding, Host, SslMode, SslNegotiation, TargetSessionAttrs};

use crate::folders;
use crate::settings::Settings;
use crate::store::sqlite::{self, OpenError};

/// Why a backup or a restore has failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// A file cannot be made or read.
    #[error("{}", .0.display())]
    Files(PathBuf, #[source] io::Error),
    /// The file of a backup is there already.
    #[error("{} exists already: name another file", .0.display())]
    Exists(PathBuf),
    /// SQLite's database cannot be copied.
    #[error(transparent)]
    Sqlite(#[from] OpenError),
    /// The setting `database` is not an address.
    #[error("the setting database is not the address of a PostgreSQL database")]
    Address,
    /// The programs of PostgreSQL cannot be told something that the address says.
    #[error(
        "PostgreSQL's programs cannot be told {0} of the setting database: give this command an address without it"
    )]
    Untold(&'static str),
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
        return Err(BackupError::Exists(file.to_owned()));
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
        let of_file = |error| BackupError::Files(file.to_owned(), error);
        fs::rename(&part, file).map_err(of_file)?;
        folders::sync(folders::of(file)).map_err(|error| {
            // Without the sync, a power loss could undo the name. So no file is left that looks like a backup.
            let _ = fs::remove_file(file);
            of_file(error)
        })
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
    let found = command.stderr(Stdio::inherit()).output();
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

/// A program that gets the address of the database from its environment, because the address may have a password, and other
/// users of the machine can see arguments.
fn of_database(settings: &Settings, program: &'static str) -> Result<Command, BackupError> {
    let config = parsed(settings)?;
    let mut command = Command::new(program);
    // Variables of the operator's shell, such as PGSERVICE, could name another database.
    for (name, _) in std::env::vars_os() {
        // By PGCLUSTER, Debian's programs choose their version.
        if name.as_bytes().starts_with(b"PG") && name != "PGCLUSTER" {
            command.env_remove(name);
        }
    }
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => OsStr::new(name),
        Host::Unix(path) => path.as_os_str(),
    });
    let hosts: Vec<&OsStr> = hosts.collect();
    // A comma separates hosts.
    if hosts.iter().any(|host| host.as_bytes().contains(&b',')) {
        return Err(BackupError::Untold("a host with a comma"));
    }
    if config.get_ssl_negotiation() != SslNegotiation::Postgres {
        return Err(BackupError::Untold("sslnegotiation"));
    }
    if !hosts.is_empty() {
        command.env("PGHOST", hosts.join(OsStr::new(",")));
    }
    let addresses = config.get_hostaddrs().iter().map(ToString::to_string);
    let addresses: Vec<String> = addresses.collect();
    if !addresses.is_empty() {
        command.env("PGHOSTADDR", addresses.join(","));
    }
    let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
    if !ports.is_empty() {
        command.env("PGPORT", ports.join(","));
    }
    if let Some(user) = config.get_user() {
        command.env("PGUSER", user);
    }
    if let Some(password) = config.get_password() {
        command.env("PGPASSWORD", OsStr::from_bytes(password));
    }
    if let Some(options) = config.get_options() {
        command.env("PGOPTIONS", options);
    }
    let session = match config.get_target_session_attrs() {
        TargetSessionAttrs::ReadWrite => Some("read-write"),
        TargetSessionAttrs::ReadOnly => Some("read-only"),
        _ => None,
    };
    if let Some(session) = session {
        command.env("PGTARGETSESSIONATTRS", session);
    }
    let binding = match config.get_channel_binding() {
        ChannelBinding::Disable => Some("disable"),
        ChannelBinding::Require => Some("require"),
        _ => None,
    };
    if let Some(binding) = binding {
        command.env("PGCHANNELBINDING", binding);
    }
    if let Some(certificates) = &settings.database_certificates {
        command.env("PGSSLMODE", "verify-full");
        command.env("PGSSLROOTCERT", certificates);
    } else if config.get_ssl_mode() == SslMode::Disable {
        command.env("PGSSLMODE", "disable");
    }
    command.env("PGDATABASE", database_name(settings)?);
    Ok(command)
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    fn told(address: &str) -> Result<Vec<String>, BackupError> {
        let settings = Settings {
            database: Some(address.parse().unwrap()),
            ..Settings::default()
        };
        let command = of_database(&settings, "pg_dump")?;
        let told = command.get_envs();
        // Variables of the shell are removed: they have no value here.
        let told = told.filter_map(|(name, value)| {
            let [name, value] = [name, value?].map(|text| text.to_str().unwrap());
            Some(format!("{name}={value}"))
        });
        Ok(told.collect())
    }

    #[test]
    fn programs_are_told_all_by_which_the_database_is_found() {
        let address = "host=one,two hostaddr=192.0.2.1,2001:db8::2 port=5432,5433 user=ada password='a b' dbname=mail \
            options='-c search_path=other' target_session_attrs=read-write sslmode=disable";
        let expected = [
            "PGDATABASE=mail",
            "PGHOST=one,two",
            "PGHOSTADDR=192.0.2.1,2001:db8::2",
            "PGOPTIONS=-c search_path=other",
            "PGPASSWORD=a b",
            "PGPORT=5432,5433",
            "PGSSLMODE=disable",
            "PGTARGETSESSIONATTRS=read-write",
            "PGUSER=ada",
        ];
        assert_eq!(told(address).unwrap(), expected);
        assert_eq!(
            told("hostaddr=192.0.2.1 user=ada").unwrap(),
            ["PGDATABASE=ada", "PGHOSTADDR=192.0.2.1", "PGUSER=ada"]
        );
    }

    #[test]
    fn what_programs_cannot_be_told_is_refused() {
        for address in [
            "postgresql://ada@%2Ftmp%2Fa%2Cb/mail",
            "host=one sslnegotiation=direct dbname=mail",
        ] {
            let refused = told(address).unwrap_err();
            assert!(refused.to_string().contains("cannot be told"), "{refused}");
        }
    }
}
