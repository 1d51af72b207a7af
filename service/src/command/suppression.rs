//! Subscribers that are INACTIVE because of what came back.

use clap::Subcommand;

use super::listing::Shown;
use super::{Failure, Of, ids};
use crate::store::Store;

#[derive(Subcommand)]
pub(super) enum Suppression {
    /// List an account's suppressions: subscriber, time, cause, report, what it says, and why it was lifted
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
    /// Make a suppressed subscriber active again; what was reported until now does not count any more
    Lift {
        #[command(flatten)]
        of: Of,
        /// The subscriber's number
        #[arg(value_parser = ids())]
        subscriber: u64,
        /// Why
        #[arg(long)]
        reason: String,
    },
}

impl Suppression {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::List { of, shown } => {
                let mut list = shown.list(&[
                    "subscriber",
                    "created",
                    "cause",
                    "report",
                    "reason",
                    "lifted",
                ]);
                for row in store.suppressions(of.known(store).await?).await? {
                    list.row(vec![
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
            Self::Lift {
                of,
                subscriber,
                reason,
            } => {
                if !store.lift(of.id(), subscriber, reason).await? {
                    say!("still INACTIVE: it was so before it was suppressed");
                }
            }
        }
        Ok(())
    }
}
