//! The program's commands: `serve`, and the operator's.

mod account;
mod blacklist;
mod demo;
mod key;
mod list;
mod mailer;
mod sender;
mod serve;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::settings::{File, Given, Settings, SettingsError, Url};
use crate::store::postgres::Postgres;
use crate::store::sqlite::Sqlite;
use crate::store::{AccountId, Store};

/// Takes the calls of a transactional email API over HTTP, decides them, and keeps what was accepted in a database.
#[derive(Parser)]
#[command(name = "franking-service", version, propagate_version = true)]
struct Cli {
    /// A TOML file with settings; the environment and flags are stronger
    #[arg(long, env = "FRANKING_SETTINGS", value_name = "FILE", global = true)]
    settings: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Take calls until SIGTERM
    Serve(Box<serve::Serve>),
    /// Accounts: their states and credits
    #[command(subcommand)]
    Account(account::Account),
    /// API keys: shown once, stored as hashes, two at once for rotation
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
    /// Blacklisted domains
    #[command(subcommand)]
    Blacklist(blacklist::Blacklist),
}

/// Where the database is, for commands that need no other setting.
#[derive(Args)]
struct Place {
    /// The folder of the SQLite database [default: franking-data]
    #[arg(long, env = "FRANKING_DATA", value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// A PostgreSQL database instead
    #[arg(
        long,
        env = "FRANKING_DATABASE",
        value_name = "URL",
        hide_env_values = true
    )]
    database: Option<Url>,
}

/// The account that a command is about.
#[derive(Args)]
struct Of {
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

/// Why a command has failed.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Runs the program. What cannot be goes to standard error.
#[must_use]
pub fn run() -> ExitCode {
    let mut matches = Cli::command().get_matches();
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    // The flags of the innermost command.
    while let Some((_, inner)) = matches.remove_subcommand() {
        matches = inner;
    }
    match begin(cli, &matches) {
        Ok(code) => code,
        Err(error) => {
            eprint!("error: {error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprint!(": {error}");
                cause = error.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

fn begin(cli: Cli, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let file = cli.settings.as_deref().map(File::read).transpose()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let read = |given: Given| Settings::read(given, matches, file.as_ref());
    runtime.block_on(async {
        match cli.command {
            Command::Serve(serve) => return serve.run(read).await,
            Command::Account(command) => command.run(read).await,
            Command::Key(command) => command.run(read).await,
            Command::Sender(command) => command.run(read).await,
            Command::Mailer(command) => command.run(read).await,
            Command::List(command) => command.run(read).await,
            Command::Blacklist(command) => command.run(read).await,
        }?;
        Ok(ExitCode::SUCCESS)
    })
}

impl Place {
    async fn open(
        self,
        read: impl Fn(Given) -> Result<Settings, SettingsError>,
    ) -> Result<Arc<dyn Store>, Failure> {
        open(&read(Given::of_database(self.data, self.database))?).await
    }
}

/// Opens the database that the settings name, and makes it if there is none.
async fn open(settings: &Settings) -> Result<Arc<dyn Store>, Failure> {
    if let Some(database) = &settings.database {
        let connections = settings.database_connections.get();
        return Ok(Arc::new(
            Postgres::open(database.secret(), connections).await?,
        ));
    }
    let folder = settings.data.clone();
    let opened = tokio::task::spawn_blocking(move || Sqlite::open(&folder)).await?;
    Ok(Arc::new(opened?))
}
