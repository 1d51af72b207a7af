//! Lists of subscribers.

use clap::Subcommand;

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
    },
}

impl List {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add { of, name } => {
                let id = of.id();
                store.create_list(id, name).await?;
            }
            Self::List { of } => {
                let id = of.id();
                for (name, members) in store.lists(id).await? {
                    say!("{name:?}\t{members} subscribers");
                }
            }
        }
        Ok(())
    }
}
