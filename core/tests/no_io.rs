//! The core uses no clock, randomness, environment, files or threads, and neither do its dependencies.
//!
//! `core/clippy.toml` forbids them in the core's own sources. These tests check the dependencies: they read the package as
//! Cargo resolves it, on its own and without the network.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Every crate that is linked into a program with the core. Before you add a name, check whether the crate uses a clock,
/// randomness, the environment, files or threads without its feature `std`.
const CRATES: &[&str] = &[
    "base64",
    "block-buffer",
    "bytemuck",
    "cfg-if",
    "cmov",
    "cpufeatures",
    "crypto-common",
    "ctutils",
    "digest",
    "foldhash",
    "form_urlencoded",
    "hashbrown",
    "hmac",
    "html-escape",
    "hybrid-array",
    "icu_collections",
    "icu_locale_core",
    "icu_normalizer",
    "icu_normalizer_data",
    "icu_properties",
    "icu_properties_data",
    "icu_provider",
    "idna",
    "idna_adapter",
    "itoa",
    "litemap",
    "memchr",
    "percent-encoding",
    "potential_utf",
    "safe_arch",
    "serde",
    "serde_core",
    "serde_json",
    "sha2",
    "simdutf8",
    "smallvec",
    "stable_deref_trait",
    "thiserror",
    "tinystr",
    "typenum",
    "url",
    "utf8_iter",
    "utf_types",
    "wide",
    "writeable",
    "yoke",
    "zerofrom",
    "zerotrie",
    "zerovec",
    "zmij",
];

/// Features with which a crate uses the operating system.
const IMPURE: &[&str] = &[
    "std",
    "use_std",
    "getrandom",
    "rand",
    "runtime-rng",
    "compile-time-rng",
    "default-hasher",
    "tz-system",
    "wasm-bindgen",
    "rayon",
    "parallel",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .arg("--offline")
        .current_dir(root())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The crates that a member is linked with, and their enabled features, when it is built on its own.
fn tree(package: &str) -> (BTreeSet<String>, BTreeSet<(String, String)>) {
    let mut arguments = vec![
        "tree",
        "--package",
        package,
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p}|{f}",
    ];
    if package == "franking" {
        // The features for a program without the standard library.
        arguments.push("--no-default-features");
    }
    let lines = cargo(&arguments);
    let mut crates = BTreeSet::new();
    let mut features = BTreeSet::new();
    for line in lines.lines() {
        let (package, own) = line.split_once('|').unwrap_or_else(|| panic!("{line}"));
        let name = package.split(' ').next().unwrap();
        crates.insert(name.to_string());
        let own = own.trim_end_matches(" (*)").split(',');
        features.extend(own.map(|feature| (name.to_string(), feature.trim().to_string())));
    }
    assert!(crates.remove(package));
    (crates, features)
}

#[test]
fn the_core_depends_on_these_crates_and_no_others() {
    let (crates, _) = tree("franking");
    let known: BTreeSet<String> = CRATES.iter().map(|name| name.to_string()).collect();
    let new: Vec<_> = crates.difference(&known).collect();
    let gone: Vec<_> = known.difference(&crates).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new: {new:?}; no longer there: {gone:?}"
    );
}

#[test]
fn no_crate_under_the_core_has_a_feature_that_reaches_for_the_system() {
    let (_, features) = tree("franking");
    let impure: Vec<_> = features
        .iter()
        .filter(|(_, feature)| IMPURE.contains(&feature.as_str()))
        .collect();
    assert!(impure.is_empty(), "{impure:?}");
    // Proof that the check can fail: it sees features.
    assert!(features.contains(&("serde_json".to_string(), "alloc".to_string())));
}

#[test]
fn the_c_library_and_the_wheel_let_the_crates_below_ask_what_the_processor_can_do() {
    for package in ["franking-ffi", "franking-python"] {
        let (_, features) = tree(package);
        for name in ["memchr", "simdutf8"] {
            let std = (name.to_string(), "std".to_string());
            assert!(features.contains(&std), "{package}: {name}");
        }
    }
}

#[test]
fn every_crate_under_the_core_is_made_for_programs_without_std() {
    let metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--format-version", "1"])).unwrap();
    let mut seen = BTreeSet::new();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        if !CRATES.contains(&name) {
            continue;
        }
        let is_library = |target: &&Value| {
            let kinds = target["kind"].as_array().unwrap();
            kinds.iter().any(|kind| kind == "lib" || kind == "rlib")
        };
        let library = package["targets"]
            .as_array()
            .unwrap()
            .iter()
            .find(is_library)
            .unwrap();
        let source = std::fs::read_to_string(library["src_path"].as_str().unwrap()).unwrap();
        assert!(source.contains("no_std"), "{name} {}", package["version"]);
        seen.insert(name);
    }
    assert_eq!(seen.len(), CRATES.len());
}

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

#[test]
fn the_library_is_compiled_without_std_and_without_unsafe_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let library = std::fs::read_to_string(folder.join("lib.rs")).unwrap();
    assert!(library.contains("\n#![no_std]\n") && library.contains("\n#![forbid(unsafe_code)]\n"));
    // The crate is no_std, so std can be used only where it is declared, and it is declared only for tests.
    assert!(library.contains("\n#[cfg(test)]\nextern crate std;\n"));
    let mut found = Vec::new();
    sources(&folder, &mut found);
    assert!(found.len() > 40);
    let declares = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        text.matches("extern crate").count()
    };
    // alloc and std, in lib.rs.
    assert_eq!(found.iter().map(declares).sum::<usize>(), 2);
}

/// Targets without std: a build for one of them is the proof. Any that is installed will do.
const BARE: &[&str] = &[
    "x86_64-unknown-none",
    "thumbv7em-none-eabi",
    "thumbv7m-none-eabi",
    "riscv32imac-unknown-none-elf",
];

#[test]
fn the_core_builds_for_a_target_without_std_where_one_is_installed() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let output = Command::new(rustc)
        .args(["--print", "sysroot"])
        .current_dir(root())
        .output()
        .unwrap();
    let sysroot = String::from_utf8(output.stdout).unwrap();
    let is_installed = |target: &&&str| {
        Path::new(sysroot.trim())
            .join("lib/rustlib")
            .join(target)
            .join("lib")
            .is_dir()
    };
    let Some(target) = BARE.iter().find(is_installed) else {
        println!(
            "NOT CHECKED: no target without std is installed (rustup target add {})",
            BARE[0]
        );
        return;
    };
    let folder = root().join("target/bare");
    cargo(&[
        "check",
        "--package",
        "franking",
        "--target",
        target,
        "--target-dir",
        folder.to_str().unwrap(),
    ]);
}
