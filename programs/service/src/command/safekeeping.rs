//! `backup`, `restore` and `verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::Failure;
use super::closed_pipe::unless_closed;
use super::listing::{Shown, print_text};
use super::open::{As, open};
use super::run::REFUSED;
use crate::key_file::KeyFile;
use crate::operate::{backup, verify};
use crate::settings::Settings;

#[derive(Args)]
pub(super) struct Backup {
    /// The file; it must not exist
    file: PathBuf,
}

impl Backup {
    pub(super) async fn run(self, settings: Settings) -> Result<(), Failure> {
        let path = settings.key_file();
        let file = self.file;
        tokio::task::spawn_blocking(move || backup::back_up(&settings, &file)).await??;
        if path.exists() {
            say!(
                "the backup does not have the key file {}, which opens secrets and kept calls: keep a copy of it elsewhere",
                path.display()
            );
        }
        Ok(())
    }
}

#[derive(Args)]
pub(super) struct Restore {
    /// The file
    file: PathBuf,
}

impl Restore {
    pub(super) async fn run(self, settings: Settings) -> Result<(), Failure> {
        let path = settings.key_file();
        let file = self.file;
        tokio::task::spawn_blocking(move || backup::restore(&settings, &file)).await??;
        if !path.exists() {
            say!(
                "the key file {} is missing: put the one from the time of the backup there. Without it, secrets of webhooks and kept calls cannot be opened",
                path.display()
            );
        }
        Ok(())
    }
}

#[derive(Args)]
pub(super) struct Verify {
    #[command(flatten)]
    shown: Shown,
}

impl Verify {
    pub(super) async fn run(self, settings: &Settings) -> Result<ExitCode, Failure> {
        let store = open(settings, As::Visitor).await?;
        let path = settings.key_file();
        let keys = KeyFile::read_if_there(&path)?;
        let mut list = self.shown.list(&["check", "holds", "not_of"]);
        let (mut written, mut is_whole) = (Ok(()), true);
        verify::verify(&*store, keys.as_ref(), |checked| {
            let holds = checked.broken.is_empty();
            is_whole &= holds;
            let row = vec![
                checked.says.into(),
                holds.into(),
                (!holds).then(|| checked.broken.join(", ")).into(),
            ];
            if written.is_ok() {
                written = list.row(row);
            }
        })
        .await?;
        let printed = written.and_then(|()| list.end());
        let printed = printed.and_then(|()| match &keys {
            Some(_) => Ok(()),
            None => print_text(format!(
                "sealed secrets were not checked, because there is no key file {}\n",
                path.display()
            )),
        });
        // The status says whether the database is whole, however much of the list is read.
        unless_closed(printed)?;
        Ok(match is_whole {
            true => ExitCode::SUCCESS,
            false => ExitCode::from(REFUSED),
        })
    }
}
