#!/usr/bin/env bash
# Feeds generated and mutated input to the core, for SECONDS_EACH seconds for each subject, from SEED (a new one every time).
# The exit status is 1 when a check fails. The output then says how to repeat the case.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# shellcheck source=tests/built.sh
source tests/built.sh
built_with franking-fuzz
echo "seed ${SEED:=$RANDOM$RANDOM}"
"$built/franking-fuzz" run tests/vectors "seconds=${SECONDS_EACH:-10}" "seed=$SEED"
