#!/usr/bin/env bash
# Writes THIRD-PARTY-NOTICES.txt with cargo-about (cargo install --locked cargo-about --features cli).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# This manifest reaches everything that is shipped: the Python package has the library and the command.
cargo about generate --offline --fail --config tools/packaging/about.toml --manifest-path python/native/Cargo.toml \
    tools/packaging/about.hbs | sed 's/[[:space:]]*$//' >THIRD-PARTY-NOTICES.txt.new
mv THIRD-PARTY-NOTICES.txt.new THIRD-PARTY-NOTICES.txt
