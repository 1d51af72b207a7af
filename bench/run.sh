#!/usr/bin/env bash
# Measures the library beside its peers in one run. QUICK=1 is quick. Writes target/bench/ratios.json.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo run --quiet --profile bench --package franking-bench --bin franking
