#!/usr/bin/env bash
# Whatever a real Chromium asks for in generated documents, the library has to find. CASES_DOM, CASES_NAVIGATION and SEED
# are read from the environment; closes with `cases tried N, findings N`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

PYTHONPATH=tests exec python3 -m browser
