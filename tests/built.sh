# Sets the folder of the programs under test. Source this file in scripts that need what Cargo builds.
#
# BUILT_FOR_TESTS names a folder in which everything is built already: `tests/run.py test` builds all packages of the
# workspace once, so that each dependency is compiled with one set of features. Without it, a script builds what it needs for
# release.

# built_with PACKAGE...: sets `built`, the folder of programs and libraries.
built_with() {
    local root package packages=()
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    built=${BUILT_FOR_TESTS:-}
    [ -z "$built" ] || return 0
    built=${CARGO_TARGET_DIR:-$root/target}/release
    for package in "$@"; do packages+=(--package "$package"); done
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" "${packages[@]}"
}
