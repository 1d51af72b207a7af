#!/usr/bin/env bash
# Compares the links that the library finds in CASES generated documents (from SEED, a new one every time; at most
# SECONDS_AT_MOST) with those that the reference finds. LANGUAGE names another executor than `rust`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/fuzz/environment.sh
PYTHONPATH=tests "$python" -m fuzz.links --cases "${CASES:-5000}" ${SECONDS_AT_MOST:+--seconds "$SECONDS_AT_MOST"} ${SEED:+--seed "$SEED"} "${LANGUAGE:-rust}"
