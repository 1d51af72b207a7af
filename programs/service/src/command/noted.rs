//! Carries out a command of the operator's, typed or sent by a page, and notes it in the audit log.

use clap::{CommandFactory as _, FromArgMatches as _};

use super::audit::{self, Typed};
use super::closed_pipe::is_closed_pipe;
use super::kept::{self, Extent, ForPage};
use super::{Cli, Command, Failure, listing};
use crate::settings::Settings;
use crate::store::Store;

/// Carries out a command for a page, and returns what it prints. `words` are the words that would be typed after the
/// program's name. A command that changes something or shows personal data is noted in the audit log.
///
/// # Errors
/// The words are not a command of the operator's, or the thing that they ask for does not exist.
pub(crate) async fn carry_out_for_page(
    store: &dyn Store,
    settings: &Settings,
    words: &[String],
    page: ForPage,
) -> Result<Vec<listing::Printed>, Failure> {
    let program = Cli::command();
    let words = std::iter::once("franking-service".to_owned()).chain(words.iter().cloned());
    let matches = program.clone().try_get_matches_from(words)?;
    let mut typed = Typed::of(&program, &matches);
    typed.text = format!("desk: {}", typed.text);
    if page.unmasks && !typed.text.contains(audit::UNMASKED) {
        typed.text = format!("{} --{}", typed.text, audit::UNMASKED);
    }
    typed.is_noted |= page.unmasks;
    typed.is_noted &= page.extent == Extent::Whole;
    let command = Cli::from_arg_matches(&matches)?.command;
    let command = async {
        match command {
            Command::Operator(command) => noted(store, &typed, command.run(store, settings)).await,
            Command::Webhook(webhook) => noted(store, &typed, webhook.run(store, settings)).await,
            _ => Err("this is not a command of the desk".into()),
        }
    };
    kept::keep(page, command).await
}

/// Carries out a command, and notes it in the audit log if `typed` says so.
pub(super) async fn noted(
    store: &dyn Store,
    typed: &Typed,
    command: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    if !typed.is_noted {
        return command.await;
    }
    let note = store.begin_audit(audit::operator(), typed.text.clone());
    let note = note.await?;
    let done = command.await;
    // A command whose output is not read to its end has succeeded as well.
    let failed = done.as_ref().is_err_and(|error| !is_closed_pipe(&**error));
    // Whether the log can be completed does not change what became of the command.
    if let Err(error) = store.end_audit(note, !failed).await {
        tracing::warn!(%error, "the result of a command could not be noted in the audit log");
    }
    done
}
