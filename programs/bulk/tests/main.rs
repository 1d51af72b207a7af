//! Tests of the program, as one program.
#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

mod again;
mod alone;
mod files;
mod findings;
mod finished;
mod memory;
mod nulls;
mod page;
mod summary;
mod written;
