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
mod open;
mod operator;
mod queue;
mod refused;
mod report;
mod safekeeping;
mod sender;
mod serve;
mod subscriber;
mod suppression;
mod trial;
mod unsubscribed;
mod webhook;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::RangedU64ValueParser;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, value_parser};

use franking::Rule;

use audit::Typed;
use closed_pipe::is_closed_pipe;
pub(crate) use kept::{Extent, ForPage};
use open::{As, open};

use crate::key_file::KeyFile;
use crate::settings::{self, Commands, File, Settings};
use crate::store::{AccountId, OperatorError, Store};
use crate::telemetry;

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
    /// Calls: those that were accepted, and why any was refused
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

/// A part of a list, whose last entries come first.
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

/// The number of task steps after which a thread polls the system for input. With Tokio's default of 61, the bytes of a
/// short call would wait while 61 pieces of large bodies are read.
const STEPS: u32 = 8;

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.event_interval(STEPS).enable_all().build()
}

/// Runs the program. Errors go to standard error.
#[must_use]
pub fn run() -> ExitCode {
    let Ended {
        came,
        failure,
        typed,
    } = begin();
    telemetry::flush();
    match came {
        Ok(code) => code,
        // The reader of the output has read enough: the command has done its work.
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            let is_refused = is_refusal(&*error);
            let mut text = match is_refused {
                true => format!("error: {error} ({typed})"),
                false => format!("error: {error}"),
            };
            let mut cause = error.source();
            while let Some(error) = cause {
                text.push_str(&format!(": {error}"));
                cause = error.source();
            }
            // If standard error cannot be written, the exit status still says it.
            let _ = writeln!(std::io::stderr(), "{text}");
            match is_refused {
                true => ExitCode::from(REFUSED),
                false => failure,
            }
        }
    }
}

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

/// How the command ended.
struct Ended {
    came: Result<ExitCode, Failure>,
    /// The status of a failure.
    failure: ExitCode,
    /// The command as it was typed, without personal data.
    typed: String,
}

/// The status of a command that could not be carried out.
const FAILED: u8 = 2;
/// The status of a command that found nothing, or that does not fit the contents of the database.
const REFUSED: u8 = 1;

/// Whether a command does not fit the contents of the database, while the database itself did not fail.
fn is_refusal(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<OperatorError>();
    error.is_some_and(|error| !matches!(error, OperatorError::Store(_)))
}

fn begin() -> Ended {
    let program = match program() {
        Ok(program) => program,
        Err(error) => {
            return Ended {
                came: Err(error),
                failure: ExitCode::from(FAILED),
                typed: String::new(),
            };
        }
    };
    let parsed = program.clone().try_get_matches();
    let parsed = parsed.and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, mut matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            return Ended {
                came: Ok(unparsed(program, &error)),
                failure: ExitCode::from(FAILED),
                typed: String::new(),
            };
        }
    };
    let typed = Typed::of(&program, &matches);
    let text = typed.text.clone();
    // The flags of the innermost command.
    while let Some((_, inner)) = matches.remove_subcommand() {
        matches = inner;
    }
    let failure = match &cli.command {
        Command::Report(report) => report.failure(),
        Command::Serve(_) => ExitCode::FAILURE,
        _ => ExitCode::from(FAILED),
    };
    Ended {
        came: carry_out(cli, &matches, &typed),
        failure,
        typed: text,
    }
}

/// Prints why the arguments or the environment are not valid, or the help that was asked for. Returns the exit status.
fn unparsed(program: clap::Command, error: &clap::Error) -> ExitCode {
    // If it cannot be printed, the exit status still says it.
    let _ = error.print();
    if !error.use_stderr() {
        return ExitCode::SUCCESS;
    }
    let recognized = program.ignore_errors(true).try_get_matches();
    match recognized.is_ok_and(|matches| report::would_take(&matches)) {
        true => ExitCode::from(report::TRY_AGAIN),
        false => ExitCode::from(FAILED),
    }
}

fn carry_out(cli: Cli, matches: &clap::ArgMatches, typed: &Typed) -> Result<ExitCode, Failure> {
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    settings::check_environment(variables)?;
    let file = cli.settings.as_deref().map(File::read).transpose()?;
    let settings = match &cli.command {
        Command::Serve(_) => Settings::read_for_service(matches, file.as_ref())?,
        _ => Settings::read(matches, file.as_ref())?,
    };
    runtime()?.block_on(async {
        match cli.command {
            Command::Serve(serve) if serve.prints() => {
                say!("{}", settings.to_toml(matches, file.as_ref())?.trim_end());
            }
            Command::Serve(serve) => return serve.run(settings).await,
            Command::Report(report) if report.takes() => {
                let store = open(&settings, As::Visitor).await?;
                report.run(store, &settings).await?;
            }
            Command::Report(report) => {
                let store = open(&settings, As::Visitor).await?;
                let done = report.run(Arc::clone(&store), &settings);
                noted(&*store, typed, done).await?;
            }
            Command::Webhook(webhook) => {
                let store = open(&settings, As::Visitor).await?;
                noted(&*store, typed, webhook.run(&*store, &settings)).await?;
            }
            Command::Operator(command) => {
                let store = open(&settings, As::Visitor).await?;
                noted(&*store, typed, command.run(&*store, &settings)).await?;
            }
            Command::Migrate(migrate) => migrate.run(&settings).await?,
            Command::Backup(backup) => backup.run(settings).await?,
            Command::Restore(restore) => restore.run(settings).await?,
            Command::Verify(verify) => return verify.run(&settings).await,
            Command::Completions { shell } => {
                let mut script = Vec::new();
                let mut program = program()?;
                clap_complete::generate(shell, &mut program, "franking-service", &mut script);
                std::io::stdout().write_all(&script)?;
            }
            Command::Man { folder } => {
                std::fs::create_dir_all(&folder)?;
                clap_mangen::generate_to(program()?, &folder)?;
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Whether commands with this verb only read.
pub(crate) fn looks(verb: &str) -> bool {
    audit::LOOKS.contains(&verb)
}

/// The commands, without the settings, as a page of the desk offers them.
pub(crate) fn commands() -> clap::Command {
    Cli::command()
}

/// Carries out a command for a page, and returns what it prints. `words` are the words that would be typed after the
/// program's name. A command that changes something or shows personal data is noted in the audit log.
///
/// # Errors
/// The words are not a command of the operator's, or the thing that they ask for does not exist.
pub(crate) async fn carry_out_for_page(
    store: &dyn Store,
    settings: &Settings,
    words: &[String],
    page: ForPage,
) -> Result<Vec<listing::Printed>, Failure> {
    let program = Cli::command();
    let words = std::iter::once("franking-service".to_owned()).chain(words.iter().cloned());
    let matches = program.clone().try_get_matches_from(words)?;
    let mut typed = Typed::of(&program, &matches);
    typed.text = format!("desk: {}", typed.text);
    if page.unmasks && !typed.text.contains(audit::UNMASKED) {
        typed.text = format!("{} --{}", typed.text, audit::UNMASKED);
    }
    typed.is_noted |= page.unmasks;
    typed.is_noted &= page.extent == Extent::Whole;
    let command = Cli::from_arg_matches(&matches)?.command;
    let command = async {
        match command {
            Command::Operator(command) => noted(store, &typed, command.run(store, settings)).await,
            Command::Webhook(webhook) => noted(store, &typed, webhook.run(store, settings)).await,
            _ => Err("this is not a command of the desk".into()),
        }
    };
    kept::keep(page, command).await
}

/// Carries out a command, and notes it in the audit log if `typed` says so.
async fn noted(
    store: &dyn Store,
    typed: &Typed,
    command: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    if !typed.is_noted {
        return command.await;
    }
    let note = store.begin_audit(audit::operator(), typed.text.clone());
    let note = note.await?;
    let done = command.await;
    // A command has succeeded also when nobody reads its output to the end.
    let failed = done.as_ref().is_err_and(|error| !is_closed_pipe(&**error));
    // The command has succeeded even if the audit log cannot say so.
    if let Err(error) = store.end_audit(note, !failed).await {
        tracing::warn!(%error, "the result of a command could not be noted in the audit log");
    }
    done
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
