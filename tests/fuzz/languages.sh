#!/usr/bin/env bash
# Runs one generated stream of CASES cases (from SEED, a new one every time) through all languages and compares the answers.
# LANGUAGES names other languages, such as "rust reference".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/fuzz/environment.sh
read -ra languages <<<"${LANGUAGES:-rust c cpp python}"
# If SECONDS_PER_PART is set, it decides the number of cases.
if [ -n "${SECONDS_PER_PART:-}" ]; then
    limit=(--cases 1000000000 --seconds "$SECONDS_PER_PART")
else
    limit=(--cases "${CASES:-50000}")
fi
PYTHONPATH=tests "$python" -m fuzz.languages "${limit[@]}" ${SEED:+--seed "$SEED"} "${languages[@]}"
