#!/usr/bin/env bash
# Writes two archives into a folder: the sources of the last commit, and the crates that they need. Distributions build from
# these alone. The same commit gives the same bytes.
# Usage: tools/packaging/sources.sh FOLDER
set -euo pipefail
out=$(realpath --canonicalize-missing "${1:?usage: tools/packaging/sources.sh FOLDER}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

git diff --quiet HEAD || echo "NOT in the archives: changes that are not committed" >&2
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
committed=$(git log -1 --format=%ct)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git archive --prefix="franking-$version/" HEAD | gzip -n9 >"$out/franking-$version-source.tar.gz"
tar -xzf "$out/franking-$version-source.tar.gz" -C "$work"
cd "$work/franking-$version"
cargo vendor --quiet --locked "$work/vendor" >/dev/null
tools/packaging/strip_binaries.py "$work/vendor"
tar -C "$work" --sort=name --mtime="@$committed" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw,a-s \
    -c vendor | xz -2 -T2 >"$out/franking-$version-vendor.tar.xz"
