//! The service: calls come in over HTTP, `franking` decides them, and a database keeps what was accepted.
//!
//! It is a host like any other: it uses nothing of the library that another program could not use, and has no rules of its
//! own.
#![forbid(unsafe_code)]

mod bucket;
pub mod command;
mod connecting;
pub mod decide;
mod desk;
pub mod events;
mod folders;
mod hex;
pub mod http;
pub mod key_file;
mod lanes;
pub mod mail;
mod moment;
mod network;
pub mod operate;
pub mod outbox;
pub mod outcomes;
pub mod settings;
pub mod store;
pub mod telemetry;
pub mod transcripts;
pub mod trust;
pub mod upkeep;
