//! Lists of subscribers.

use clap::Subcommand;

use super::listing::Shown;
use super::subscriber::{Part, subscribers};
use super::{Failure, Of};
use crate::store::{Store, Subscribers};

#[derive(Subcommand)]
#[expect(
    clippy::enum_variant_names,
    reason = "these are the names that are typed"
)]
pub(super) enum List {
    /// Make a list
    Add {
        #[command(flatten)]
        of: Of,
        /// Its name
        name: String,
    },
    /// Show the subscribers of a list, in the order of their numbers
    Show {
        #[command(flatten)]
        of: Of,
        /// Its name
        name: String,
        #[command(flatten)]
        part: Part,
        #[command(flatten)]
        shown: Shown,
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
            Self::Show {
                of,
                name,
                part,
                shown,
            } => {
                let which = Subscribers::OfList(name, part.after);
                let rows = store
                    .subscribers(of.known(store).await?, which, part.limit)
                    .await?;
                subscribers(&shown, rows)?;
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&["name", "subscribers"]);
                for (name, members) in store.lists(of.known(store).await?).await? {
                    list.row(vec![name.into(), members.cast_signed().into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
