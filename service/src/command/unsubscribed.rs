//! Readers who have unsubscribed.

use clap::Subcommand;

use super::{Failure, Of};
use crate::store::Store;

#[derive(Subcommand)]
pub(super) enum Unsubscribed {
    /// List an account's readers who have unsubscribed: number, subscriber, time, from what, and why it was lifted if it was
    List {
        #[command(flatten)]
        of: Of,
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
            Self::List { of } => {
                for row in store.unsubscribed(of.id()).await? {
                    let (id, subscriber, scope) = (row.id, row.subscriber, row.scope);
                    let mailer = row.mailer.map(|mailer| format!(" {mailer}"));
                    let mailer = mailer.unwrap_or_default();
                    let time = super::time(row.created);
                    let lifted = row.lifted.map(|why| format!("\tlifted: {why}"));
                    let lifted = lifted.unwrap_or_default();
                    say!("{id}\t{subscriber}\t{time}\t{scope}{mailer}{lifted}");
                }
            }
            Self::Lift { of, entry, reason } => {
                store.lift_unsubscribed(of.id(), entry, reason).await?;
            }
        }
        Ok(())
    }
}
