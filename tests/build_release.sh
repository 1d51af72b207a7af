#!/usr/bin/env bash
# Builds for release what is measured and what is installed, each dependency once.
# The library with the switch for faults and with counted allocations is kept in target/switches; what is shipped is built
# over it at once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}

packages=(--package franking-bench --package franking-ffi --package franking-hostile --lib --bin repeat --bin franking-hostile)
cargo build --quiet --release "${packages[@]}" --features franking-ffi/test-panic,franking-ffi/bench
mkdir -p "$target/switches"
cp "$target/release/libfranking.a" "$target/switches/"
cargo build --quiet --release "${packages[@]}"
