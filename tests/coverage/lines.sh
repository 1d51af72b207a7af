#!/usr/bin/env bash
# Measures the line coverage of the core by the Rust tests: its own, and the vectors through the Rust executor. Prints a
# table of files and the lines that no test reaches. Fails below LEAST per cent. Needs llvm-cov and llvm-profdata of the
# compiler's LLVM (rustup component add llvm-tools; LLVM_TOOLS names a folder), and prints a message if they are missing.
# Builds in target/coverage. TESTS names other tests, as arguments of cargo test.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

host=$(rustc -vV | sed -n 's/^host: //p')
tools=${LLVM_TOOLS:-$(rustc --print sysroot)/lib/rustlib/$host/bin}
if [ ! -x "$tools/llvm-cov" ] || [ ! -x "$tools/llvm-profdata" ]; then
    echo "NOT MEASURED: line coverage needs llvm-cov (rustup component add llvm-tools)" >&2
    exit "${IF_ABSENT:-0}"
fi

export CARGO_TARGET_DIR=$PWD/target/coverage CARGO_INCREMENTAL=0
export RUSTFLAGS="-C instrument-coverage" LLVM_PROFILE_FILE=$CARGO_TARGET_DIR/profiles/%m-%p.profraw
rm -rf "$CARGO_TARGET_DIR/profiles"
mkdir -p "$CARGO_TARGET_DIR/profiles"
tests=(--lib --test behaviour)
cargo test --quiet --no-fail-fast --package franking "${tests[@]}" >"$CARGO_TARGET_DIR/tests.log" 2>&1 ||
    { tail -n 30 "$CARGO_TARGET_DIR/tests.log"; exit 1; }
cargo test --quiet --package franking-executor --test vectors >>"$CARGO_TARGET_DIR/tests.log" 2>&1 ||
    { tail -n 30 "$CARGO_TARGET_DIR/tests.log"; exit 1; }

objects=()
for binary in "$CARGO_TARGET_DIR"/debug/deps/*; do
    if [ -x "$binary" ] && [ -f "$binary" ] && [[ $binary != *.so && $binary != *.rlib ]]; then
        objects+=(--object "$binary")
    fi
done
"$tools/llvm-profdata" merge --sparse --output "$CARGO_TARGET_DIR/all.profdata" "$CARGO_TARGET_DIR"/profiles/*.profraw
"$tools/llvm-cov" export --format lcov --instr-profile "$CARGO_TARGET_DIR/all.profdata" "${objects[@]}" \
    >"$CARGO_TARGET_DIR/all.lcov"
python3 tests/coverage/lines.py "$CARGO_TARGET_DIR/all.lcov" "${LEAST:-95}"
