//! A maildir to which a mail server delivers reports: each is taken in, and then moved from `new` to `cur`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
// clock: how soon a report is noticed; nothing else depends on it.
use std::time::Duration;

use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{Incoming, Intake};
use crate::folders;
use crate::store::StoreError;

/// The time between two looks at the folder.
const PAUSE: Duration = Duration::from_secs(1);

/// Takes in what is delivered to a maildir, until `end`. A report that cannot be taken in stays in `new`, and is tried
/// again.
pub async fn watch(folder: PathBuf, intake: Arc<Intake>, end: CancellationToken) {
    let mut looks = interval(PAUSE);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut fails = false;
    loop {
        tokio::select! {
            () = end.cancelled() => return,
            _ = looks.tick() => {}
        }
        let looked = look(&folder, &intake, &end).await;
        // A failure that lasts is logged once, and not each second.
        if let Err(error) = &looked
            && !fails
        {
            tracing::error!(%error, "the reports in the maildir could not be taken in: they are tried again");
        }
        fails = looked.is_err();
    }
}

/// Why a report was not taken in.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The text has the kind of the error alone, without the name of a file.
    #[error(
        "reports_maildir or a file in it cannot be read or moved ({}): {}",
        folders::ACCESS,
        .0.kind()
    )]
    Files(#[from] io::Error),
}

async fn look(folder: &Path, intake: &Arc<Intake>, end: &CancellationToken) -> Result<(), Trouble> {
    let (new, cur) = (folder.join("new"), folder.join("cur"));
    let listed = new.clone();
    let names = spawn_blocking(move || list(&listed)).await;
    let mut trouble = None;
    for name in names.unwrap_or_else(|_| Ok(Vec::new()))? {
        if end.is_cancelled() {
            break;
        }
        let (from, mut seen) = (new.join(&name), name);
        // Marks the message as seen, so that mail readers leave it alone.
        seen.push(":2,S");
        let done = take(from, cur.join(seen), intake).await;
        match done {
            // The next look asks the database again.
            Err(Trouble::Store(error)) => return Err(error.into()),
            // A file that cannot be read does not keep the others waiting.
            Err(Trouble::Files(error)) if error.kind() != io::ErrorKind::NotFound => {
                trouble = Some(error.into());
            }
            // Another process has moved it.
            Err(Trouble::Files(_)) | Ok(()) => {}
        }
    }
    trouble.map_or(Ok(()), Err)
}

/// The names of the files in a folder, in order: they begin with the time of delivery.
fn list(folder: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            names.push(entry.file_name());
        }
    }
    names.sort_unstable();
    Ok(names)
}

async fn take(from: PathBuf, to: PathBuf, intake: &Arc<Intake>) -> Result<(), Trouble> {
    let path = from.clone();
    let message = spawn_blocking(move || Incoming::read(File::open(path)?)).await;
    let message = message.map_err(io::Error::other)??;
    // The file is moved after the report is recorded. If the process is killed in between, the report is taken in again, and
    // is kept once.
    let intake = Arc::clone(intake);
    match tokio::spawn(async move { intake.take(None, message).await }).await {
        Ok(taken) => {
            taken?;
        }
        // The message would meet the same fault each time, and the others would wait for it.
        Err(fault) if fault.is_panic() => {
            tracing::error!(
                "a fault of this program: a report in the maildir could not be read. It is not taken in, and is moved to cur"
            );
        }
        Err(cancelled) => return Err(io::Error::other(cancelled).into()),
    }
    let moved = spawn_blocking(move || rename(&from, &to)).await;
    Ok(moved.map_err(io::Error::other)??)
}

/// Moves a file, and makes the folder that it is moved to if that is missing. The error `NotFound` says that the file is
/// gone.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && from.try_exists()? => {
            if let Some(folder) = to.parent() {
                folders::make_private(folder)?;
            }
            fs::rename(from, to)
        }
        renamed => renamed,
    }
}
