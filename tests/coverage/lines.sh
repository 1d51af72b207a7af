#!/usr/bin/env bash
# Line coverage of the core by its Rust tests: a table of files, the lines that no test reaches, and failure below
# LEAST per cent. Needs cargo-llvm-cov; says so loudly when it is not there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! cargo llvm-cov --version >/dev/null 2>&1; then
    echo "NOT MEASURED: line coverage needs cargo-llvm-cov (cargo install cargo-llvm-cov; rustup component add llvm-tools)" >&2
    exit "${IF_ABSENT:-0}"
fi
exec cargo llvm-cov --package franking --ignore-filename-regex '(^|/)(tests|fuzz)/' \
    --show-missing-lines --fail-under-lines "${LEAST:-95}"
