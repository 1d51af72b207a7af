//! The operator's commands: thin over the store.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use franking::DomainRoles;

use super::{Failure, Place};
use crate::settings::{Given, Settings, SettingsError};
use crate::store::{AccountId, Address, ApiKey, Domain, NewMailer};

/// The account that a command is about.
#[derive(Args)]
pub(super) struct Of {
    #[command(flatten)]
    place: Place,
    /// The account's number
    account: i64,
}

impl Of {
    fn id(&self) -> AccountId {
        AccountId::from_number(self.account)
    }
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
        #[command(flatten)]
        place: Place,
    },
    /// List the accounts
    List {
        #[command(flatten)]
        place: Place,
    },
    /// Set an account's states: those that are not named are taken away
    State {
        #[command(flatten)]
        of: Of,
        /// Sending is blocked
        #[arg(long)]
        blocked: bool,
        /// It has expired
        #[arg(long)]
        expired: bool,
        /// It is deactivated
        #[arg(long)]
        deactivated: bool,
    },
    /// Add to an account's credits
    Credit {
        #[command(flatten)]
        of: Of,
        /// Subscriber credit to add
        #[arg(long, default_value_t = 0)]
        subscriber: i64,
        /// Email credit to add
        #[arg(long, default_value_t = 0)]
        email: i64,
    },
}

#[derive(Subcommand)]
pub(super) enum Key {
    /// Make a key, and print it: it is shown this once
    Add {
        #[command(flatten)]
        of: Of,
    },
    /// List the live keys: their numbers and when they were made
    List {
        #[command(flatten)]
        of: Of,
    },
    /// End a key
    Revoke {
        #[command(flatten)]
        of: Of,
        /// The key's number
        key: i64,
    },
}

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

#[derive(Subcommand)]
pub(super) enum Mailer {
    /// Store an email, and print its number
    Set {
        #[command(flatten)]
        of: Of,
        /// Its number; the next one if left out. One that is there is replaced
        #[arg(long)]
        id: Option<u64>,
        /// The assigned sender address
        #[arg(long)]
        from: String,
        /// The assigned sender name
        #[arg(long)]
        from_name: Option<String>,
        /// The subject
        #[arg(long)]
        subject: String,
        /// A file with the HTML
        html: PathBuf,
    },
    /// List the stored emails
    List {
        #[command(flatten)]
        of: Of,
    },
}

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

#[derive(Subcommand)]
pub(super) enum Blacklist {
    /// Blacklist a domain and all below it for these roles; without a role it is taken off
    Set {
        #[command(flatten)]
        place: Place,
        /// The domain
        domain: String,
        /// The roles
        roles: Vec<Role>,
    },
    /// List the blacklisted domains
    List {
        #[command(flatten)]
        place: Place,
    },
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum Role {
    Sender,
    ReplyTo,
    Recipient,
    Content,
}

impl From<Role> for DomainRoles {
    fn from(role: Role) -> Self {
        match role {
            Role::Sender => Self::SENDER,
            Role::ReplyTo => Self::REPLY_TO,
            Role::Recipient => Self::RECIPIENT,
            Role::Content => Self::CONTENT,
        }
    }
}

impl Account {
    pub(super) async fn run(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<(), Failure> {
        match self {
            Self::Add {
                name,
                subscriber_credit,
                email_credit,
                place,
            } => {
                let account = franking::Account {
                    subscriber_credit,
                    email_credit,
                    ..Default::default()
                };
                let id = place.open(read).await?.create_account(name, account);
                println!("{}", id.await?);
            }
            Self::List { place } => {
                for row in place.open(read).await?.accounts().await? {
                    let franking::Account {
                        blocked,
                        expired,
                        deactivated,
                        subscriber_credit,
                        email_credit,
                    } = row.account;
                    let (id, name) = (row.id, row.name);
                    let subscriber = credit(subscriber_credit);
                    let email = credit(email_credit);
                    println!(
                        "{id}\t{name:?}\tsubscriber credit {subscriber}\temail credit {email}\t\
                         blocked {blocked}\texpired {expired}\tdeactivated {deactivated}"
                    );
                }
            }
            Self::State {
                of,
                blocked,
                expired,
                deactivated,
            } => {
                let id = of.id();
                let store = of.place.open(read).await?;
                store.set_state(id, blocked, expired, deactivated).await?;
            }
            Self::Credit {
                of,
                subscriber,
                email,
            } => {
                let id = of.id();
                let store = of.place.open(read).await?;
                store.add_credits(id, subscriber, email).await?;
            }
        }
        Ok(())
    }
}

fn credit(credit: Option<i64>) -> String {
    credit.map_or_else(|| "without limit".into(), |credit| credit.to_string())
}

impl Key {
    pub(super) async fn run(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<(), Failure> {
        match self {
            Self::Add { of } => {
                let id = of.id();
                let key = ApiKey::generate()?;
                of.place.open(read).await?.add_key(id, key.hash()).await?;
                println!("{}", key.secret());
            }
            Self::List { of } => {
                let id = of.id();
                for row in of.place.open(read).await?.keys(id).await? {
                    let created = jiff::Timestamp::from_second(row.created)?;
                    println!("{}\t{created}", row.id);
                }
            }
            Self::Revoke { of, key } => {
                let id = of.id();
                of.place.open(read).await?.revoke_key(id, key).await?;
            }
        }
        Ok(())
    }
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

impl Mailer {
    pub(super) async fn run(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<(), Failure> {
        match self {
            Self::Set {
                of,
                id,
                from,
                from_name,
                subject,
                html,
            } => {
                let account = of.id();
                let mailer = NewMailer {
                    id,
                    from: Address::parse(&from)?,
                    from_name,
                    subject,
                    html: std::fs::read_to_string(html)?,
                };
                let store = of.place.open(read).await?;
                println!("{}", store.put_mailer(account, mailer).await?);
            }
            Self::List { of } => {
                let id = of.id();
                for row in of.place.open(read).await?.mailers(id).await? {
                    let name = row.from_name.unwrap_or_default();
                    println!("{}\t{name:?} <{}>\t{:?}", row.id, row.from, row.subject);
                }
            }
        }
        Ok(())
    }
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

impl Blacklist {
    pub(super) async fn run(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<(), Failure> {
        match self {
            Self::Set {
                place,
                domain,
                roles,
            } => {
                let domain = Domain::parse(&domain)?;
                let roles = roles
                    .into_iter()
                    .fold(DomainRoles::NONE, |all, role| all | role.into());
                let store = place.open(read).await?;
                store.set_blacklisted(domain, roles).await?;
            }
            Self::List { place } => {
                for (domain, roles) in place.open(read).await?.blacklist().await? {
                    let names: Vec<_> = roles.names().collect();
                    println!("{}\t{}", domain.as_str(), names.join(" "));
                }
            }
        }
        Ok(())
    }
}
