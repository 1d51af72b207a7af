//! The modules of the C library and those of Python's extension are in layers: each imports only modules of lower layers.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a test that meets the unexpected should stop"
)]

#[path = "../../core/tests/support/layers.rs"]
mod layers;

use std::path::Path;

/// The modules of the C library, the lowest layer first. A module imports only modules of the rows before its own.
const LIBRARY: &[&[&str]] = &[
    // What can fail, and constants.
    &["closed", "constants", "status"],
    // What stops a panic; how large structures and memory are.
    &["guard", "memory", "numbers", "size"],
    &["error", "text"],
    &["records", "tool_records"],
    // Locks, and memory for texts and bodies.
    &["arena", "body", "handle", "strings"],
    // What crosses the boundary: rows, and how they are filled.
    &[
        "commit",
        "decision",
        "domain_set",
        "outcome",
        "plan",
        "policy",
        "questions",
        "route",
        "rows",
        "rules",
        "violations",
    ],
    // What needs no call.
    &[
        "address",
        "blacklists",
        "compose",
        "html",
        "preflight",
        "replay",
        "notice",
        "response",
        "tables",
        "webhook",
    ],
    &["columns", "facts"],
    // The call that they are rows of.
    &["call"],
    // Its doors.
    &["by_hand", "decided", "driver", "http", "transcript"],
    &["json", "send_mailer"],
    // The layouts of all structures, and a test that goes through all of it.
    &["layout", "whole_calls"],
];

/// The same of Python's extension.
const EXTENSION: &[&[&str]] = &[
    // Classes that are written in Python, and what comes from outside.
    &["classes", "command", "home", "test_panic"],
    &["body", "guard", "names", "outcome"],
    &["policy", "rows", "tables", "text"],
    // What needs no call.
    &[
        "compose",
        "domain_set",
        "http",
        "records",
        "transcript",
        "violations",
        "webhook",
    ],
    &["commit", "facts", "machine", "preflight"],
    // What a call asks, and what it came to.
    &["message", "questions"],
    &["blacklists", "plan"],
    &["columns", "decision"],
    &["answers"],
    // Its doors.
    &["call", "drive"],
];

#[test]
fn every_module_of_the_library_imports_only_modules_of_lower_layers() {
    layers::check(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        LIBRARY,
        &[],
    );
}

#[test]
fn every_module_of_the_python_extension_imports_only_modules_of_lower_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/native/src");
    layers::check(&root, EXTENSION, &[]);
}
