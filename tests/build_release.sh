#!/usr/bin/env bash
# Builds for release what is measured and what is installed. Each dependency is built once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build --quiet --release --package franking-ffi --package franking-hostile --lib --bin franking-hostile
