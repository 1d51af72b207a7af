#!/usr/bin/env bash
# Builds libfranking and installs it: libraries, headers, franking.pc and a CMake package.
# Usage: ffi/install.sh PREFIX (DESTDIR and LIBDIR, lib by default, are taken from the environment)
set -euo pipefail

prefix=${1:?usage: ffi/install.sh PREFIX}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
libdir=${LIBDIR:-lib}
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac

cargo build --quiet --release --manifest-path "$root/Cargo.toml" --package franking-ffi
version=$(sed -n 's/^#define FRANKING_VERSION "\(.*\)"$/\1/p' "$root/include/franking.h")
major=${version%%.*}

to=${DESTDIR:-}$prefix
install -d "$to/include/franking" "$to/$libdir/pkgconfig" "$to/$libdir/cmake/franking"
install -m 644 "$root"/include/franking*.h "$root/include/franking.hpp" "$to/include/"
install -m 644 "$root"/include/franking/*.hpp "$to/include/franking/"
install -m 755 "$target/release/libfranking.so" "$to/$libdir/libfranking.so.$version"
install -m 644 "$target/release/libfranking.a" "$to/$libdir/libfranking.a"
ln -sf "libfranking.so.$version" "$to/$libdir/libfranking.so.$major"
ln -sf "libfranking.so.$major" "$to/$libdir/libfranking.so"

fill() { sed -e "s|@PREFIX@|$prefix|g" -e "s|@LIBDIR@|$libdir|g" -e "s|@VERSION@|$version|g" -e "s|@MAJOR@|$major|g" "$1"; }
fill "$root/ffi/franking.pc.in" >"$to/$libdir/pkgconfig/franking.pc"
fill "$root/ffi/cmake/franking-config.cmake.in" >"$to/$libdir/cmake/franking/franking-config.cmake"
fill "$root/ffi/cmake/franking-config-version.cmake.in" >"$to/$libdir/cmake/franking/franking-config-version.cmake"
