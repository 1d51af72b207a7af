//! Readers who have unsubscribed.

use clap::Subcommand;

use super::confirm::goes_on;
use super::listing::Shown;
use super::{Back, Failure, Of};
use crate::store::Store;

#[derive(Subcommand)]
pub(super) enum Unsubscribed {
    /// List an account's readers who have unsubscribed, the last first: number, subscriber, time, from what, and, if the
    /// entry was lifted, why
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        back: Back,
        #[command(flatten)]
        shown: Shown,
    },
    /// Send again to a reader who has asked for it
    Lift {
        #[command(flatten)]
        of: Of,
        /// The number of the entry in `unsubscribed list`
        entry: i64,
        /// The reason, which is kept with the entry
        #[arg(long)]
        reason: String,
    },
}

impl Unsubscribed {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::List { of, back, shown } => {
                let mut list = shown.list(&[
                    "entry",
                    "subscriber",
                    "created",
                    "scope",
                    "mailer",
                    "lifted",
                ]);
                let account = of.known(store).await?;
                let rows = store.unsubscribed(account, back.before, back.limit);
                for row in rows.await? {
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
                let what = format!(
                    "this sends again to the reader of entry {entry} of account {}",
                    of.known(store).await?
                );
                if goes_on(&what)? {
                    store.lift_unsubscribed(of.id(), entry, reason).await?;
                }
            }
        }
        Ok(())
    }
}
