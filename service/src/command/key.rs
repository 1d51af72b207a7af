//! API keys: shown once, stored as hashes.

use clap::Subcommand;

use super::listing::Shown;
use super::{Failure, Of};
use crate::store::{ApiKey, Store};

#[derive(Subcommand)]
pub(super) enum Key {
    /// Make a key, and print it: it is shown this once
    Add {
        #[command(flatten)]
        of: Of,
    },
    /// List the live keys: their numbers and when they were made
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
    },
}

impl Key {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add { of } => {
                let id = of.id();
                let key = ApiKey::generate()?;
                store.add_key(id, key.hash()).await?;
                say!("{}", key.secret());
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&["key", "created"]);
                for row in store.keys(of.id()).await? {
                    list.row(vec![row.id.into(), super::time(row.created).into()])?;
                }
                list.end()?;
            }
            Self::Revoke { of, key } => {
                let id = of.id();
                store.revoke_key(id, key).await?;
            }
        }
        Ok(())
    }
}
