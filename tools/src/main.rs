//! Writes the files that derive from the tables of the core and from the C ABI: constants, records and headers of C, the
//! assertions of their layouts, the description of the ABI, and the enumerations and records of C++ and Python.
//!
//! `cargo run -p franking-tools -- header` writes them, `... header --check` fails when they are stale. `... api` and
//! `... api --check` do the same with the list of the crate's public items, and `... openapi` with the description of the
//! interface as OpenAPI.

mod abi;
mod api;
mod constants;
mod header;
mod layout;
mod numbers;
mod openapi;
mod python;
mod records;
mod views;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let written = match words.as_slice() {
        ["header"] => header(&root(), false),
        ["header", "--check"] => header(&root(), true),
        ["api"] => api(&root(), false),
        ["api", "--check"] => api(&root(), true),
        ["openapi"] => openapi(&root(), false),
        ["openapi", "--check"] => openapi(&root(), true),
        _ => {
            eprintln!("usage: franking-tools header|api|openapi [--check]");
            return ExitCode::from(2);
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// The workspace, of which this crate is a member.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

fn api(root: &Path, is_check: bool) -> Result<(), String> {
    put(&root.join(api::FILE), &api::write(root)?, "api", is_check)
}

fn openapi(root: &Path, is_check: bool) -> Result<(), String> {
    for (name, text) in openapi::FILES.into_iter().zip(openapi::write(root)?) {
        put(&root.join(name), &text, "openapi", is_check)?;
    }
    Ok(())
}

fn header(root: &Path, is_check: bool) -> Result<(), String> {
    put(
        &root.join("ffi/src/constants.rs"),
        &constants::write(),
        "header",
        is_check,
    )?;
    put(
        &root.join("ffi/src/closed.rs"),
        &constants::closed_texts(),
        "header",
        is_check,
    )?;
    for (name, template) in python::FILES {
        let path = root.join("python/src/franking").join(name);
        put(&path, &python::write(template)?, "header", is_check)?;
    }
    for (name, is_tool) in [("records", false), ("tool_records", true)] {
        let path = root.join("ffi/src").join(name).with_extension("rs");
        put(&path, &records::write(is_tool)?, "header", is_check)?;
    }
    put(
        &root.join("include/franking/records.hpp"),
        &views::write()?,
        "header",
        is_check,
    )?;
    let structures = layout::read(root)?;
    let headers = header::write(root, &structures)?;
    for (name, text) in ["include/franking.h", "include/franking_tools.h"]
        .into_iter()
        .zip(&headers)
    {
        put(&root.join(name), text, "header", is_check)?;
    }
    put(
        &root.join("include/franking_json.h"),
        &abi::json_header(&headers.concat())?,
        "header",
        is_check,
    )?;
    put(
        &root.join("include/franking/numbers.hpp"),
        &numbers::write(&headers.concat()),
        "header",
        is_check,
    )?;
    put(
        &root.join("tests/c/layout.h"),
        &header::asserts(&structures),
        "header",
        is_check,
    )?;
    put(
        &root.join("ffi/abi.txt"),
        &abi::write(&headers.concat(), &structures),
        "header",
        is_check,
    )
}

/// Writes a file, or says that it is not as the command would write it.
fn put(path: &Path, text: &str, command: &str, is_check: bool) -> Result<(), String> {
    let name = path.display();
    if !is_check {
        return std::fs::write(path, text).map_err(|error| format!("{name}: {error}"));
    }
    let own = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
    if own == text {
        return Ok(());
    }
    Err(format!(
        "{name} is stale: run cargo run -p franking-tools -- {command}"
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_checked_in_headers_constants_layout_and_abi_are_not_stale() {
        assert_eq!(super::header(&super::root(), true), Ok(()));
    }

    #[test]
    fn the_checked_in_description_of_the_interface_and_its_page_are_not_stale() {
        assert_eq!(super::openapi(&super::root(), true), Ok(()));
    }
}
