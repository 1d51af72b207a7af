#!/usr/bin/env bash
# Checks that the library finds every host that a real browser asks for in generated documents. Chromium reads 8,000 documents
# by DOMParser (CASES_DOM), 400 by navigation (CASES_NAVIGATION), and 300 documents in documents (CASES_NESTED). Firefox reads
# CASES_FIREFOX (0) documents of each of the last two kinds. Ends with `cases tried N, findings N`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export PYTHONPATH=tests
python3 -m unittest --quiet browser.test_compare
exec python3 -m browser
