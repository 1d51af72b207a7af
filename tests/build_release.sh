#!/usr/bin/env bash
# Builds for release what is measured and what is installed, each dependency once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build --quiet --release --package franking-ffi --package franking-hostile --lib --bin franking-hostile
