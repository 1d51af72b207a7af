//! The command `franking`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(franking_cli::run(std::env::args_os()))
}
