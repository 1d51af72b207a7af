#!/usr/bin/env bash
# Builds the Debian packages from dist/ with Debian's own tools, and checks them with lintian.
# Usage: tools/packaging/debian.sh FOLDER; DIST names another folder than dist/. Needs dpkg-dev, lintian, and the
# Build-Depends of tools/packaging/debian/control. The compiler of Debian 12 that is new enough is in rustc-web and
# cargo-web.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dist=$(realpath "${DIST:-$root/dist}")
folder=$(realpath --canonicalize-missing "${1:?usage: tools/packaging/debian.sh FOLDER}")
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)

rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
cp "$dist/franking-$version-source.tar.gz" "franking_$version.orig.tar.gz"
cp "$dist/franking-$version-vendor.tar.xz" "franking_$version.orig-vendor.tar.xz"
tar -xzf "franking_$version.orig.tar.gz"
cd "franking-$version"
tar -xJf "../franking_$version.orig-vendor.tar.xz"
cp -r tools/packaging/debian debian
tools/packaging/debian_copyright.py vendor >debian/copyright
rm debian/copyright.in
# This uses Debian's compiler, whatever else is installed.
PATH=/usr/sbin:/usr/bin:/sbin:/bin dpkg-buildpackage --unsigned-source --unsigned-changes --build=full
cd ..
# The packages are not for Debian's archive, so they close no bug there.
mkdir tmp
TMPDIR=$PWD/tmp lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes
ls -l ./*.deb
