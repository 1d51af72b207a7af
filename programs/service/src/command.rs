//! The program's commands: `serve`, and the operator's.

/// Prints a line. This fails if standard output is closed or full.
macro_rules! say {
    ($($text:tt)+) => {
        $crate::command::listing::print_text(format!($($text)+) + "\n")?
    };
}

mod account;
mod audit;
mod blacklist;
mod by_day;
mod call;
mod call_export;
mod closed_pipe;
mod confirm;
mod delivery;
mod demo;
mod dkim;
mod erase;
mod explain;
mod export;
mod import;
mod kept;
mod key;
mod list;
pub(crate) mod listing;
mod mailer;
mod noted;
mod open;
mod operator;
mod queue;
mod refused;
mod report;
mod run;
mod safekeeping;
mod sender;
mod serve;
mod subscriber;
mod suppression;
mod trial;
mod unsubscribed;
mod webhook;

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Args, CommandFactory as _, Parser, Subcommand, value_parser};

use franking::Rule;

pub(crate) use kept::{Extent, ForPage};
pub(crate) use noted::carry_out_for_page;
use open::{As, open};
pub use run::run;

use crate::key_file::KeyFile;
use crate::settings::{self, Commands, Settings};
use crate::store::{AccountId, OperatorError, Store};

/// Takes the calls of a transactional email API over HTTP, decides them, and keeps what was accepted in a database.
#[derive(Parser)]
#[command(name = "franking-service", version, propagate_version = true)]
struct Cli {
    /// A TOML file with settings; the environment and flags override it
    #[arg(long, env = "FRANKING_SETTINGS", value_name = "FILE", global = true)]
    settings: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Take calls until SIGTERM
    Serve(serve::Serve),
    /// Make the database and the key file, or bring the schema up to date. `serve` does so as well, except that it makes no
    /// key file for PostgreSQL
    Migrate(Migrate),
    /// Copy the database into a file, as it is at one moment, also while it is served. For PostgreSQL this runs pg_dump
    Backup(safekeeping::Backup),
    /// Restore a backup into an empty database
    Restore(safekeeping::Restore),
    /// Check whether the contents of the database are consistent. The exit status is 1 if something is not
    Verify(safekeeping::Verify),
    /// Write a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write all manual pages into a folder
    Man {
        /// The folder; it is created if it does not exist
        folder: PathBuf,
    },
    /// Take in a report about an email, from standard input
    Report(report::Report),
    /// Webhooks: endpoints to which an account's events are posted
    #[command(subcommand)]
    Webhook(webhook::Webhook),
    #[command(flatten)]
    Operator(Operator),
}

/// What the operator does to a database.
#[derive(Subcommand)]
enum Operator {
    /// Accounts: their states and credits
    #[command(subcommand)]
    Account(account::Account),
    /// API keys. A key is shown once and stored as a hash; an account can have two at once for rotation
    #[command(subcommand)]
    Key(key::Key),
    /// Sender addresses
    #[command(subcommand)]
    Sender(sender::Sender),
    /// Stored emails
    #[command(subcommand)]
    Mailer(mailer::Mailer),
    /// Lists of subscribers
    #[command(subcommand)]
    List(list::List),
    /// Subscribers: who is INACTIVE, and what is stored of them
    #[command(subcommand)]
    Subscriber(subscriber::Subscriber),
    /// Subscribers that are INACTIVE because of bounces and complaints
    #[command(subcommand)]
    Suppression(suppression::Suppression),
    /// Readers who have unsubscribed
    #[command(subcommand)]
    Unsubscribed(unsubscribed::Unsubscribed),
    /// Calls that were accepted, and why others were refused
    #[command(subcommand)]
    Call(call::Call),
    /// Calls that were refused
    #[command(subcommand)]
    Refused(refused::RefusedCalls),
    /// Emails of accepted calls, and what became of them
    #[command(subcommand)]
    Delivery(delivery::Delivery),
    /// Blacklisted domains
    #[command(subcommand)]
    Blacklist(blacklist::Blacklist),
    /// The keys that sign emails
    #[command(subcommand)]
    Dkim(dkim::Dkim),
    /// The log of what operators did with these commands
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Emails that wait to be sent: count, pause, retry and cancel them
    #[command(subcommand)]
    Queue(queue::Queue),
    /// Who may look at the desk
    #[command(subcommand, name = "operator")]
    Desk(operator::Operators),
}

impl Operator {
    async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        match self {
            Self::Account(command) => command.run(store).await,
            Self::Key(command) => command.run(store).await,
            Self::Sender(command) => command.run(store).await,
            Self::Mailer(command) => command.run(store, settings).await,
            Self::List(command) => command.run(store).await,
            Self::Subscriber(command) => command.run(store, settings).await,
            Self::Suppression(command) => command.run(store).await,
            Self::Unsubscribed(command) => command.run(store).await,
            Self::Call(command) => command.run(store, settings).await,
            Self::Refused(command) => command.run(store).await,
            Self::Delivery(command) => command.run(store).await,
            Self::Blacklist(command) => command.run(store).await,
            Self::Dkim(command) => command.run(settings),
            Self::Audit(command) => command.run(store).await,
            Self::Queue(command) => command.run(store).await,
            Self::Desk(command) => command.run(store).await,
        }
    }
}

/// `franking-service migrate`.
#[derive(Args)]
struct Migrate {
    /// Add a key to the key file. Secrets are sealed with it from now on; the previous key still opens what it has sealed
    #[arg(long)]
    new_key: bool,
}

impl Migrate {
    async fn run(self, settings: &Settings) -> Result<(), Failure> {
        open(settings, As::Server).await?;
        let path = settings.key_file();
        KeyFile::make(&path)?;
        if self.new_key {
            KeyFile::rotate(&path)?;
        }
        Ok(())
    }
}

/// The account that a command is about.
#[derive(Args)]
struct Of {
    /// The account's number
    account: i64,
}

impl Of {
    fn id(&self) -> AccountId {
        AccountId::from_number(self.account)
    }

    /// The account's id, or an error if there is no such account: an empty list would say that the account has nothing.
    async fn known(&self, store: &dyn Store) -> Result<AccountId, OperatorError> {
        store.shown_account(self.id()).await?;
        Ok(self.id())
    }
}

/// A part of a list that begins with the last entries.
#[derive(Args)]
struct Back {
    /// Only entries before this one
    #[arg(long, value_name = "ENTRY", default_value_t = i64::MAX, hide_default_value = true)]
    before: i64,
    /// The maximum number of entries
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u32).range(1..=10_000))]
    limit: u32,
}

/// A parser for the ids that the interface allows.
fn ids() -> RangedU64ValueParser {
    value_parser!(u64).range(1..=i64::MAX.unsigned_abs())
}

/// Why a command has failed.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A rule by its identifier.
fn rule(text: &str) -> Result<Rule, String> {
    Rule::from_identifier(text)
        .ok_or_else(|| "there is no such rule: `franking rules` lists them".to_owned())
}

/// A time as it is listed.
fn time(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds);
    time.map_or_else(|_| seconds.to_string(), |time| time.to_string())
}

/// Whether commands with this verb only read.
pub(crate) fn looks(verb: &str) -> bool {
    audit::LOOKS.contains(&verb)
}

/// The commands, without the settings, as a page of the desk offers them.
pub(crate) fn commands() -> clap::Command {
    Cli::command()
}

/// The program's commands, with the settings as their flags.
fn program() -> Result<clap::Command, Failure> {
    let all = settings::flags(Commands::All)?.into_iter();
    let serve = settings::flags(Commands::Serve)?;
    let report = settings::flags(Commands::Report)?;
    let webhook = settings::flags(Commands::Webhook)?;
    let mail = settings::flags(Commands::Mail)?;
    let of_mailer = mail.clone();
    let of_webhook = webhook.clone().into_iter().map(|flag| flag.global(true));
    let of_report = report.clone().into_iter().map(|flag| flag.global(true));
    Ok(Cli::command()
        .args(all.map(|flag| flag.global(true)))
        .mut_subcommand("serve", |command| {
            let all = command.args(report).args(webhook);
            all.args(mail).args(serve)
        })
        .mut_subcommand("mailer", |command| {
            command.mut_subcommand("send-test", |command| command.args(of_mailer))
        })
        .mut_subcommand("webhook", |command| command.args(of_webhook))
        .mut_subcommand("report", |command| command.args(of_report)))
}
