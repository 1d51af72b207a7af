//! The program `franking-service`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// What a call holds is allocated on one thread and given back on another. In the system's allocator the threads would wait
/// for each other there.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    franking_service::command::run()
}
