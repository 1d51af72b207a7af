#!/usr/bin/env bash
# Mutation testing of the core: changes a sample of places of the check, machine and text modules, one at a time, and
# counts how many of the changes the tests notice. Two stages, the quick one first: the vectors in the process of the
# Rust executor; what they miss then goes to the unit tests of the core. SHARDS is the share of all changes that is
# tried (7: every seventh, about 300), SHARD which of the shares. Takes 10 to 30 seconds for each change, so it is no
# part of make test. Survivors that have a reason stand in tests/coverage/survivors.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! cargo mutants --version >/dev/null 2>&1; then
    echo "NOT RUN: mutation testing needs cargo-mutants (cargo install cargo-mutants --locked)" >&2
    exit "${IF_ABSENT:-0}"
fi

out=$PWD/target/mutants
rm -rf "$out"
mkdir -p "$out"
export CARGO_PROFILE_DEV_DEBUG=0
# The largest vectors take most of the time and show nothing that others do not.
export FRANKING_WITHOUT=boundaries
unset CARGO_TARGET_DIR
where=(--package franking --file 'core/src/check/**' --file core/src/call.rs --file 'core/src/text/**')
common=(--baseline skip --jobs 1 --no-shuffle --timeout 120 --build-timeout 900)

stage() { # NAME ARGUMENTS...
    local name=$1 status=0
    shift
    nice -n 15 cargo mutants "${where[@]}" "${common[@]}" --output "$out/$name" "$@" || status=$?
    # 2 and 3 say that some were missed or took too long: the share decides.
    ((status == 0 || status == 2 || status == 3)) || exit "$status"
}
count() { cat "$out/$1/mutants.out/$2.txt" 2>/dev/null | wc -l; }

stage vectors --test-package franking-executor --sharding round-robin --shard "${SHARD:-3}/${SHARDS:-7}" -- --test vectors
caught=$(($(count vectors caught) + $(count vectors timeout)))
missed=$(count vectors missed)
if ((missed)); then
    # The names of what was missed, as patterns.
    patterns=()
    while IFS= read -r name; do
        patterns+=(--re "^$(sed 's/[][\.*^$+?(){}|&-]/\\&/g' <<<"$name")\$")
    done <"$out/vectors/mutants.out/missed.txt"
    stage units "${patterns[@]}" -- --lib
    caught=$((caught + $(count units caught) + $(count units timeout)))
    missed=$(count units missed)
    cat "$out/units/mutants.out/missed.txt"
fi
echo "$caught passed, $missed failed"
((caught * 10 >= (caught + missed) * 9))
