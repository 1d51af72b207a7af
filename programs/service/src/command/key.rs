//! API keys: shown once, stored as hashes.

use clap::Subcommand;

use super::confirm::Confirm;
use super::listing::Shown;
use super::{Failure, Of};
use crate::store::{ApiKey, Store};

#[derive(Subcommand)]
pub(super) enum Key {
    /// Make a key, and print it. It is not shown again
    Add {
        #[command(flatten)]
        of: Of,
        /// A name for people
        #[arg(long)]
        label: Option<String>,
    },
    /// List the live keys: their numbers and labels, when they were made, and when they were last used
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
    /// End a key
    Revoke {
        #[command(flatten)]
        of: Of,
        /// The key's number
        key: i64,
        #[command(flatten)]
        confirm: Confirm,
    },
}

impl Key {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add { of, label } => {
                let id = of.id();
                let key = ApiKey::generate()?;
                store.add_key(id, key.hash(), label).await?;
                say!("{}", key.secret());
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&["key", "created", "label", "last_used"]);
                for row in store.keys(of.known(store).await?).await? {
                    list.row(vec![
                        row.id.into(),
                        super::time(row.created).into(),
                        row.label.into(),
                        row.used.map(super::time).into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Revoke { of, key, confirm } => {
                let id = of.id();
                if confirm.asks(&format!("this revokes key {key} of account {id} for good"))? {
                    store.revoke_key(id, key).await?;
                }
            }
        }
        Ok(())
    }
}
