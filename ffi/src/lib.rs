//! The C ABI over the crate `franking`: handles, texts and numbers. It has no rules of its own.
//!
//! `include/franking.h` and `include/franking_tools.h` are generated from this crate and are its documentation. Some
//! files serve all others: `status` and `error` (failures and their messages), `guard` (what stops a panic), `text`, `arena`
//! and `size` (the values that cross the boundary), and `handle` (locks and poison). The others have one subject each.
//! `tests/layers.rs` lists the layers of the files.

#[cfg(not(target_pointer_width = "64"))]
compile_error!(
    "libfranking has an ABI for systems with pointers of 64 bits only: build it for one of these"
);

mod address;
mod arena;
mod blacklists;
mod body;
mod by_hand;
mod call;
mod closed;
mod columns;
mod commit;
mod compose;
pub mod constants;
mod decided;
mod decision;
mod domain_set;
mod driver;
mod error;
mod facts;
mod guard;
mod handle;
mod html;
mod http;
mod json;
mod layout;
mod memory;
mod notice;
pub mod numbers;
mod outcome;
mod plan;
mod policy;
mod preflight;
mod questions;
mod records;
mod replay;
mod response;
mod route;
mod rows;
mod rules;
mod send_mailer;
mod size;
pub mod status;
mod strings;
mod tables;
mod text;
mod tool_records;
mod transcript;
mod violations;
mod webhook;

#[cfg(feature = "bench")]
#[path = "../bench/crossing.rs"]
mod bench;
#[cfg(feature = "test-panic")]
#[path = "../tests/support/panic.rs"]
mod test_panic;
#[cfg(test)]
mod whole_calls;
