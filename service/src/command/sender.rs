//! Sender addresses.

use clap::Subcommand;

use super::{Failure, Of};
use crate::settings::{Given, Settings, SettingsError};
use crate::store::Address;

#[derive(Subcommand)]
pub(super) enum Sender {
    /// Make an address an active sender, or with --inactive none any more
    Set {
        #[command(flatten)]
        of: Of,
        /// The address
        address: String,
        /// It is no active sender
        #[arg(long)]
        inactive: bool,
    },
    /// List the senders
    List {
        #[command(flatten)]
        of: Of,
    },
}

impl Sender {
    pub(super) async fn run(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<(), Failure> {
        match self {
            Self::Set {
                of,
                address,
                inactive,
            } => {
                let id = of.id();
                let address = Address::parse(&address)?;
                let store = of.place.open(read).await?;
                store.put_sender(id, address, !inactive).await?;
            }
            Self::List { of } => {
                let id = of.id();
                for (address, is_active) in of.place.open(read).await?.senders(id).await? {
                    println!("{address}\tactive {is_active}");
                }
            }
        }
        Ok(())
    }
}
