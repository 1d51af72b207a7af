//! The core as its users see it: the rules, the machine of a call, what is promised of each, and the links of HTML.
//!
//! It is one program, since linking another one takes longer than most tests do.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a test that meets the unexpected should stop, and reads the sources and the pages"
)]

mod answer_forms;
mod answers;
mod blacklists;
mod bounds;
mod commit_once;
mod compose;
mod compose_round_trip;
mod debug_forms;
mod http;
mod impossible_states;
mod layers;
mod links_classes;
mod links_differential;
mod links_hidden;
mod links_layers;
mod links_mail;
mod links_oracle;
mod links_ordinary;
mod links_page;
mod links_places;
mod machine;
mod no_io;
mod notice;
mod one_by_one;
mod personal_data;
mod rules_page;
mod rust_page;
mod semantics_decisions;
mod semantics_explanations;
mod semantics_http_send_mail;
mod semantics_preflight;
mod semantics_questions;
mod semantics_reading;
mod support;
mod transcripts;
mod webhook;
