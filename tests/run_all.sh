#!/usr/bin/env bash
# Everything that has to hold, in one run. Tools that are missing are named loudly; CI installs them first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

begun=$SECONDS
step() { printf '\n=== %s  [%d s]\n' "$*" "$((SECONDS - begun))"; }

missing=()

step "Format and lints"
cargo fmt --all --check
cargo clippy --quiet --workspace --all-targets -- -D warnings

step "Core alone: no feature of another member reaches it"
cargo build --quiet --package franking
cargo test --quiet --package franking

step "Hostile bodies of 32 MB: memory and time"
cargo test --quiet --release --package franking --test hostile -- --nocapture

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

step "C and C++"
tests/c/run.sh

languages=(rust c cpp)
if python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    languages+=(python)
    step "Python"
    python/run_tests.sh
    step "The driver for servers, against the example hosts"
    tests/server/hosts.sh
else
    missing+=("Python 3.11 or later: the Python package was not tested")
fi

step "The vectors, through the executors of all languages"
python3 tests/conformance.py "${languages[@]}"

step "Fuzzing with fixed seeds, the driver for servers, what the vectors cover"
LANGUAGES="${languages[*]} reference" tests/fuzz/test.sh

if command -v chromium >/dev/null; then
    step "What a real browser asks for"
    tests/browser/run.sh
else
    missing+=("Chromium (Debian's package chromium): no browser was set beside the library")
fi

step "Instructions beside the peer"
python3 bench/instructions.py

if ((${#missing[@]})); then
    printf '\nNOT CHECKED, for want of a tool:\n'
    printf '  %s\n' "${missing[@]}"
fi
printf '\nAll that was run has passed, in %d seconds.\n' "$((SECONDS - begun))"
