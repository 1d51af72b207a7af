#!/usr/bin/env bash
# Installs the C and C++ library in each way that a distribution does, and builds programs against it as users do.
# Usage: tests/packages/installs.sh [ROOT]: a source tree in which `make build` has run, this one by default.
# WHOLE=1 builds programs in C++ for each LIBDIR. Without it they are built for one, because LIBDIR has the same effect on C.
# Ends with "installs: N passed, N failed" and names what a missing tool left untested.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "${1:-$here/../..}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

passed=0 failed=0
step() { # NAME COMMAND...
    if "${@:2}" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$1"
        tail -n 20 "$work/log" | sed 's/^/    /'
    fi
}
has() { command -v "$1" >/dev/null || { echo "NOT TESTED, for want of a tool: programs that are built by $1" && false; }; }

version=$(sed -n 's/^#define FRANKING_VERSION "\(.*\)"$/\1/p' "$root/include/franking.h")
major=${version%%.*}
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

with_pkg_config() { # LIBDIR KIND COMPILER SOURCE
    local flags
    export PKG_CONFIG_PATH=$1/pkgconfig
    if [ "$2" = static ]; then
        read -r -a flags <<<"$(pkg-config --static --cflags --libs franking) -static"
    else
        read -r -a flags <<<"$(pkg-config --cflags --libs franking)"
    fi
    "$3" "$here/consumer/$4" "${flags[@]}" -o "$work/program" && LD_LIBRARY_PATH=$1 "$work/program" || return 1
    needed "$work/program" >"$work/needed"
    if [ "$2" = static ]; then ! grep -q . "$work/needed"; else grep -qx "libfranking\.so\.$major" "$work/needed"; fi
}
with_cmake() { # LIBDIR PREFIX LANGUAGE...
    rm -rf "$work/build"
    local libdir=$1 prefix=$2 program programs=()
    for program in "${@:3}"; do programs+=("${program}_franking" "${program}_franking_static"); done
    cmake -S "$here/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/build" --target "${programs[@]}" || return 1
    grep -qx "franking_DIR:PATH=$libdir/cmake/franking" "$work/build/CMakeCache.txt" || return 1
    for program in "${programs[@]}"; do "$work/build/$program" || return 1; done
    # Like pkg-config, CMake links programs so that they find out at their start if the library lacks a function.
    needed "$work/build/c_franking" | grep -qx "libfranking\.so\.$major" &&
        readelf -d "$work/build/c_franking" | grep -qE '\(FLAGS\).*BIND_NOW|\(FLAGS_1\).*NOW'
}
install_as() { LIBDIR=$1 DESTDIR=${3:-} "$root/ffi/install.sh" "$2"; }

# Runs the commands and the lines of CMake that docs/library.md shows, as they are there. `make build` has run before.
block() { awk -v language="$1" '$0 == "```" language { open = 1; next } /^```$/ { open = 0 } open' "$root/docs/library.md"; }
page() {
    local line
    cp "$here/consumer/consumer.c" "$work/program.c" || return 1
    block sh | grep -v '^make build ' >"$work/commands"
    [ "$(wc -l <"$work/commands")" = 3 ] || return 1
    while read -r line; do
        line=${line/#sudo make /make -C "$root" }
        (export PKG_CONFIG_PATH=$work/page/lib/pkgconfig LD_LIBRARY_PATH=$work/page/lib && eval "${line//\/usr\/local/$work/page}" &&
            { [ ! -e program ] || ./program; }) || return 1
    done <"$work/commands"
    mkdir -p "$work/listed" && mv "$work/program.c" "$work/listed/" || return 1
    printf 'cmake_minimum_required(VERSION 3.13)\nproject(program C)\nadd_executable(program program.c)\n' >"$work/listed/CMakeLists.txt"
    block cmake >>"$work/listed/CMakeLists.txt"
    ! has cmake || { cmake -S "$work/listed" -B "$work/listed/build" -DCMAKE_PREFIX_PATH="$work/page" &&
        cmake --build "$work/listed/build" && "$work/listed/build/program"; }
}
step "the commands of docs/library.md" page

multiarch=$(gcc -print-multiarch 2>/dev/null)
for libdir in lib "lib/${multiarch:-deep}" "$work/elsewhere/lib"; do
    prefix=$work/prefix-${libdir//\//-}
    case $libdir in /*) absolute=$libdir found=$work/elsewhere ;; *) absolute=$prefix/$libdir found=$prefix ;; esac
    name=${libdir#"$work/"}
    languages=(c)
    if [ "$libdir" = lib ] || [ -n "${WHOLE:-}" ]; then languages+=(cpp); fi
    step "install, LIBDIR=$name" install_as "$libdir" "$prefix"
    if has pkg-config; then
        step "pkg-config, LIBDIR=$name, shared, C" with_pkg_config "$absolute" shared gcc consumer.c
        case " ${languages[*]} " in
        *" cpp "*) step "pkg-config, LIBDIR=$name, static, C++" with_pkg_config "$absolute" static g++ consumer.cpp ;;
        *) step "pkg-config, LIBDIR=$name, static, C" with_pkg_config "$absolute" static gcc consumer.c ;;
        esac
    fi
    if has cmake; then step "CMake, LIBDIR=$name" with_cmake "$absolute" "$found" "${languages[@]}"; fi
done

# GNU's tools give an absolute LIBDIR below PREFIX.
as_gnu() {
    install_as "$work/gnu/lib" "$work/gnu" && install_as lib "$work/plain" || return 1
    diff -r <(sed "s|$work/gnu|$work/plain|" "$work/gnu/lib/pkgconfig/franking.pc") "$work/plain/lib/pkgconfig/franking.pc" &&
        diff -r "$work/gnu/lib/cmake" "$work/plain/lib/cmake"
}
step "an absolute LIBDIR below PREFIX is as a relative one" as_gnu
moved() {
    mv "$work/gnu" "$work/moved" && with_cmake "$work/moved/lib" "$work/moved" c
}
if has cmake; then step "what was moved is found by CMake" moved; fi
staged() {
    install_as /usr/lib/multi/arch /usr "$work/stage" || return 1
    [ -f "$work/stage/usr/lib/multi/arch/libfranking.so.$version" ] && [ -f "$work/stage/usr/include/franking.hpp" ] &&
        [ "$(ls "$work/stage")" = usr ] && ! grep -rIl "$work" "$work/stage" | grep . &&
        grep -qx 'libdir=${prefix}/lib/multi/arch' "$work/stage/usr/lib/multi/arch/pkgconfig/franking.pc"
}
step "DESTDIR stands in no file" staged
unbuilt() { ! CARGO_TARGET_DIR=$work/none "$root/ffi/install.sh" "$work/none-prefix" && [ ! -e "$work/none-prefix" ]; }
step "without a build nothing is installed" unbuilt
asked_for() { cmake -S "$here/versions" -B "$work/versions" -DCMAKE_PREFIX_PATH="$work/plain" -DVERSION="$version" -DMAJOR="$major"; }
if has cmake; then step "CMake finds the versions that the ABI promises" asked_for; fi

printf 'installs: %d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
