#!/usr/bin/env bash
# Runs one generated stream of CASES cases (from SEED, another every time) through all languages and compares the
# answers. LANGUAGES names others, such as "rust reference".
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/fuzz/environment.sh
read -ra languages <<<"${LANGUAGES:-rust c cpp python}"
PYTHONPATH=tests "$python" -m fuzz.languages --cases "${CASES:-50000}" ${SEED:+--seed "$SEED"} "${languages[@]}"
