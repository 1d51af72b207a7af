//! Sender addresses.

use clap::Subcommand;

use super::listing::Shown;
use super::{Failure, Of};
use crate::store::{Address, Store};

#[derive(Subcommand)]
pub(super) enum Sender {
    /// Make an address an active sender, or with --inactive an inactive one
    Set {
        #[command(flatten)]
        of: Of,
        /// The address
        address: String,
        /// The address is not an active sender
        #[arg(long)]
        inactive: bool,
    },
    /// List the senders
    List {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
}

impl Sender {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Set {
                of,
                address,
                inactive,
            } => {
                let id = of.id();
                let address = Address::parse(&address)?;
                store.put_sender(id, address, !inactive).await?;
            }
            Self::List { of, shown } => {
                let mut list = shown.list(&["address", "active"]);
                for (address, is_active) in store.senders(of.known(store).await?).await? {
                    list.row(vec![address.into(), is_active.into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
