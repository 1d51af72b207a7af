//! A maildir as the transport: one file for each email, named by its delivery's number.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::transport::{MayFinish, Sending, Transport};
use super::{Email, MailSettingsError, Outcome, Reason};
use crate::folders;

/// Writes each email into a maildir. Only the owner can read it.
///
/// An email is written to `tmp/`, synced, and renamed into `new/`, so every file in `new/` is complete. Its name is made of
/// the delivery's number and time, so a repeat replaces the first file and does not become a second email. A reader who has
/// moved the first file to `cur/` sees the repeat as a new email.
#[derive(Clone, Debug)]
pub struct Maildir {
    folder: PathBuf,
}

/// The age at which a file in `tmp/` is abandoned, as the maildir format defines it.
const DRAFT_LIFE: Duration = Duration::from_secs(36 * 60 * 60);

impl Maildir {
    /// Opens the maildir in a folder, and creates it if it does not exist.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn open(folder: PathBuf) -> Result<Self, MailSettingsError> {
        for part in ["tmp", "new", "cur"] {
            folders::make_private(&folder.join(part)).map_err(|error| {
                let reason = format!("{} ({}): {error}", folder.display(), folders::ACCESS);
                MailSettingsError::new("maildir", reason)
            })?;
        }
        let maildir = Self { folder };
        maildir.clear();
        Ok(maildir)
    }

    /// Removes drafts that killed processes have left. A draft that cannot be removed does no harm, because it is not an
    /// email.
    fn clear(&self) {
        let drafts = fs::read_dir(self.folder.join("tmp"));
        for draft in drafts.into_iter().flatten().flatten() {
            let modified = draft.metadata().and_then(|data| data.modified());
            let is_old =
                modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > DRAFT_LIFE));
            if is_old {
                let _ = fs::remove_file(draft.path());
            }
        }
    }

    /// Writes the email to `tmp/` and syncs it.
    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = self.folder.join("tmp").join(name);
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(path)
    }

    fn finish(&self, path: &Path, name: &str) -> io::Result<()> {
        let new = self.folder.join("new");
        fs::rename(path, new.join(name))?;
        folders::sync(&new)
    }
}

impl Transport for Maildir {
    fn send(&self, email: Email, may_finish: MayFinish) -> Sending<'_> {
        let maildir = self.clone();
        Box::pin(async move {
            let name = format!("{}.{}.franking", email.created, email.id);
            // Two processes that both believe that they hold the lease write to different files.
            let draft = format!("{name}.{}", std::process::id());
            let written = blocking({
                let maildir = maildir.clone();
                move || maildir.write(&draft, &email.bytes)
            });
            let path = match written.await {
                Ok(path) => path,
                Err(error) => return fault(&error),
            };
            let finished = if may_finish.await {
                blocking({
                    let path = path.clone();
                    move || maildir.finish(&path, &name)
                })
                .await
                .map(|()| true)
            } else {
                Ok(false)
            };
            match finished {
                Ok(true) => Outcome::Delivered {
                    answer: Reason::new("written to the maildir"),
                },
                Ok(false) => {
                    // A file that stays in tmp/ is not an email, and the next attempt of this process overwrites it.
                    let _ = blocking(move || fs::remove_file(path)).await;
                    Outcome::Deferred {
                        reason: Reason::new("the lease of the email ended before it was written"),
                    }
                }
                Err(error) => fault(&error),
            }
        })
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|stopped| Err(io::Error::other(stopped)))
}

/// A disk that is full or broken is not the recipient's fault.
fn fault(error: &io::Error) -> Outcome {
    Outcome::TransportFault {
        reason: Reason::new(&format!("the maildir cannot be written: {}", error.kind())),
    }
}
