//! Gives the shared library the name that programs are bound to: its SONAME, whose number is that of the ABI.

fn main() {
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    // The major version is that of the ABI: docs/library.md says what it promises.
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    match os.as_str() {
        "linux" => {
            println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libfranking.so.{major}");
        }
        // Untested.
        "macos" => {
            println!(
                "cargo::rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libfranking.{major}.dylib"
            );
        }
        _ => {}
    }
    println!("cargo::rerun-if-changed=build.rs");
}
