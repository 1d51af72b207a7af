//! The store, on both databases: what every commit keeps to, whatever races with it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

#[macro_use]
mod databases;

mod calls;
#[path = "../support/certificate.rs"]
mod certificate;
mod facts;
mod idempotency;
mod large;
mod operator;
mod postgres;
mod postgres_costs;
mod postgres_tls;
mod proxy;
mod races;
mod sqlite;
mod world;
