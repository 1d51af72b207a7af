#!/usr/bin/env bash
# The part of fuzzing, coverage and the server driver that belongs to every test run: fixed seeds and small counts. Prints
# only what fails. Ends with `N passed, N failed`. LANGUAGES names the languages to compare; by default, those whose executor
# is there, and the reference.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

source tests/fuzz/environment.sh
if [ -z "${LANGUAGES:-}" ]; then
    for language in rust c cpp python; do
        if [ -e "tests/executors/build_$language.sh" ]; then
            LANGUAGES+=" $language"
        else
            echo "NOT COMPARED: $language has no tests/executors/build_$language.sh"
        fi
    done
    LANGUAGES+=" reference"
fi
read -ra languages <<<"$LANGUAGES"

passed=0 failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# Runs a part, which ends with `N passed, N failed` or as unittest does.
part() {
    local name=$1 status=0 good=0 bad=0
    shift
    nice -n 5 "$@" >"$output" 2>&1 || status=$?
    if [[ $(tail -n 1 "$output") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
    elif [[ $(grep -E '^Ran [0-9]+ test' "$output" | tail -n 1) =~ ^Ran\ ([0-9]+) ]]; then
        good=${BASH_REMATCH[1]}
        if ((status)); then
            bad=$(grep -cE '^(FAIL|ERROR): ' "$output" || true)
            good=$((good > bad ? good - bad : 0))
        fi
    fi
    # A part that ends with an error, or prints no counts, has failed.
    if ((status != 0 && bad == 0)) || ((good + bad == 0)); then bad=$((bad + 1)); fi
    if ((bad)); then
        echo "--- $name"
        cat "$output"
    fi
    passed=$((passed + good)) failed=$((failed + bad))
}

# shellcheck source=tests/built.sh
source tests/built.sh
built_with franking-fuzz
fuzz=$built/franking-fuzz
part "the core, generated input" "$fuzz" run tests/vectors cases=2000 seed=1
part "the languages, one stream" env PYTHONPATH=tests "$python" -m fuzz.languages --cases 2000 --seed franking "${languages[@]}"
part "the core's links and the reference's" env PYTHONPATH=tests "$python" -m fuzz.links --cases 1500 --seed reference --shown 3 --patience 3 rust
part "documents in documents" env PYTHONPATH=tests "$python" -m fuzz.nested --cases 6000 --seed franking rust
part "the comparison of links" "$python" -m unittest tests/fuzz/test_links.py
part "the comparison of languages" "$python" -m unittest tests/fuzz/test_languages.py
part "the page on conformance" "$python" -m unittest tests/fuzz/test_documented.py
part "the driver for servers" "$python" -m unittest tests/server/test_drive.py
part "what the vectors cover" "$python" tests/coverage/corpus.py

echo "$passed passed, $failed failed"
((failed == 0))
