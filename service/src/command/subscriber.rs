//! Subscribers.

use clap::{Args, Subcommand, value_parser};

use super::listing::Shown;
use super::{Failure, Of, ids};
use crate::store::{Address, NewSubscriber, OperatorError, Store, SubscriberRow, Subscribers};

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
    /// List subscribers, in the order of their numbers
    List {
        #[command(flatten)]
        of: Of,
        /// Only the one with this address
        #[arg(long, value_name = "ADDRESS", conflicts_with = "after")]
        address: Option<String>,
        #[command(flatten)]
        part: Part,
        #[command(flatten)]
        shown: Shown,
    },
    /// Show a subscriber, the lists that it is in, and its personalization
    Show {
        #[command(flatten)]
        of: Of,
        /// Its number
        #[arg(value_parser = ids())]
        id: u64,
        #[command(flatten)]
        shown: Shown,
    },
}

/// A part of a list of subscribers.
#[derive(Args)]
pub(super) struct Part {
    /// Only those after this number
    #[arg(long, value_name = "SUBSCRIBER", default_value_t = 0)]
    pub(super) after: i64,
    /// How many at most
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
    pub(super) limit: u32,
}

/// Prints subscribers.
pub(super) fn subscribers(shown: &Shown, rows: Vec<SubscriberRow>) -> Result<(), Failure> {
    let mut list = shown.list(&["subscriber", "address", "inactive", "created"]);
    for row in rows {
        list.row(vec![
            row.id.into(),
            row.email.into(),
            row.is_inactive.into(),
            super::time(row.created).into(),
        ])?;
    }
    Ok(list.end()?)
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
            Self::List {
                of,
                address,
                part,
                shown,
            } => {
                let which = match address {
                    Some(address) => Subscribers::At(Address::parse(&address)?),
                    None => Subscribers::After(part.after),
                };
                let rows = store
                    .subscribers(of.known(store).await?, which, part.limit)
                    .await?;
                subscribers(&shown, rows)?;
            }
            Self::Show { of, id, shown } => {
                let (account, number) = (of.id(), id.cast_signed());
                let found = store
                    .subscribers(account, Subscribers::One(number), 1)
                    .await?;
                if found.is_empty() {
                    return Err(OperatorError::NotFound("subscriber").into());
                }
                subscribers(&shown, found)?;
                shown.gap()?;
                let mut list = shown.list(&["list"]);
                for name in store.lists_of(account, number).await? {
                    list.row(vec![name.into()])?;
                }
                list.end()?;
                shown.gap()?;
                let mut list = shown.list(&["field", "value"]);
                for (name, value) in store.personalization(account, id).await? {
                    list.row(vec![name.into(), value.into()])?;
                }
                list.end()?;
            }
        }
        Ok(())
    }
}
