//! The public API of the crate, item by item, as rustdoc knows it.

use std::path::{Path, PathBuf};
use std::process::Command;

use public_api::Builder;

/// The file that lists the API.
pub(crate) const FILE: &str = "core/public-api.txt";

/// Lists the public items of the crate, one a line.
///
/// rustdoc writes its JSON form only if unstable options are allowed, and the form differs between versions. This works with
/// the version of Rust for which `public-api` is pinned.
///
/// It has a target folder of its own. Build scripts look at `RUSTC_BOOTSTRAP`, so in the shared folder Cargo would build almost
/// everything again.
pub(crate) fn write(root: &Path) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let target = target.join("api");
    let status = Command::new(cargo)
        .current_dir(root)
        .args([
            "rustdoc",
            "--quiet",
            "--package",
            "franking",
            "--lib",
            "--target-dir",
        ])
        .arg(&target)
        .arg("--")
        .args(["-Z", "unstable-options", "--output-format", "json"])
        .env("RUSTC_BOOTSTRAP", "1")
        .status()
        .map_err(|error| format!("cargo rustdoc: {error}"))?;
    if !status.success() {
        return Err(format!("cargo rustdoc ends with {status}"));
    }
    let api = Builder::from_rustdoc_json(target.join("doc/franking.json"))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| error.to_string())?;
    let mut text: String = api.items().map(|item| format!("{item}\n")).collect();
    text.insert_str(0, "# The public API of the crate: `cargo run --package franking-tools -- api` writes it anew.\n");
    Ok(text)
}
