//! The modules of the crate are in layers: each imports only modules of lower layers.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a test that meets the unexpected should stop"
)]

#[path = "../../../core/tests/support/layers.rs"]
mod layers;

use std::path::Path;

/// The lowest layer first. A module imports only modules of the rows before its own.
const MODULES: &[&[&str]] = &[
    &["error", "interface"],
    // Pointers, either way.
    &["array", "buffer"],
    &["builder", "column"],
    &["found", "input"],
    &["one", "stream"],
    // What is done with each row.
    &["preflight"],
    &["redecide"],
];

#[test]
fn every_module_imports_only_modules_of_lower_layers() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    layers::check(&source, MODULES, &[]);
}
