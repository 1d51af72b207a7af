#!/usr/bin/env bash
# Builds every program in README.md, docs/c.md, docs/cpp.md and docs/events.md against an installed library, runs it, and compares its
# output.
# Usage: tests/c/docs.sh PREFIX
set -euo pipefail

prefix=${1:?usage: tests/c/docs.sh PREFIX}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib

# <!-- file: NAME --> and <!-- output: NAME --> name the next block of code.
awk -v work="$work" '
    /^<!-- (file|output): .* -->$/ { name = $3; if ($2 == "output:") name = name ".expected"; next }
    /^```/ && name != "" { if (open) { close(work "/" name); name = ""; open = 0 } else { open = 1 } next }
    open { print > (work "/" name) }
' "$root/README.md" "$root/docs/c.md" "$root/docs/cpp.md" "$root/docs/events.md"

cd "$work"
count=0
for program in *.c *.cpp; do
    case $program in
    *.cpp) compiler=(g++ -std=c++17) ;;
    *) compiler=(gcc -std=c11) ;;
    esac
    # shellcheck disable=SC2046
    "${compiler[@]}" -Wall -Wextra -Wpedantic -Werror "$program" $(pkg-config --cflags --libs franking) -o "$program.out"
    "./$program.out" >"$program.got"
    diff "$program.expected" "$program.got"
    count=$((count + 1))
done
[ "$count" -ge 10 ] || { echo "the pages have lost programs: $count"; exit 1; }
echo "docs: $count programs print what is written"
