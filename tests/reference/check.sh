#!/usr/bin/env bash
# Fails when the vectors differ from those that the reference derives. Installs what the reference needs into an ignored
# folder. Deriving them takes more than a minute, and the same files give the same vectors: if no file has changed since the
# last check that passed, nothing is derived. AGAIN=1 derives them all the same.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

environment=.venv/reference
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --requirement tests/reference/requirements.txt

checked=${CARGO_TARGET_DIR:-target}/reference-checked
# All that the vectors depend on: the reference with its packages, the pages, of which it reads some, and the vectors.
inputs() {
    "$environment/bin/python" --version
    "$environment/bin/python" -m pip freeze
    find tests/reference tests/vectors docs -type f -not -name '*.pyc' -print0 | sort -z | xargs -0 sha256sum
}
now=$(inputs | sha256sum)
if [ -z "${AGAIN:-}" ] && [ "$(cat "$checked" 2>/dev/null)" = "$now" ]; then
    echo "as they were when they were last checked"
    exit 0
fi
PYTHONPATH=tests "$environment/bin/python" -m reference.generate --check
mkdir -p "$(dirname "$checked")"
echo "$now" >"$checked"
