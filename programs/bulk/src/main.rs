//! The command `franking-bulk`: checks many calls at once, and decides those of the past again.
//!
//! Files are found (`files`) and read piece by piece (`read`). Some threads work on the pieces (`work`): each batch of calls is
//! judged (`judge`) by the columns of `franking-columns`. What is found is written in the order of the calls (`write`), and counted
//! (`summary`, `chart`). `task` does all of that, and `finished` notes which files have their findings. It owns no rule.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a test that meets the unexpected should stop"
    )
)]

mod arguments;
mod chart;
mod command;
mod error;
mod files;
mod finished;
mod judge;
mod progress;
mod read;
mod summary;
mod task;
mod work;
mod write;

use std::panic;
use std::process::ExitCode;

use clap::Parser as _;

use arguments::Arguments;
use task::Task;

fn main() -> ExitCode {
    // What a panic says could show a part of a call.
    panic::set_hook(Box::new(|fault| {
        if let Some(place) = fault.location() {
            anstream::eprintln!("franking-bulk: a fault at {place}");
        }
    }));
    let arguments = Arguments::parse();
    arguments.color.write_global();
    match command::task(arguments.command).and_then(Task::run) {
        Ok(status) => ExitCode::from(status as u8),
        Err(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("franking-bulk: {error}");
            ExitCode::from(2)
        }
    }
}
