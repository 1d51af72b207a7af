//! The command `franking`, as a library: the binary and the Python package run the same code.
//!
//! It checks calls before they are sent, decides them with a host that a file describes, and explains decisions. It has
//! no rules: everything that it knows of calls comes from [`franking`].
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        reason = "a test that meets the unexpected should stop"
    )
)]

mod address;
mod arguments;
mod check;
mod compose;
mod decide;
mod error;
mod excerpt;
mod explain;
mod finding;
mod input;
mod links;
mod masked;
mod narrate;
mod output;
mod pages;
mod part;
mod places;
mod replay;
mod rules;
mod sarif;
mod visible;
mod world;

use std::ffi::OsString;
use std::io;

use clap::Parser;
use franking::{Operation, Policy};

use arguments::{Arguments, Command};
pub use arguments::{OperationName, version};
use error::CommandError;
use output::Output;
pub use world::World;

/// The result of a command. The number is the exit status of the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Nothing is wrong.
    Fine = 0,
    /// Something that was looked at is wrong.
    Wrong = 1,
    /// The command could not be carried out.
    Failed = 2,
}

impl Status {
    /// The first of the two statuses that is not fine; fine if both are.
    fn and(self, other: Self) -> Self {
        if self == Self::Fine { other } else { self }
    }
}

/// Runs the command on the standard streams of the process. The first argument is the name of the program.
///
/// Returns the exit status: 0 when nothing is wrong, 1 when something is, and 2 when the command could not be carried out.
/// In the last case the reason is on standard error.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are not errors: they go to standard output, with status 0.
            let status = if error.use_stderr() {
                Status::Failed
            } else {
                Status::Fine
            };
            // If the message cannot be written, there is nowhere to report that.
            let _ = error.print();
            return status as u8;
        }
    };
    arguments.color.write_global();
    let mut output = Output::new();
    let done = carry_out(arguments.command, &mut output).and_then(|status| {
        output.flush()?;
        Ok(status)
    });
    match done {
        Ok(status) => status as u8,
        Err(error) => {
            anstream::eprintln!("franking: {error}");
            Status::Failed as u8
        }
    }
}

/// Writes what happened to a recorded call, as `franking explain` does: `transcript` is its JSON form, masked or not, and
/// `label` names it in the first line. Colours are used if standard output shows them.
///
/// # Errors
/// The text is not a transcript, or nothing can be written.
pub fn explain(label: &str, transcript: &str, out: &mut dyn io::Write) -> io::Result<()> {
    let failed = |error: franking::TranscriptError| {
        CommandError::Output(io::Error::new(io::ErrorKind::InvalidData, error))
    };
    written(out, |output| {
        explain::explain(label, transcript, output, &failed).map(drop)
    })
}

/// Writes everything that is wrong with a call, as `franking check` does. Without an operation, the body's fields
/// determine it. `label` names the body.
///
/// # Errors
/// Nothing can be written.
pub fn check(
    label: &str,
    operation: Option<Operation>,
    body: Vec<u8>,
    policy: &Policy,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let body = input::Body::of_text(label, operation, body);
    written(out, |output| check::one(policy, &body, output))
}

/// Writes the links of HTML with their places, and the hosts that are judged, as `franking links` does. `label` names the
/// text.
///
/// # Errors
/// Nothing can be written.
pub fn links(label: &str, html: &str, out: &mut dyn io::Write) -> io::Result<()> {
    written(out, |output| links::show(label, html, output))
}

/// The operation that a body is for, judged by its fields.
#[must_use]
pub fn operation_of(body: &[u8]) -> Operation {
    input::operation_of(body)
}

/// Runs a command, and writes its output to `out`.
fn written(
    out: &mut dyn io::Write,
    command: impl FnOnce(&mut Output<'_>) -> Result<(), CommandError>,
) -> io::Result<()> {
    let mut output = Output::to(Box::new(out));
    let written = command(&mut output).and_then(|()| output.flush());
    match written {
        Ok(()) if output.is_closed() => Err(io::ErrorKind::BrokenPipe.into()),
        Ok(()) => Ok(()),
        Err(CommandError::Output(error)) => Err(error),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}

fn carry_out(command: Command, output: &mut Output<'_>) -> Result<Status, CommandError> {
    match command {
        Command::Check(options) => check::run(&options, output),
        Command::Decide(options) => decide::run(&options, output),
        Command::Explain(options) => explain::run(&options, output),
        Command::Replay(options) => replay::run(&options, output),
        Command::Rules(options) => rules::run(&options, output),
        Command::Compose(options) => compose::run(&options, output),
        Command::Links(options) => links::run(&options, output),
        Command::Address(options) => address::run(&options, output),
        Command::Completions(options) => pages::completions(&options, output),
        Command::Man(options) => pages::man(&options, output),
    }
}
