#!/usr/bin/env bash
# Mutation testing of the core: changes about SAMPLE places of the check, machine and text modules, one at a time, and
# counts how many of the changes the Rust tests notice. Takes hours for the whole, about half a minute for each change.
# SEED picks another sample; JOBS runs several at once. Survivors are listed in target/mutants.out/missed.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! cargo mutants --version >/dev/null 2>&1; then
    echo "NOT RUN: mutation testing needs cargo-mutants (cargo install cargo-mutants)" >&2
    exit "${IF_ABSENT:-0}"
fi

where=(--package franking --output target)
for path in 'core/src/check/**' core/src/call.rs core/src/selection.rs core/src/domains.rs core/src/recipients.rs \
    'core/src/text/**' 'core/src/wire/**'; do
    where+=(--file "$path")
done
all=$(cargo mutants --list "${where[@]}" | wc -l)
shards=$(((all + ${SAMPLE:=300} - 1) / SAMPLE))
shard=$((${SEED:=$RANDOM} % shards))
# Every so many-th change, so that all files are in the sample.
spread=()
if cargo mutants --help | grep -q -- --sharding; then spread=(--sharding round-robin); fi

echo "$all changes are possible; sample $shard of $shards, seed $SEED"
status=0
cargo mutants "${where[@]}" "${spread[@]}" --shard "$shard/$shards" --jobs "${JOBS:-1}" || status=$?
count() { wc -l <"target/mutants.out/$1.txt"; }
caught=$(($(count caught) + $(count timeout)))
missed=$(count missed)
echo "$caught passed, $missed failed"
# 2 and 3 say that some were missed or took too long: the share decides.
((status == 0 || status == 2 || status == 3)) || exit "$status"
((caught * 10 >= (caught + missed) * 9))
