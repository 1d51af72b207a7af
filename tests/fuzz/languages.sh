#!/usr/bin/env bash
# Runs one generated stream of CASES cases (from SEED, another every time) through all languages and compares the
# answers. LANGUAGES names others, such as "rust reference".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/fuzz/environment.sh
read -ra languages <<<"${LANGUAGES:-rust c cpp python}"
# As many cases as there is time for, where SECONDS_PER_PART says so.
if [ -n "${SECONDS_PER_PART:-}" ]; then
    limit=(--cases 1000000000 --seconds "$SECONDS_PER_PART")
else
    limit=(--cases "${CASES:-50000}")
fi
PYTHONPATH=tests "$python" -m fuzz.languages "${limit[@]}" ${SEED:+--seed "$SEED"} "${languages[@]}"
