#!/usr/bin/env bash
# Measures the library beside its peers, and through C and Python beside Rust, in one run. Writes the medians to
# target/bench/ratios.json. QUICK=1 takes less time for each. ONLY=W1,W2 measures only these workloads.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/bench

mkdir -p "$out"
cargo build --quiet --release --package franking-bench --package franking-ffi
source python/build_wheel.sh
build_wheel
# The peers' packages have an environment of their own.
[ -x "$out/venv/bin/python" ] || "$venv/bin/python" -m venv "$out/venv"
"$out/venv/bin/pip" install --quiet --disable-pip-version-check --requirement python/benchmarks/requirements.txt
"$out/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall target/wheels/franking-*.whl
"${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Werror -Iinclude tests/bench/c/*.c "$target/release/libfranking.a" \
    -lpthread -ldl -lm -o "$out/worker"
"$target/release/workload" all "$out/workloads"

# Results of an earlier run must not be taken for results of this run.
[ -n "${ONLY-}" ] || rm -f "$out/ratios.json"
"$target/release/memory"
"$target/release/ratios" ${ONLY:+--only "$ONLY"} --c "$out/worker" "$out/workloads" \
    --python "$out/venv/bin/python" tests/bench/python_contenders.py "$out/workloads"
cat "$out/ratios.json"
