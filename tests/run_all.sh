#!/usr/bin/env bash
# Everything that has to hold, in one run. Tools that are missing are named loudly; CI installs them first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

step() { printf '\n=== %s\n' "$*"; }

missing=()

step "Format and lints"
cargo fmt --all --check
cargo clippy --quiet --package franking --package franking-executor --package franking-demo --all-targets -- -D warnings

step "Core alone: no feature of another member reaches it"
cargo build --quiet --package franking
cargo test --package franking

step "Documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --package franking --no-deps

step "Dependencies"
if command -v cargo-deny >/dev/null; then
    cargo deny --log-level error check bans licenses sources
else
    missing+=("cargo-deny (cargo install cargo-deny): dependencies were not checked")
fi

step "The demo ends well"
cargo run --quiet --package franking-demo >/dev/null

step "The vectors are those of the reference"
tests/reference/check.sh

step "The vectors, through the Rust executor"
python3 tests/conformance.py rust

if ((${#missing[@]})); then
    printf '\nNOT CHECKED, for want of a tool:\n'
    printf '  %s\n' "${missing[@]}"
fi
printf '\nAll that was run has passed.\n'
