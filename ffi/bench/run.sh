#!/usr/bin/env bash
# Measures one sendMailer call decided through C beside the same call in Rust. Prints one line of JSON.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}/ffi-bench
cargo build --quiet --release --manifest-path "$root/Cargo.toml" --package franking-ffi --features bench --target-dir "$target"
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -I"$root/include" "$root/ffi/bench/crossing.c" \
    "$target/release/libfranking.a" -lpthread -ldl -lm -o "$target/crossing"
"$target/crossing"
