#!/usr/bin/env bash
# Builds libfranking for release, shared and static. Nothing is installed.
# Usage: ffi/build.sh [OPTION OF CARGO...], such as --offline. CARGO_TARGET_DIR and CARGO_BUILD_TARGET are respected.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/packaging/reproducible.sh
source "$root/tools/packaging/reproducible.sh"

cargo build --release --locked --manifest-path "$root/Cargo.toml" --package franking-ffi "$@"
