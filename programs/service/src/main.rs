//! The program `franking-service`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// The memory of a call is allocated on one thread and freed on another. With the system's allocator the threads would wait
/// for each other.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    franking_service::command::run()
}
