//! Accounts: their states and credits.

use clap::Subcommand;

use super::audit::operator;
use super::confirm::{counted, goes_on};
use super::erase::Delete;
use super::export::Archive;
use super::listing::Shown;
use super::{Failure, Of};
use crate::store::{AccountId, Countable, Store, Which};

/// How a reader unsubscribes from the emails of httpSendMail.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum HttpUnsubscribe {
    /// No List-Unsubscribe of the service.
    None,
    /// The service's own List-Unsubscribe.
    List,
}

#[derive(Subcommand)]
pub(super) enum Account {
    /// Make an account, and print its number
    Add {
        /// Its name, for people
        name: String,
        /// Subscriber credit; no limit if left out
        #[arg(long)]
        subscriber_credit: Option<i64>,
        /// Email credit; no limit if left out
        #[arg(long)]
        email_credit: Option<i64>,
    },
    /// List the accounts
    List {
        #[command(flatten)]
        shown: Shown,
    },
    /// Show an account: its states and credits, and the changes of its credits by operators, the latest first
    Show {
        #[command(flatten)]
        of: Of,
        #[command(flatten)]
        shown: Shown,
    },
    /// Set an account's states. States that are not named stay as they are
    State {
        #[command(flatten)]
        of: Of,
        /// Sending is blocked
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
        blocked: Option<bool>,
        /// It has expired
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
        expired: Option<bool>,
        /// It is deactivated
        #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
        deactivated: Option<bool>,
    },
    /// Set whether emails of httpSendMail get the service's own List-Unsubscribe header, which needs unsubscribe_url
    HttpUnsubscribe {
        #[command(flatten)]
        of: Of,
        /// list: a link by which a reader unsubscribes from the emails of httpSendMail and from no others; none: no such
        /// link
        has: HttpUnsubscribe,
    },
    /// Add to an account's credits, and print the new credits. No credit falls below zero
    Credit {
        #[command(flatten)]
        of: Of,
        /// Subscriber credit to add
        #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
        subscriber: i64,
        /// Email credit to add
        #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
        email: i64,
    },
    /// Write what is known of an account into one archive, except secrets, sealed calls, the HTML and the values of emails that
    /// were sent, each attempt to send them, and hits
    Export(Archive),
    /// Remove a deactivated account and everything that belongs to it. The counts of its calls and emails are kept
    Delete(Delete),
}

impl Account {
    pub(super) async fn run(self, store: &dyn Store) -> Result<(), Failure> {
        match self {
            Self::Add {
                name,
                subscriber_credit,
                email_credit,
            } => {
                let account = franking::Account {
                    subscriber_credit,
                    email_credit,
                    ..Default::default()
                };
                say!("{}", store.create_account(name, account, operator()).await?);
            }
            Self::List { shown } => {
                let mut list = shown.list(&[
                    "account",
                    "name",
                    "subscriber_credit",
                    "email_credit",
                    "blocked",
                    "expired",
                    "deactivated",
                ]);
                for row in store.accounts().await? {
                    let account = row.account;
                    list.row(vec![
                        row.id.number().into(),
                        row.name.into(),
                        account.subscriber_credit.into(),
                        account.email_credit.into(),
                        account.blocked.into(),
                        account.expired.into(),
                        account.deactivated.into(),
                    ])?;
                }
                list.end()?;
            }
            Self::Show { of, shown } => show(store, of.id(), &shown).await?,
            Self::State {
                of,
                blocked,
                expired,
                deactivated,
            } => {
                if blocked.or(expired).or(deactivated).is_none() {
                    return Err(
                        "name a state: --blocked, --expired or --deactivated, or --blocked=false"
                            .into(),
                    );
                }
                let id = of.id();
                let states = [
                    ("blocked", blocked),
                    ("expired", expired),
                    ("deactivated", deactivated),
                ];
                let states = states.into_iter().filter_map(|(name, state)| {
                    let not = if state? { "" } else { "not " };
                    Some(format!("{not}{name}"))
                });
                let states = states.collect::<Vec<_>>().join(" and ");
                let name = store.shown_account(id).await?.name;
                let waiting = Countable::Waiting(Which::Account(id));
                let waiting = store.counted(waiting).await?;
                let waiting = counted(waiting, "email");
                if goes_on(&format!(
                    "this makes account {id} ({name}) {states}; waiting to be sent: {waiting}"
                ))? {
                    store.set_state(id, blocked, expired, deactivated).await?;
                }
            }
            Self::Export(archive) => archive.run(store).await?,
            Self::Delete(delete) => delete.run(store).await?,
            Self::HttpUnsubscribe { of, has } => {
                let has = has == HttpUnsubscribe::List;
                store.set_http_unsubscribe(of.id(), has).await?;
            }
            Self::Credit {
                of,
                subscriber,
                email,
            } => {
                let id = of.id();
                let account = store.shown_account(id).await?;
                let what = format!(
                    "this adds {subscriber} to the subscriber credit of account {id} ({}), which is {}, and {email} to its email credit, which is {}",
                    account.name,
                    credit(account.account.subscriber_credit),
                    credit(account.account.email_credit)
                );
                if !goes_on(&what)? {
                    return Ok(());
                }
                let operator = operator();
                store.add_credits(id, subscriber, email, operator).await?;
                // The command must not be repeated for this error: the credits would be added twice.
                let account = store.shown_account(id).await.map_err(|error| {
                    format!("the credits were added, and `account show` shows them: {error}")
                })?;
                let account = account.account;
                let subscriber = credit(account.subscriber_credit);
                let email = credit(account.email_credit);
                say!("subscriber credit {subscriber}\temail credit {email}");
            }
        }
        Ok(())
    }
}

fn credit(credit: Option<i64>) -> String {
    credit.map_or_else(|| "without limit".into(), |credit| credit.to_string())
}

/// How many changes of credits are shown.
const CHANGES: u32 = 100;

async fn show(store: &dyn Store, id: AccountId, shown: &Shown) -> Result<(), Failure> {
    let found = store.shown_account(id).await?;
    shown.record(
        &[
            "account",
            "name",
            "created",
            "subscriber_credit",
            "email_credit",
            "blocked",
            "expired",
            "deactivated",
            "paused",
            "http_unsubscribe",
        ],
        vec![
            id.number().into(),
            found.name.into(),
            super::time(found.created).into(),
            found.account.subscriber_credit.into(),
            found.account.email_credit.into(),
            found.account.blocked.into(),
            found.account.expired.into(),
            found.account.deactivated.into(),
            found.is_paused.into(),
            found.http_unsubscribe.into(),
        ],
    )?;
    shown.gap()?;
    let mut list = shown.list(&["changed", "subscriber", "email", "operator"]);
    for row in store.credit_changes(id, CHANGES).await? {
        list.row(vec![
            super::time(row.changed).into(),
            row.subscriber.into(),
            row.email.into(),
            row.operator.into(),
        ])?;
    }
    Ok(list.end()?)
}
