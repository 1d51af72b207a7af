//! The command `franking-bulk`: checks many calls at once, and decides past calls again.
//!
//! Files are found (`files`) and read piece by piece (`read`). Several threads work on the pieces (`work`): each batch
//! of calls is judged (`judge`) by the columns of `franking-columns`. The findings are written in the order of the
//! calls (`write`), and counted (`summary`, `chart`). `task` runs all of this, and `finished` records which files have
//! their findings. The command has no rules of its own.
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
    // The message of a panic could show a part of a call.
    panic::set_hook(Box::new(|fault| {
        if let Some(place) = fault.location() {
            anstream::eprintln!("franking-bulk: a fault at {place}");
        }
    }));
    let arguments = Arguments::parse();
    arguments.color.write_global();
    match command::task(arguments.command).and_then(Task::run) {
        Ok(status) => ExitCode::from(status as u8),
        Err(error) => {
            anstream::eprintln!("franking-bulk: {error}");
            ExitCode::from(2)
        }
    }
}
