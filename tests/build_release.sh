#!/usr/bin/env bash
# Builds for release what is measured and what is installed. Each dependency is built once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build --quiet --release --package franking-ffi --package franking-hostile --lib --bin franking-hostile
# The package that is shipped has no switch for faults, unlike the development build. `make prove` builds and installs it.
cargo check --quiet --release --package franking-python
