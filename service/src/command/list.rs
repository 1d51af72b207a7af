//! Lists of subscribers.

use clap::Subcommand;

use super::{Failure, Of};
use crate::settings::{Given, Settings, SettingsError};

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
    pub(super) async fn run(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<(), Failure> {
        match self {
            Self::Add { of, name } => {
                let id = of.id();
                of.place.open(read).await?.create_list(id, name).await?;
            }
            Self::List { of } => {
                let id = of.id();
                for (name, members) in of.place.open(read).await?.lists(id).await? {
                    println!("{name:?}\t{members} subscribers");
                }
            }
        }
        Ok(())
    }
}
