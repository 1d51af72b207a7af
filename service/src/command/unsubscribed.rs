//! Readers who have unsubscribed.

use clap::Subcommand;

use super::listing::Shown;
use super::{Failure, Of};
use crate::store::Store;

#[derive(Subcommand)]
pub(super) enum Unsubscribed {
    /// List an account's readers who have unsubscribed: number, subscriber, time, from what, and why it was lifted if it was
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
    /// Send to a reader again who has asked for it
    Lift {
        #[command(flatten)]
        of: Of,
        /// The number of the entry, as it is listed
        entry: i64,
        /// Why
        #[arg(long)]
        reason: String,
    },
}

impl Unsubscribed {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::List { of, shown } => {
                let mut list = shown.list(&[
                    "entry",
                    "subscriber",
                    "created",
                    "scope",
                    "mailer",
                    "lifted",
                ]);
                for row in store.unsubscribed(of.known(store).await?).await? {
                    list.row(vec![
                        row.id.into(),
                        row.subscriber.into(),
                        super::time(row.created).into(),
                        row.scope.into(),
                        row.mailer.into(),
                        row.lifted.into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Lift { of, entry, reason } => {
                store.lift_unsubscribed(of.id(), entry, reason).await?;
            }
        }
        Ok(())
    }
}
