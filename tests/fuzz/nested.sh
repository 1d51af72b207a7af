#!/usr/bin/env bash
# Looks for the host in each of CASES generated documents in documents (from SEED, a new one every time; at most
# SECONDS_AT_MOST). The library has to find it, or say that the document can hide a host. LANGUAGE names another executor.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

PYTHONPATH=tests python3 -m fuzz.nested --cases "${CASES:-20000}" ${SECONDS_AT_MOST:+--seconds "$SECONDS_AT_MOST"} ${SEED:+--seed "$SEED"} "${LANGUAGE:-rust}"
