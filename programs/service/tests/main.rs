//! The service: the program as its callers and operators see it, and its store, outbox and mail on their own.
//!
//! These tests are one program, since linking another program takes longer than most tests do. Tests that count the memory
//! of their own process are separate programs.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that meets the unexpected should stop"
)]

mod description;
mod desk;
mod endpoints;
mod event_readers;
mod events;
mod fairness;
mod full_disk;
mod idempotency;
mod incidents;
mod interface;
mod keeping;
mod kills;
mod large;
mod limits;
mod mail;
mod many_domains;
mod neighbours;
#[path = "neighbours/two.rs"]
mod neighbours_of_two;
mod operating;
mod operator;
mod outbound;
mod outbox;
mod outbox_costs;
mod pages;
mod personal_data;
mod processes;
mod report_formats;
mod reports;
mod returned;
mod searches;
mod settings;
mod shutdown;
mod sqlite_statements;
mod store;
mod support;
mod sync;
mod tls;
mod tracking;
mod transcripts;
mod unknown;
mod unsubscribing;

use outbox::{shop, sink};
use store::{proxy, world};
use support::{certificate, databases};
