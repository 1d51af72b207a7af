//! The program `franking-service`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    franking_service::command::run()
}
