#!/usr/bin/env bash
# Installs libfranking as built by ffi/build.sh: libraries, headers, franking.pc, a CMake package, licences.
# Usage: ffi/install.sh PREFIX
#
# LIBDIR is a folder below PREFIX (lib by default, lib/x86_64-linux-gnu on Debian) or an absolute one. DESTDIR is put before
# every path that is written to. The installed files do not mention it. Give the CARGO_TARGET_DIR and CARGO_BUILD_TARGET of
# the build.
set -euo pipefail

prefix=${1:?usage: ffi/install.sh PREFIX}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
triple=${CARGO_BUILD_TARGET:-}
built=${CARGO_TARGET_DIR:-$root/target}/${triple:+$triple/}release

# A path without slashes at its end, doubled slashes and dots, so that two paths can be compared.
plain() { realpath --canonicalize-missing --no-symlinks "$1"; }
prefix=$(plain "$prefix")
libdir=${LIBDIR:-lib}
case $libdir in /*) libdir=$(plain "$libdir") ;; *) libdir=$(plain "$prefix/$libdir") ;; esac

version=$(sed -n 's/^#define FRANKING_VERSION "\(.*\)"$/\1/p' "$root/include/franking.h")
# The number of the ABI. docs/library.md says what it promises.
major=${version%%.*}
case ${triple:-$(rustc -vV | sed -n 's/^host: //p')} in
*-linux-*)
    built_name=libfranking.so real=libfranking.so.$version runtime=libfranking.so.$major
    # All functions are looked up when a program starts. Otherwise a program that needs a function which an older library
    # does not have would end at its first use, which may be in the middle of a call.
    link_now=' -Wl,-z,now' cmake_link_now='LINKER:-z,now'
    ;;
*-apple-darwin)
    built_name=libfranking.dylib real=libfranking.$version.dylib runtime=libfranking.$major.dylib
    link_now='' cmake_link_now=''
    ;;
*)
    echo "install.sh knows Linux, and macOS untested; docs/library.md names the libraries of other systems" >&2
    exit 1
    ;;
esac
for library in "$built_name" libfranking.a; do
    [ -f "$built/$library" ] || { echo "$built/$library is not there: run make build first" >&2; exit 1; }
done

# If the libraries are below the prefix, the files of a package find the prefix from their own place.
if [ "$libdir" = "$prefix" ] || [[ $libdir == "${prefix%/}"/* ]]; then
    pc_libdir="\${prefix}/$(realpath --no-symlinks --canonicalize-missing --relative-to="$prefix" "$libdir")"
    cmake_prefix="\${CMAKE_CURRENT_LIST_DIR}/$(realpath --no-symlinks --canonicalize-missing --relative-to="$libdir/cmake/franking" "$prefix")"
else
    pc_libdir=$libdir
    cmake_prefix=$prefix
fi

headers=${DESTDIR:-}$prefix/include
libraries=${DESTDIR:-}$libdir
licences=${DESTDIR:-}$prefix/share/doc/franking
install -d "$headers/franking" "$libraries/pkgconfig" "$libraries/cmake/franking" "$licences"
install -m 644 "$root"/include/franking*.h "$root/include/franking.hpp" "$headers/"
install -m 644 "$root"/include/franking/*.hpp "$headers/franking/"
install -m 755 "$built/$built_name" "$libraries/$real"
install -m 644 "$built/libfranking.a" "$libraries/libfranking.a"
ln -sf "$real" "$libraries/$runtime"
ln -sf "$runtime" "$libraries/$built_name"
install -m 644 "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$root/THIRD-PARTY-NOTICES.txt" "$licences/"

fill() { # TEMPLATE FILE
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@PC_LIBDIR@|$pc_libdir|g" -e "s|@CMAKE_PREFIX@|$cmake_prefix|g" \
        -e "s|@LINK_NOW@|$link_now|g" -e "s|@CMAKE_LINK_NOW@|$cmake_link_now|g" \
        -e "s|@REAL@|$real|g" -e "s|@RUNTIME@|$runtime|g" -e "s|@VERSION@|$version|g" -e "s|@MAJOR@|$major|g" "$root/ffi/$1" >"$2"
    chmod 644 "$2"
}
fill franking.pc.in "$libraries/pkgconfig/franking.pc"
fill cmake/franking-config.cmake.in "$libraries/cmake/franking/franking-config.cmake"
fill cmake/franking-config-version.cmake.in "$libraries/cmake/franking/franking-config-version.cmake"
