#!/usr/bin/env bash
# Whatever a real browser asks for in generated documents, the library has to find: 8,000 documents by DOMParser of
# Chromium (CASES_DOM), 400 by navigation (CASES_NAVIGATION), 300 documents in documents (CASES_NESTED), none of these by
# navigation of Firefox (CASES_FIREFOX). Closes with `cases tried N, findings N`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export PYTHONPATH=tests
python3 -m unittest --quiet browser.test_compare
exec python3 -m browser
