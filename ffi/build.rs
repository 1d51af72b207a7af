//! Gives the shared library its SONAME.

fn main() {
    let os = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let major = std::env::var("CARGO_PKG_VERSION_MAJOR").unwrap_or_default();
    if os == "linux" {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libfranking.so.{major}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
