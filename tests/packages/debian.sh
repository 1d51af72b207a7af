#!/usr/bin/env bash
# Builds the Debian packages of the last commit with Debian's own tools, and has programs decide a call with what is in them.
# Usage: tests/packages/debian.sh. Needs what tools/packaging/debian.sh needs. Ends with "N passed, N failed".
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/unoptimized.sh
source "$root/tests/unoptimized.sh"
export "${unoptimized[@]}"

built() {
    "$root/tools/packaging/sources.sh" "$work/dist" && DIST=$work/dist "$root/tools/packaging/debian.sh" "$work/debian" >"$work/log" 2>&1 || {
        tail -n 30 "$work/log"
        return 1
    }
}
installed() {
    local package libdir=$work/system/usr/lib/$(gcc -print-multiarch)
    for package in libfranking0 libfranking-dev python3-franking; do
        dpkg-deb -x "$work"/debian/"$package"_*.deb "$work/system" || return 1
    done
    gcc "$here/consumer/consumer.c" -I"$work/system/usr/include" -L"$libdir" -lfranking -o "$work/program" &&
        LD_LIBRARY_PATH=$libdir "$work/program" &&
        PYTHONPATH=$work/system/usr/lib/python3/dist-packages /usr/bin/python3 "$here/consumer/consumer.py"
}
built && echo "ok: the packages are built by Debian's tools, and lintian has no complaint" || { echo "0 passed, 1 failed"; exit 1; }
installed && echo "ok: programs in C and Python decide a call with what is in the packages" || { echo "1 passed, 1 failed"; exit 1; }
echo "2 passed, 0 failed"
