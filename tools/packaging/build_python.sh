#!/usr/bin/env bash
# Builds the native module of the Python package without maturin, for packagings that bring their own tools.
# Usage: tools/packaging/build_python.sh [OPTION OF CARGO...]; PYO3_PYTHON names the interpreter. tools/packaging/install_python.py installs.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=tools/packaging/reproducible.sh
source "$root/tools/packaging/reproducible.sh"

# The interpreter loads the module, so the module is not linked with the interpreter's library.
export PYO3_BUILD_EXTENSION_MODULE=1
cargo build --release --locked --manifest-path "$root/Cargo.toml" --package franking-python "$@"
