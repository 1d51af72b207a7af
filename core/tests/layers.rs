//! The modules of the core are in layers: each imports only modules of lower layers.

use std::path::Path;

/// The layers, the lowest first. A module imports only modules of the rows before its own.
const LAYERS: &[&[&str]] = &[
    &[
        "by_operation",
        "bytes",
        "debug",
        "fault",
        "memory",
        "record",
        "word",
        "serialize",
    ],
    &["signed", "text"],
    &["code", "operation", "policy", "outcome", "misuse", "roles"],
    &["rule", "wire"],
    &["commit", "violation", "facts", "notice"],
    &["check", "domains", "ending"],
    &["account", "http_send_mail", "send_mailer"],
    &["content"],
    &["plan", "questions", "transport", "warning"],
    &["blacklists", "decision", "preflight"],
    &["http"],
    &["call"],
    &["host", "json", "compose", "enumerations"],
    &["transcript"],
];

/// The imports within a layer: each is of the module that the other builds on.
const WITHIN: &[&str] = &["code imports operation"];

#[test]
fn every_module_imports_only_modules_of_lower_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    crate::support::layers::check(&root, LAYERS, WITHIN);
}
