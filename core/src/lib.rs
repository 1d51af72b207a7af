//! Decides what happens to a call of a transactional email API, without doing any I/O.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::panic,
        reason = "a test that meets the unexpected should stop"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod outcome;
pub mod text;
