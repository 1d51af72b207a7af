#!/usr/bin/env bash
# Fails when the vectors differ from those that the reference derives. Installs what the reference needs into an ignored
# folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

environment=.venv/reference
[ -x "$environment/bin/python" ] || python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --requirement tests/reference/requirements.txt
PYTHONPATH=tests "$environment/bin/python" -m reference.generate --check
