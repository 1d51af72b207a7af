//! Subscribers.

use clap::Subcommand;

use super::{Failure, Of, ids};
use crate::store::{Address, NewSubscriber, Store};

#[derive(Subcommand)]
pub(super) enum Subscriber {
    /// Bring a subscriber in, and print its number
    Add {
        #[command(flatten)]
        of: Of,
        /// Its address
        email: String,
        /// Its number; the next one if left out
        #[arg(long, value_parser = ids())]
        id: Option<u64>,
        /// It is INACTIVE
        #[arg(long)]
        inactive: bool,
    },
    /// Make a subscriber active, or with --inactive INACTIVE
    Set {
        #[command(flatten)]
        of: Of,
        /// Its number
        #[arg(value_parser = ids())]
        id: u64,
        /// It is INACTIVE
        #[arg(long)]
        inactive: bool,
    },
    /// Show a subscriber's personalization: one field a line
    Show {
        #[command(flatten)]
        of: Of,
        /// Its number
        #[arg(value_parser = ids())]
        id: u64,
    },
}

impl Subscriber {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add {
                of,
                email,
                id,
                inactive,
            } => {
                let subscriber = NewSubscriber {
                    id,
                    email: Address::parse(&email)?,
                    inactive,
                };
                say!("{}", store.put_subscriber(of.id(), subscriber).await?);
            }
            Self::Set { of, id, inactive } => store.set_inactive(of.id(), id, inactive).await?,
            Self::Show { of, id } => {
                for (name, value) in store.personalization(of.id(), id).await? {
                    say!("{name}\t{value:?}");
                }
            }
        }
        Ok(())
    }
}
