//! Mail: what an email is made of, and what the transports do with it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    unreachable_pub,
    reason = "a test that meets the unexpected should stop"
)]

#[path = "../support/certificate.rs"]
mod certificate;
mod dkim;
mod faults;
mod hostile;
mod injection;
mod maildir;
mod messages;
mod reader;
#[path = "../support/scripted.rs"]
mod scripted;
mod secured;
mod sink;
mod support;
