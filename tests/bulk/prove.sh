#!/usr/bin/env bash
# Checks a million calls with franking-bulk, with the Python package, and with the recipes of docs/bulk.md, and compares the
# results. Everything is installed below target/bulk. ROWS is the number of calls, TRANSCRIPTS the number of calls of the
# service.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root"
here=$root/target/bulk
mkdir -p "$here"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target} PIP_DISABLE_PIP_VERSION_CHECK=1
# shellcheck source=tests/built.sh
source tests/built.sh
built_with franking-bulk franking-service
# The wheel is always built for release.
unset BUILT_FOR_TESTS
# shellcheck source=python/build_wheel.sh
source python/build_wheel.sh
build_wheel
if ! cmp --quiet tests/bulk/requirements.txt "$here/installed.txt"; then
    rm -rf "$here/venv"
    "$venv/bin/python" -m venv "$here/venv"
    "$here/venv/bin/pip" install --quiet --requirement tests/bulk/requirements.txt
    cp tests/bulk/requirements.txt "$here/installed.txt"
fi
install_wheel "$here/venv/bin/python"
export RAY_USAGE_STATS_ENABLED=0 RAY_LOG_TO_STDERR=0 PYARROW_IGNORE_TIMEZONE=1 SPARK_LOCAL_IP=127.0.0.1 PYTHONWARNINGS=ignore::FutureWarning
PATH=$here/venv/bin:$PATH PYTHONPATH=tests/bulk exec "$here/venv/bin/python" -m clusters "$built" "$here"
