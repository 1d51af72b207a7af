#!/usr/bin/env bash
# Makes two clients from the description, and calls the service with them and with Schemathesis, on both databases. SEED
# repeats a run. Ends with `N passed, N failed`, where each call is a case.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

# shellcheck source=tests/description/environment.sh
source tests/description/environment.sh
description_environment
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/python"
# ruff formats the client; it is in the environment.
PATH="$bin:$PATH" "$bin/openapi-python-client" generate --path docs/openapi.json --meta none --fail-on-warning \
    --output-path "$work/python/franking_client" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

cp -r tests/description/client "$work/script"
cd "$work/script"
npm ci --silent --no-audit --no-fund
npx openapi-typescript "$root/docs/openapi.json" --output interface.ts >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
npx tsc
# The verifier is the one that docs/events.md shows.
awk '/^<!-- file: verify.mjs -->$/ { found = 1; next } /^```/ && found { if (open) exit; open = 1; next } open' \
    "$root/docs/events.md" >verify.mjs
cd "$root"

# Each database is called twice, so each call gets a part of the time.
export DESCRIPTION_SECONDS=$((${SECONDS_PER_PART:-60} / 8 + 1)) DESCRIPTION_SEED=${SEED:-$RANDOM}
export DESCRIPTION_WEBHOOKS=$work/script/webhooks.mjs
export DESCRIPTION_PYTHON=$bin/python DESCRIPTION_CLIENT=$work/python DESCRIPTION_SCRIPT=$work/script/built/send.js
echo "SEED=$DESCRIPTION_SEED"
# `python3 tests/rust_tests.py --prove` has built the tests.
python3 tests/rust_tests.py --run service description:: endpoints::others --ignored --nocapture --test-threads=1 \
    >"$work/output" 2>&1 || { cat "$work/output"; exit 1; }
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; runs += 1 }
    END { print passed + 0 " passed, " failed + 0 " failed"; exit !(runs == 2 && failed == 0) }' "$work/output"
