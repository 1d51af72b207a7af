#!/usr/bin/env bash
# Runs the unit tests of the C library, and whole calls through its functions, under Miri. Miri tracks what each pointer may
# still do (by the model of Tree Borrows), and so finds faults that sanitizers and valgrind cannot.
# Usage: tests/c/miri.sh. Needs Rust's nightly toolchain with its components miri and rust-src. Ends with "N passed, N failed".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export MIRIFLAGS="-Zmiri-tree-borrows -Zmiri-disable-isolation"
code=0
said=$(cargo +nightly miri test --quiet --package franking-ffi --lib --target-dir "${CARGO_TARGET_DIR:-target}/miri" 2>&1) || code=$?
passed=$(sed -n 's/^test result: .* \([0-9]*\) passed.*/\1/p' <<<"$said")
if [ "$code" -ne 0 ]; then
    printf '%s\n' "$said" | tail -n 40
    echo "${passed:-0} passed, 1 failed"
    exit 1
fi
echo "${passed:?no test has run} passed, 0 failed"
