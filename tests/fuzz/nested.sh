#!/usr/bin/env bash
# Looks for the host that is in each of CASES generated documents in documents (from SEED, another every time; at most
# SECONDS_AT_MOST): the library has to find it, or to say that the document can hide one. LANGUAGE names another executor.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

PYTHONPATH=tests python3 -m fuzz.nested --cases "${CASES:-20000}" ${SECONDS_AT_MOST:+--seconds "$SECONDS_AT_MOST"} ${SEED:+--seed "$SEED"} "${LANGUAGE:-rust}"
