#!/usr/bin/env bash
# Runs the driver for servers against the example hosts of this repository, over HTTP and a database, in both worlds. Prints
# only what fails. Ends with `N passed, N failed`. EVERY=N takes one vector in N.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD

# shellcheck source=python/build_wheel.sh
source python/build_wheel.sh
build_wheel
environment=$root/target/server-tests
[ -x "$environment/bin/python" ] || "$venv/bin/python" -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement tests/server/requirements.txt
install_wheel "$environment/bin/python"

work=$(mktemp -d)
server=
cleanup() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT
passed=0 failed=0

# Drives the server at the address in a file, and then stops the server.
drive() { # NAME ADDRESS-FILE ARGUMENTS...
    local name=$1 address=$2 status=0 good=0 bad=1
    shift 2
    # clock: until the server has written its address, or has ended; how long that takes does not matter
    while [ ! -s "$address" ] && kill -0 "$server" 2>/dev/null; do sleep 0.1; done
    python3 tests/server/drive.py "$(cat "$address")" --every "${EVERY:-1}" "$@" >"$work/output" 2>&1 || status=$?
    if [[ $(tail -n 1 "$work/output") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        good=${BASH_REMATCH[1]} bad=${BASH_REMATCH[2]}
        ((status == 0 || bad > 0)) || bad=1
    fi
    echo "$name: $good passed, $bad failed"
    ((bad == 0)) || cat "$work/output"
    passed=$((passed + good)) failed=$((failed + bad))
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    server=
}

worlds=(world world-refusing)
for world in "${worlds[@]}"; do
    "$environment/bin/python" tests/server/load.py python "tests/server/$world.json" "$work/$world.db" "$work/$world.url" &
    server=$!
    drive "examples/python/service.py, $world" "$work/$world.url" --world "tests/server/$world.json" --accepted
done

if echo '#include <httplib.h>' | "${CXX:-c++}" -x c++ -fsyntax-only - 2>/dev/null && pkg-config --exists sqlite3; then
    # shellcheck source=tests/built.sh
    source tests/built.sh
    built_with franking-ffi
    "${CXX:-c++}" -std=c++17 -O1 -Iinclude examples/cpp/host.cpp "$built/libfranking.a" \
        $(pkg-config --cflags --libs sqlite3 cpp-httplib 2>/dev/null || echo -lsqlite3) -lpthread -ldl -lm -o "$work/host"
    for world in "${worlds[@]}"; do
        "$work/host" init "$work/cpp-$world.db"
        python3 tests/server/load.py cpp "tests/server/$world.json" "$work/cpp-$world.db"
        "$work/host" serve "$work/cpp-$world.db" "$work/outbox" 0 >"$work/cpp-$world.url" 2>"$work/cpp-$world.log" &
        server=$!
        drive "examples/cpp/host.cpp, $world" "$work/cpp-$world.url" --world "tests/server/$world.json" --accepted
    done
else
    echo "NOT CHECKED: examples/cpp/host.cpp needs libcpp-httplib-dev and libsqlite3-dev"
fi

echo "$passed passed, $failed failed"
((failed == 0))
