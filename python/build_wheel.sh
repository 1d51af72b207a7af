# Builds the Python package and installs it in virtual environments. Source this file.
#
# PYTHON names the interpreter, 3.11 or later. If BUILT_FOR_TESTS (tests/built.sh) is set, the native module is in that
# folder already. It is then installed with the package's files, and no wheel is built.

# Sets `venv`, the virtual environment .venv, and installs the package in it if something has changed.
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
    # The lock is held until this function returns.
    lock_wheel
    if [ -n "${BUILT_FOR_TESTS:-}" ]; then
        sum=$(cat "$BUILT_FOR_TESTS/lib_franking.so" "$root"/python/src/franking/*.py* | sha256sum)
    else
        [ -x "$venv/bin/maturin" ] || "$venv/bin/pip" install --quiet --disable-pip-version-check \
            --requirement "$root/python/requirements-build.txt"
        rm -rf "$root/target/wheels"
        (cd "$root/python" && "$venv/bin/maturin" build --quiet --release --locked --out "$root/target/wheels") \
            2>"$venv/franking-build.log" || {
            cat "$venv/franking-build.log" >&2
            return 1
        }
        wheel=("$root"/target/wheels/franking-*-cp311-abi3-*.whl)
        sum=$(sha256sum "${wheel[0]}")
    fi
    if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$sum" ]; then
        install_locked "$venv/bin/python" || return 1
        echo "$sum" >"$stamp"
    fi
    exec {lock}>&-
}

# Waits until no other process builds or installs, and sets `lock`. Another build would remove the wheel before it is installed.
lock_wheel() {
    exec {lock}>"$venv/franking-build.lock"
    ! command -v flock >/dev/null || flock "$lock"
}

# install_wheel PYTHON: installs the output of build_wheel in the environment of this interpreter.
install_wheel() {
    local lock status=0
    lock_wheel
    install_locked "$1" || status=$?
    exec {lock}>&-
    return "$status"
}

install_locked() { # PYTHON
    local root site command wheel
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    # An installation of the other kind may be there. pip removes only what it has written itself.
    site=$("$1" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
    rm -rf "$site"/franking "$site"/franking-*.dist-info
    if [ -n "${BUILT_FOR_TESTS:-}" ]; then
        "$1" "$root/tools/packaging/install_python.py" "$site" "$BUILT_FOR_TESTS" || return 1
        # pip writes the command with its entry point. This one looks the entry point up.
        command=$("$1" -c 'import sysconfig; print(sysconfig.get_path("scripts"))')/franking
        printf '#!%s\nimport sys\nfrom importlib.metadata import entry_points\n\nsys.exit(entry_points(group="console_scripts")["franking"].load()())\n' \
            "$1" >"$command"
        chmod +x "$command"
    else
        wheel=("$root"/target/wheels/franking-*-cp311-abi3-*.whl)
        "$1" -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall "${wheel[0]}"
    fi
}
