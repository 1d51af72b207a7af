#!/usr/bin/env bash
# Builds the wheel into target/wheels and installs it in the virtual environment .venv, both only when something has
# changed. Sourced; sets `venv`. PYTHON names the interpreter, 3.11 or later.

build_wheel() {
    local root wheel sum stamp lock
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    venv=${FRANKING_VENV:-$root/.venv}
    stamp=$venv/franking-wheel.sum
    if [ ! -x "$venv/bin/python" ]; then
        "${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
            echo "Python 3.11 or later is needed: name it in PYTHON" >&2
            return 1
        }
        "${PYTHON:-python3}" -m venv "$venv"
    fi
    # Two that build at once would take each other's library away. Held until this returns.
    exec {lock}>"$venv/franking-build.lock"
    ! command -v flock >/dev/null || flock "$lock"
    [ -x "$venv/bin/maturin" ] || "$venv/bin/pip" install --quiet --disable-pip-version-check \
        --requirement "$root/python/requirements-build.txt"
    rm -rf "$root/target/wheels"
    (cd "$root/python" && "$venv/bin/maturin" build --quiet --release --locked --out "$root/target/wheels") \
        2>"$venv/franking-build.log" || {
        cat "$venv/franking-build.log" >&2
        return 1
    }
    wheel=("$root"/target/wheels/franking-*.whl)
    sum=$(sha256sum "${wheel[0]}" | cut -d ' ' -f 1)
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$sum" ]; then
        "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "${wheel[0]}"
        echo "$sum" >"$stamp"
    fi
    exec {lock}>&-
}
