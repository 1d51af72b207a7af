//! Reports that come back: taken from standard input, listed, undone.

use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Args, Subcommand};
use tokio::task::spawn_blocking;

use super::Failure;
use super::listing::Shown;
use crate::outcomes::{Incoming, Intake};
use crate::settings::Settings;
use crate::store::Store;

/// The status EX_TEMPFAIL of sysexits.h. After it a mail server hands the message over again later; it takes nearly every
/// other status for a refusal.
pub(super) const TRY_AGAIN: u8 = 75;

/// How many reports are listed by one query.
const LISTED: u32 = 1_000;

/// `franking-service report`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Report {
    /// The address to which the mail server delivered the message; by default it is read from the message's headers
    #[arg(long, value_name = "ADDRESS")]
    to: Option<String>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// List the reports: number, time, kind, code, account, subscriber, delivery, how the email was found, the words of the
    /// report, and why it was undone
    List {
        #[command(flatten)]
        shown: Shown,
    },
    /// Undo a report: its bounce or complaint no longer counts, and a suppression that it has caused is lifted
    Undo {
        /// The report's number
        id: i64,
        /// The reason, which is kept with the report
        #[arg(long)]
        reason: String,
    },
}

impl Report {
    /// The status of a failure.
    pub(super) fn failure(&self) -> ExitCode {
        match self.command {
            // Whatever the failure is, the mail server keeps the message.
            None => ExitCode::from(TRY_AGAIN),
            Some(_) => ExitCode::from(super::run::FAILED),
        }
    }

    /// Whether it takes in a report from standard input, as when a mail server runs it.
    pub(super) fn takes(&self) -> bool {
        self.command.is_none()
    }

    pub(super) async fn run(
        self,
        store: Arc<dyn Store>,
        settings: &Settings,
    ) -> Result<(), Failure> {
        match self.command {
            None => take(self.to, store, settings).await,
            Some(Command::List { shown }) => list(&*store, &shown).await,
            Some(Command::Undo { id, reason }) => {
                let rule = settings.suppression();
                Ok(store.undo_report(id, reason, rule).await?)
            }
        }
    }
}

/// Whether arguments are those of a command that takes in a report from standard input. They need not all be valid.
pub(super) fn would_take(matches: &ArgMatches) -> bool {
    let report = matches.subcommand_matches("report");
    report.is_some_and(|report| report.subcommand_name().is_none())
}

/// Takes in the message on standard input.
async fn take(
    to: Option<String>,
    store: Arc<dyn Store>,
    settings: &Settings,
) -> Result<(), Failure> {
    // Reads all of it: a mail server that cannot write the rest takes that for a failure.
    let message = spawn_blocking(|| Incoming::read(std::io::stdin().lock())).await??;
    let intake = Intake::new(store, settings.return_paths()?, settings.suppression());
    intake.take(to.as_deref(), message).await?;
    Ok(())
}

async fn list(store: &dyn Store, shown: &Shown) -> Result<(), Failure> {
    let mut list = shown.list(&[
        "report",
        "received",
        "says",
        "status",
        "account",
        "subscriber",
        "delivery",
        "found_by",
        "reason",
        "undone",
    ]);
    let mut after = 0;
    loop {
        let rows = store.reports(after, LISTED).await?;
        let Some(last) = rows.last().map(|row| row.id) else {
            return Ok(list.end()?);
        };
        after = last;
        for row in rows {
            let (account, subscriber, delivery) = match row.email {
                Some((account, subscriber, delivery)) => {
                    (Some(account.number()), Some(subscriber), Some(delivery))
                }
                None => (None, None, None),
            };
            list.row(vec![
                row.id.into(),
                super::time(row.received).into(),
                row.kind.into(),
                row.status.into(),
                account.into(),
                subscriber.into(),
                delivery.into(),
                row.matched.into(),
                row.reason.into(),
                row.undone.into(),
            ])?;
        }
    }
}

/// Makes the intake for messages that come to the process that serves.
pub(super) fn intake(store: Arc<dyn Store>, settings: &Settings) -> Result<Arc<Intake>, Failure> {
    let paths = settings.return_paths()?;
    Ok(Arc::new(Intake::new(store, paths, settings.suppression())))
}
