//! The house: each module of the library stands on a floor, and imports only what stands below it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected should stop"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules from the ground up. A module imports only modules of the rows before its own.
const FLOORS: &[&[&str]] = &[
    // What can fail, constants, and what is beside the library.
    &["closed", "constants", "layout", "status", "test_panic"],
    // What stops a panic; how large structures and memory are.
    &["guard", "memory", "numbers", "size"],
    &["error", "text"],
    // Locks, and memory for texts and bodies.
    &["arena", "bench", "body", "handle", "strings"],
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
        "response",
        "tables",
    ],
    &["facts"],
    // The call that they are rows of.
    &["call"],
    // Its doors.
    &["by_hand", "decided", "driver", "http", "transcript"],
    &["json", "send_mailer"],
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// For each module those that it imports, without what only its tests import. A folder is one module with its file.
fn imports(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut files = Vec::new();
    sources(root, &mut files);
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let path = file.strip_prefix(root).unwrap().with_extension("");
        let module = path.components().next().unwrap();
        let module = module.as_os_str().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&file).unwrap();
        let shipped = text.split("#[cfg(test)]\n").next().unwrap();
        let code: String = shipped
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .flat_map(|line| [line, "\n"])
            .collect();
        assert!(
            !code.contains("crate::{"),
            "one `use` for each module, so that this test can read them"
        );
        let own = imports.entry(module.clone()).or_default();
        for rest in code.split("crate::").skip(1) {
            let is_name = |c: &char| c.is_ascii_lowercase() || *c == '_';
            own.insert(rest.chars().take_while(is_name).collect());
        }
        own.remove(&module);
    }
    imports.remove("lib");
    imports
}

/// What reaches up, or within its own floor.
fn reaching_up(imports: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let floor_of = |module: &str| FLOORS.iter().position(|floor| floor.contains(&module));
    let mut found = Vec::new();
    for (module, imported) in imports {
        for other in imported {
            if floor_of(other) >= floor_of(module) {
                found.push(format!("{module} imports {other}"));
            }
        }
    }
    found
}

#[test]
fn every_module_imports_only_what_stands_below_it() {
    let imports = imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let known: BTreeSet<&str> = FLOORS.iter().copied().flatten().copied().collect();
    let there: BTreeSet<&str> = imports.keys().map(String::as_str).collect();
    assert_eq!(there, known, "a module has no floor, or a floor no module");
    assert_eq!(reaching_up(&imports), [] as [&str; 0]);
}

#[test]
fn a_module_that_imports_its_own_floor_or_a_higher_one_is_found() {
    let name = |name: &str| name.to_owned();
    let of =
        |module: &str, other: &str| BTreeMap::from([(name(module), BTreeSet::from([name(other)]))]);
    assert_eq!(reaching_up(&of("plan", "call")), ["plan imports call"]);
    assert_eq!(
        reaching_up(&of("plan", "decision")),
        ["plan imports decision"]
    );
    assert_eq!(reaching_up(&of("call", "plan")), [] as [&str; 0]);
}
