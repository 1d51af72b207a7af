//! Subscribers.

use clap::{Args, Subcommand, value_parser};
use franking::{Operation, Policy, Preflight};

use super::confirm::goes_on;
use super::erase::Erase;
use super::export::{ExportForm, subscriber_columns};
use super::import::ImportedFile;
use super::listing::Shown;
use super::{Failure, Of, ids};
use crate::operate::rows::Row;
use crate::settings::Settings;
use crate::store::{
    Address, NewReader, NewSubscriber, OperatorError, Store, SubscriberRow, Subscribers,
};

#[derive(Subcommand)]
pub(super) enum Subscriber {
    /// Add a subscriber, and print its number
    Add {
        #[command(flatten)]
        of: Of,
        /// Its address
        email: String,
        /// Its number; the next number if left out
        #[arg(long, value_parser = ids())]
        id: Option<u64>,
        /// Add it as INACTIVE
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
        /// Only the subscriber with this address
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
    /// Add subscribers from a file with the columns email, id, inactive, lists and the names of personalization
    Import {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        import: ImportedFile,
    },
    /// Write all subscribers, in the form that `subscriber import` reads
    Export {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        export: ExportForm,
    },
    /// Remove a person: the subscriber, the emails to it, and what became of them. Prints what was removed from which
    /// account. A reader who has unsubscribed stays unsubscribed
    Erase(Erase),
}

/// A part of a list of subscribers.
#[derive(Args)]
pub(super) struct Part {
    /// Only subscribers after this number
    #[arg(long, value_name = "SUBSCRIBER", default_value_t = 0)]
    pub(super) after: i64,
    /// The maximum number of entries
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
    pub(super) limit: u32,
}

/// Reads a subscriber from a row. Its address and its personalization are judged by the same rules as those of a call.
fn reader(policy: &Policy, row: &mut Row) -> Result<NewReader, String> {
    let email = row.needed("email")?;
    let email = Address::parse(&email).map_err(|error| format!("email: {error}"))?;
    let mut fields = Vec::new();
    for name in franking::personalization_fields() {
        if let Some(value) = row.text(name)? {
            fields.push((name, value));
        }
    }
    let reader = NewReader {
        id: row.number("id")?,
        email,
        inactive: row.flag("inactive")?,
        lists: row.texts("lists")?,
        fields,
    };
    row.end()?;
    let mut call = serde_json::Map::new();
    call.insert("apiKey".to_owned(), "key".into());
    call.insert("mailerID".to_owned(), 1.into());
    call.insert("email".to_owned(), reader.email.spellings()[0].into());
    let fields = reader.fields.iter();
    call.extend(fields.map(|(name, value)| ((*name).to_owned(), value.as_str().into())));
    let body = serde_json::Value::Object(call).to_string();
    let preflight = Preflight::new(policy, Operation::SendMailer, body.as_bytes());
    match preflight.violations().next() {
        None => Ok(reader),
        Some(violation) => Err(format!(
            "{} at {}",
            violation.rule().identifier(),
            violation.pointer().unwrap_or_default()
        )),
    }
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
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
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
            Self::Import { of, import } => {
                let account = of.known(store).await?;
                let what = format!("subscribers of account {account}");
                let policy = Policy::default();
                import
                    .run(
                        store,
                        &what,
                        &subscriber_columns(),
                        |row| reader(&policy, row),
                        |readers, progress, tries| {
                            store.import_readers(account, readers, Some(progress), tries)
                        },
                    )
                    .await?;
            }
            Self::Export { of, export } => {
                let account = of.known(store).await?;
                let columns = subscriber_columns();
                let mut rows = export.to_output(&columns)?;
                super::export::subscribers(store, account, &columns, &mut rows).await?;
                rows.end()?;
            }
            Self::Erase(erase) => erase.run(store, settings).await?,
            Self::Set { of, id, inactive } => {
                let state = if inactive { "INACTIVE" } else { "active" };
                let account = of.known(store).await?;
                let what = format!("this makes subscriber {id} of account {account} {state}");
                if goes_on(&what)? {
                    store.set_inactive(of.id(), id, inactive).await?;
                }
            }
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
