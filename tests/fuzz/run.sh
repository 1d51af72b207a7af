#!/usr/bin/env bash
# Feeds generated and mutated input to the core: each subject for SECONDS_EACH seconds, from SEED (another every time).
# Exit status 1 when anything does not hold; what is printed then says how to see it again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cargo build --quiet --release --package franking-fuzz
echo "seed ${SEED:=$RANDOM$RANDOM}"
"${CARGO_TARGET_DIR:-target}/release/franking-fuzz" run tests/vectors "seconds=${SECONDS_EACH:-10}" "seed=$SEED"
