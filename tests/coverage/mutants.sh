#!/usr/bin/env bash
# Mutation testing of the core: draws a random sample of changes to the rules, the machine and the text modules, makes one at
# a time, and counts how many the tests notice. The quick stage comes first: the vectors in the process of the Rust executor.
# The changes that the vectors miss are tried with the unit and integration tests of the core.
#
#   SAMPLE=n     the number of changes to draw (400); about a fifth does not compile and is not counted
#   SEED=text    decides which changes are drawn; a larger SAMPLE of one seed contains the smaller ones
#   NAMES=file   takes the changes in this file instead, one name on each line as `cargo mutants --list` shows them
#
# A change takes about 15 seconds, and about a minute more if the vectors miss it, so it is not part of make test. Survivors with a
# reason are listed in tests/coverage/survivors.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! cargo mutants --version >/dev/null 2>&1; then
    echo "NOT RUN: mutation testing needs cargo-mutants (cargo install cargo-mutants --locked)" >&2
    exit "${IF_ABSENT:-0}"
fi

out=$PWD/target/mutants
mkdir -p "$out"
rm -rf "$out/vectors" "$out/tests"
# The largest vectors take most of the time and show nothing that other vectors do not show.
export FRANKING_WITHOUT=boundaries
tests=(--lib --test behaviour)

export CARGO_TARGET_DIR=$out/build
# The last run left a build of changed sources. Cargo compares times only, and would take it for a build of these sources.
cargo clean --quiet --package franking
# Tests that fail without a change would say nothing about changes.
cargo test --quiet --package franking-executor --test vectors
cargo test --quiet --package franking "${tests[@]}"

where=(--package franking)
for name in text call check domains facts http_send_mail plan send_mailer; do
    where+=(--file "core/src/$name/**")
done
for name in account call check column commit content decision domains ending facts plan preflight questions transcript transport; do
    where+=(--file "core/src/$name.rs")
done
cargo mutants "${where[@]}" --list >"$out/all.txt"
if [[ -n ${NAMES:-} ]]; then
    cp "$NAMES" "$out/sample.txt"
else
    python3 - "$out/all.txt" "${SEED:-franking}" "${SAMPLE:-400}" >"$out/sample.txt" <<'PYTHON'
import random
import sys

path, seed, count = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    names = file.read().splitlines()
random.Random(seed).shuffle(names)
print(*names[:int(count)], sep="\n")
PYTHON
fi
echo "$(wc -l <"$out/sample.txt") of $(wc -l <"$out/all.txt") changes"

# clock: for a change that waits forever without taking processor time
limits=(--timeout 900 --build-timeout 900)
# Prints a diff that adds the lines on which the changes in the file NAMES begin. Patterns do not apply to changes of the kind
# `delete field`: without the diff, all of these would be made in each file.
lines_of() { # NAMES
    python3 - "$1" <<'PYTHON'
import collections
import difflib
import sys

lines = collections.defaultdict(set)
with open(sys.argv[1], encoding="utf-8") as names:
    for name in names:
        path, line, _ = name.split(":", 2)
        lines[path].add(int(line))
for path, added in lines.items():
    with open(path, encoding="utf-8") as file:
        after = file.readlines()
    before = [line for number, line in enumerate(after, 1) if number not in added]
    sys.stdout.writelines(difflib.unified_diff(before, after, f"a/{path}", f"b/{path}", n=0))
PYTHON
}
stage() { # NAME CPU-SECONDS NAMES ARGUMENTS...
    local name=$1 seconds=$2 status=0 patterns=() mutant
    while IFS= read -r mutant; do
        patterns+=(--re "^$(sed 's/[][\.*^$+?(){}|&-]/\\&/g' <<<"$mutant")\$")
    done <"$3"
    lines_of "$3" >"$out/$name.diff"
    shift 3
    # An endless loop is stopped by its processor time or its memory, so that a busy machine does not stop other changes.
    local runner
    runner=CARGO_TARGET_$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')_RUNNER
    # Incremental builds compile again only what a change touches.
    # clock: a change that loops forever is noticed by that; the limits are far above what any test takes
    env CARGO_INCREMENTAL=1 "$runner=prlimit --cpu=$seconds --as=8000000000" \
        nice -n 10 cargo mutants --package franking --in-diff "$out/$name.diff" "${patterns[@]}" --baseline skip --jobs 1 "${limits[@]}" \
        --output "$out/$name" "$@" || status=$?
    # 2 and 3 mean that some changes were missed or took too long. The share decides about those.
    ((status == 0 || status == 2 || status == 3)) || exit "$status"
}
# Prints the changes that tests/coverage/survivors.md does not list, wherever in their file they are.
unlisted() { # NAMES
    python3 - "$1" tests/coverage/survivors.md <<'PYTHON'
import html
import re
import sys

names, survivors = sys.argv[1:]
with open(survivors, encoding="utf-8") as file:
    listed = {html.unescape(change) for change in re.findall(r"^\| <code>(.*?)</code> \|", file.read(), re.MULTILINE)}
with open(names, encoding="utf-8") as file:
    for name in file.read().splitlines():
        if re.sub(r":\d+:\d+", "", name, count=1) not in listed:
            print(name)
PYTHON
}
# Only the changes of the sample count.
of_sample() { { cat "$out/$1/mutants.out/$2.txt" 2>/dev/null || true; } | { grep -Fxf "$out/sample.txt" || true; }; }
count() { of_sample "$@" | wc -l; }

stage vectors 30 "$out/sample.txt" --test-package franking-executor --cargo-arg=--test=vectors
by_vectors=$(($(count vectors caught) + $(count vectors timeout)))
of_sample vectors missed >"$out/unnoticed.txt"
unlisted "$out/unnoticed.txt" >"$out/missed.txt"
by_tests=0 missed=0
if [ -s "$out/missed.txt" ]; then
    stage tests 90 "$out/missed.txt" "${tests[@]/#/--cargo-arg=}"
    by_tests=$(($(count tests caught) + $(count tests timeout)))
    missed=$(count tests missed)
    of_sample tests missed
fi
caught=$((by_vectors + by_tests))
echo "$(count vectors unviable) do not compile; $by_vectors were noticed by the vectors, $by_tests by other tests"
echo "$caught passed, $missed failed"
((caught * 10 >= (caught + missed) * 9))
