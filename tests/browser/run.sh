#!/usr/bin/env bash
# Checks that the library finds every host that a real browser asks for in generated documents: 8,000 documents by DOMParser
# of Chromium (CASES_DOM), 400 by navigation (CASES_NAVIGATION), 300 documents in documents (CASES_NESTED), none of these by
# navigation of Firefox (CASES_FIREFOX). Ends with `cases tried N, findings N`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export PYTHONPATH=tests
python3 -m unittest --quiet browser.test_compare
exec python3 -m browser
