//! Runs the program: reads what was typed, carries it out, and says how it ended.

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

use clap::FromArgMatches as _;

use super::audit::Typed;
use super::closed_pipe::is_closed_pipe;
use super::noted::noted;
use super::open::{As, open};
use super::{Cli, Command, Failure, program, report};
use crate::settings::{self, File, Settings};
use crate::store::OperatorError;
use crate::telemetry;

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
            // If standard error cannot be written, the exit status still tells of the failure.
            let _ = writeln!(std::io::stderr(), "{text}");
            match is_refused {
                true => ExitCode::from(REFUSED),
                false => failure,
            }
        }
    }
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
pub(super) const FAILED: u8 = 2;
/// The status of a command that found nothing, or that does not fit the contents of the database.
pub(super) const REFUSED: u8 = 1;

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
    // If it cannot be printed, the exit status still tells of it.
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
