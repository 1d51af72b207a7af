#!/usr/bin/env bash
# Writes a release of the last commit into dist/ (or the folder DIST): archives of the sources and of the crates that they
# need, crates, the Python sdist and wheels, an SBOM, checksums.
#
# Everything is built from the archive of the sources, unpacked in a folder of its own, so nothing outside the archive is
# needed. The same commit gives the same bytes with the same Rust toolchain. PYTHON names the interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

out=$(realpath --canonicalize-missing "${DIST:-dist}")
tools=$PWD/.tools/packaging
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")/dist
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
say() { printf -- '--- %s\n' "$*"; }

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
[ -x "$tools/bin/maturin" ] && [ "$tools/installed" -nt tools/packaging/requirements.txt ] || {
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check --requirement tools/packaging/requirements.txt
    touch "$tools/installed"
}
PATH=$tools/bin:$PATH

rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "Sources, and the crates that they need"
tools/packaging/sources.sh "$out"
tar -xzf "$out/franking-$version-source.tar.gz" -C "$work"
tar -xJf "$out/franking-$version-vendor.tar.xz" -C "$work"
root=$work/franking-$version
cd "$root"

say "Crates"
cargo package --quiet --locked --no-verify --package franking --package franking-cli --target-dir "$target"
cp "$target/package/franking-$version.crate" "$target/package/franking-cli-$version.crate" "$out/"

# From here on everything is built as a distribution builds it: from the archives, without the network.
mkdir -p "$work/cargo-home"
cat >"$work/cargo-home/config.toml" <<END
[source.crates-io]
replace-with = "vendored"
[source.vendored]
directory = "$work/vendor"
[net]
offline = true
END
export CARGO_HOME=$work/cargo-home CARGO_TARGET_DIR=$target

say "Each crate compiles out of its own archive"
# cargo's own verification would use an older archive of the same version if cargo had unpacked one before. `cargo check` takes
# the library from the same place as every other crate.
mkdir "$work/crates"
for crate in franking franking-cli; do tar -xzf "$out/$crate-$version.crate" -C "$work/crates"; done
cargo check --quiet --locked --manifest-path "$work/crates/franking-$version/Cargo.toml"
cp -r "$work/crates/franking-$version" "$work/vendor/franking"
sum=$(sha256sum "$out/franking-$version.crate" | cut -d ' ' -f 1)
printf '{"files":{},"package":"%s"}' "$sum" >"$work/vendor/franking/.cargo-checksum.json"
cargo check --quiet --locked --manifest-path "$work/crates/franking-cli-$version/Cargo.toml"
rm -r "$work/vendor/franking"

# shellcheck source=tools/packaging/reproducible.sh
source tools/packaging/reproducible.sh
RUSTFLAGS="$RUSTFLAGS --remap-path-prefix=$work/vendor=/vendor"

say "Python: sdist and wheels"
wheel() { # INTERPRETER FOLDER OPTION...: the wheel runs with the oldest glibc that Rust supports, whatever this machine has
    (cd python && maturin build --quiet --release --locked --zig --compatibility manylinux_2_17 --interpreter "$1" --out "$2" "${@:3}")
}
maturin sdist --manifest-path python/native/Cargo.toml --out "$out"
# maturin writes the SBOM, but the SBOM names the folder of the build. So it is taken out of a first wheel, the name is
# replaced, and the other wheels get the result.
wheel "${PYTHON:-python3}" "$work/first"
"${PYTHON:-python3}" -m zipfile --extract "$work"/first/*.whl "$work/first"
sbom=$out/franking-$version.cdx.json
sed "s|$root|/franking|g" "$work"/first/*.dist-info/sboms/*.cyclonedx.json >"$sbom"
printf '\n[tool.maturin.sbom]\nrust = false\n' >>python/pyproject.toml
wheel "${PYTHON:-python3}" "$out" --sbom-include "$sbom"
# maturin knows the ABI of this interpreter, so the interpreter need not be installed.
wheel python3.14t "$out" --sbom-include "$sbom"

say "Checks"
twine check --strict "$out"/*.whl "$out/franking-$version.tar.gz"
for wheel in "$out"/*.whl; do auditwheel show "$wheel"; done
(cd "$out" && sha256sum -- * >SHA256SUMS)
ls -l "$out"
