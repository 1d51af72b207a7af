//! The modules of the core are in layers: each imports only modules of lower layers.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that meets the unexpected should stop; it reads the sources"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The layers, the lowest first. A module imports only modules of the rows before its own.
const FLOORS: &[&[&str]] = &[
    &[
        "by_operation",
        "bytes",
        "column",
        "debug",
        "fault",
        "memory",
        "word",
        "written",
    ],
    &["text"],
    &["code", "operation", "policy", "outcome", "misuse", "roles"],
    &["rule", "wire"],
    &["commit", "violation", "facts"],
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

/// Allowed imports within a layer: from a module to the one that it builds on. None of them goes in both directions.
const WITHIN: &[(&str, &str)] = &[("code", "operation")];

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

/// The names after `crate::` in a text, including those in braces.
fn imported(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for rest in text.split("crate::").skip(1) {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
        names.insert(name);
        if let Some(braces) = rest.strip_prefix('{') {
            panic!("one `use` for each module, so that this test can read them: {braces:.40}");
        }
    }
    names
}

/// For each module of the core, the modules that it imports. Imports of tests are left out.
fn imports() -> BTreeMap<String, BTreeSet<String>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let mut parts = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        let module = parts.next().unwrap().into_owned();
        let is_test = path.components().any(|part| {
            let name = part.as_os_str().to_string_lossy();
            name == "tests" || name.ends_with("_tests")
        });
        if module == "lib" || is_test {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let shipped = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let code = shipped
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let code: String = code.flat_map(|line| [line, "\n"]).collect();
        imports.entry(module).or_default().extend(imported(&code));
    }
    imports
}

fn floor_of(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

#[test]
fn every_module_imports_only_modules_of_lower_layers() {
    let imports = imports();
    let known: BTreeSet<&str> = FLOORS.iter().copied().flatten().copied().collect();
    let there: BTreeSet<&str> = imports.keys().map(String::as_str).collect();
    assert_eq!(there, known, "a module has no floor, or a floor no module");
    let mut within = BTreeSet::new();
    for (module, imported) in &imports {
        for other in imported.iter().filter(|other| *other != module) {
            // Items of the root, such as the types that it exports, are not modules.
            let Some(other_floor) = floor_of(other) else {
                continue;
            };
            let floor = floor_of(module).unwrap();
            assert!(other_floor <= floor, "{module} reaches up to {other}");
            if other_floor == floor {
                within.insert((module.as_str(), other.as_str()));
            }
        }
    }
    assert_eq!(within, WITHIN.iter().copied().collect());
}
