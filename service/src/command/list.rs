//! Lists of subscribers.

use clap::Subcommand;

use super::listing::Shown;
use super::{Failure, Of};
use crate::store::Store;

#[derive(Subcommand)]
pub(super) enum List {
    /// Make a list
    Add {
        #[command(flatten)]
        of: Of,
        /// Its name
        name: String,
    },
    /// List the lists
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
}

impl List {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add { of, name } => {
                let id = of.id();
                store.create_list(id, name).await?;
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&["name", "subscribers"]);
                for (name, members) in store.lists(of.id()).await? {
                    list.row(vec![name.into(), members.cast_signed().into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
