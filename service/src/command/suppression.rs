//! Subscribers that are INACTIVE because of what came back.

use clap::Subcommand;

use super::{Failure, Of, ids};
use crate::store::Store;

#[derive(Subcommand)]
pub(super) enum Suppression {
    /// List an account's suppressions: subscriber, time, cause, report, what it says, and why it was lifted if it was
    List {
        #[command(flatten)]
        of: Of,
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
            Self::List { of } => {
                for row in store.suppressions(of.id()).await? {
                    let report = row
                        .report
                        .map_or_else(|| "-".to_owned(), |id| id.to_string());
                    let (subscriber, cause) = (row.subscriber, &row.cause);
                    let (time, reason) = (super::time(row.created), row.reason.unwrap_or_default());
                    let lifted = row.lifted.map(|why| format!("\tlifted: {why}"));
                    let lifted = lifted.unwrap_or_default();
                    say!("{subscriber}\t{time}\t{cause}\t{report}\t{reason}{lifted}");
                }
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
