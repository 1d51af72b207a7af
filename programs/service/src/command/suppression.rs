//! Subscribers that are INACTIVE because of bounces and complaints.

use clap::Subcommand;

use super::confirm::goes_on;
use super::export::ExportForm;
use super::import::ImportedFile;
use super::listing::Shown;
use super::{Back, Failure, Of, ids};
use crate::operate::rows::Row;
use crate::store::{Address, NewSuppression, Store};

#[derive(Subcommand)]
pub(super) enum Suppression {
    /// List an account's suppressions, the last first: number, subscriber, time, cause, report, the mail server's code and
    /// words, and why the suppression was lifted
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        back: Back,
        #[command(flatten)]
        shown: Shown,
    },
    /// Suppress addresses from a file with the columns email and cause, which is bounces or complaint. Missing subscribers
    /// are added
    Import {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        import: ImportedFile,
    },
    /// Write all suppressed addresses, in the form that `suppression import` reads
    Export {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        export: ExportForm,
    },
    /// Make a suppressed subscriber active again. What was reported until now no longer counts
    Lift {
        #[command(flatten)]
        of: Of,
        /// The subscriber's number
        #[arg(value_parser = ids())]
        subscriber: u64,
        /// The reason, which is kept with the suppression
        #[arg(long)]
        reason: String,
    },
}

/// The columns of a file of suppressions.
const COLUMNS: &[&str] = &["email", "cause"];

/// Reads a suppression from a row.
fn suppression(row: &mut Row) -> Result<NewSuppression, String> {
    let email = row.needed("email")?;
    let email = Address::parse(&email).map_err(|error| format!("email: {error}"))?;
    let cause = match row.text("cause")?.as_deref() {
        None | Some("bounces") => "bounces",
        Some("complaint") => "complaint",
        Some(_) => return Err("cause is neither bounces nor complaint".to_owned()),
    };
    row.end()?;
    Ok(NewSuppression { email, cause })
}

impl Suppression {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::List { of, back, shown } => {
                let mut list = shown.list(&[
                    "entry",
                    "subscriber",
                    "created",
                    "cause",
                    "report",
                    "reason",
                    "lifted",
                ]);
                let account = of.known(store).await?;
                let rows = store.suppressions(account, back.before, back.limit);
                for row in rows.await? {
                    list.row(vec![
                        row.id.into(),
                        row.subscriber.into(),
                        super::time(row.created).into(),
                        row.cause.into(),
                        row.report.into(),
                        row.reason.into(),
                        row.lifted.into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Import { of, import } => {
                let account = of.known(store).await?;
                let what = format!("suppressions of account {account}");
                import
                    .run_over(store, &what, COLUMNS, suppression, |all, progress| {
                        store.import_suppressions(account, all, progress)
                    })
                    .await?;
            }
            Self::Export { of, export } => {
                let account = of.known(store).await?;
                let mut rows = export.to_output(COLUMNS)?;
                let mut after = i64::MIN;
                loop {
                    let suppressed = store.suppressed_after(account, after).await?;
                    let Some((last, _, _)) = suppressed.last() else {
                        break;
                    };
                    after = *last;
                    for (_, email, cause) in suppressed {
                        rows.row(vec![email.into(), cause.into()])?;
                    }
                }
                rows.end()?;
            }
            Self::Lift {
                of,
                subscriber,
                reason,
            } => {
                let what = format!(
                    "this makes subscriber {subscriber} of account {} active again",
                    of.known(store).await?
                );
                if goes_on(&what)? && !store.lift(of.id(), subscriber, reason).await? {
                    say!(
                        "the subscriber stays INACTIVE, because it was INACTIVE before it was suppressed"
                    );
                }
            }
        }
        Ok(())
    }
}
