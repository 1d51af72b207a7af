//! The outbox, on both databases: what it claims, what it sends, and what it records of it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

#[expect(dead_code, reason = "the tests of the store need the rest of it")]
#[macro_use]
#[path = "../store/databases.rs"]
mod databases;
#[expect(dead_code, reason = "the tests of the store need the rest of it")]
#[path = "../store/world.rs"]
mod world;

mod accepted;
mod destinations;
mod faults;
mod instances;
mod leases;
mod operator;
mod sending;
#[expect(dead_code, reason = "the tests of fairness need the rest of it")]
mod shop;
#[expect(dead_code, reason = "the tests of fairness need the rest of it")]
mod sink;
