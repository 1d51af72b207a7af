#!/usr/bin/env bash
# Builds the wheel and tests it as users get it, in a virtual environment of its own. Then tests the source distribution and
# `pip install ./python`. Everything is installed below target/. Ends with `N passed, N failed`.
#
# PYTHON names the interpreter, 3.11 or later. Other interpreters that are found test the same wheel (FRANKING_PYTHONS names
# them; if it is empty, there are none); free-threaded ones get a wheel of their own. With BUILT_FOR_TESTS (tests/built.sh)
# the package in that folder is tested: no wheel is built, and the source distribution and the folder are not tested.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(cd .. && pwd)

steps=0
step() { printf -- '--- %s\n' "$*"; steps=$((steps + 1)); }

step "Wheel"
# shellcheck source=python/build_wheel.sh
source ./build_wheel.sh
build_wheel

fresh=$root/target/python-tests
mkdir -p "$fresh"
# The tests must not find the source tree or files of an earlier run.
unset PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PYRIGHT_PYTHON_IGNORE_WARNINGS=1

step "Virtual environment"
bin=$fresh/venv/bin
# The packages for the tests are installed again when their list has changed. The package itself is always installed.
if ! cmp --quiet requirements-test.txt "$fresh/installed.txt"; then
    rm -rf "$fresh/venv"
    "$venv/bin/python" -m venv "$fresh/venv"
    "$bin/pip" install --quiet --requirement requirements-test.txt
    cp requirements-test.txt "$fresh/installed.txt"
fi
install_wheel "$bin/python"
"$bin/python" -c '
import sys, franking
sys.exit(not franking.__file__.startswith(sys.prefix) and f"{franking.__file__} is not the installed package")'

step "Lints and types"
"$bin/ruff" check --no-cache --quiet src tests ../examples/python benchmarks ../tests/executors/python ../tests/executors/json
"$bin/ruff" format --no-cache --quiet --check src tests ../examples/python benchmarks ../tests/executors/python ../tests/executors/json
export MYPY_CACHE_DIR=$fresh/mypy
"$bin/mypy" --no-error-summary src
# The checks use the installed package, as users do.
"$bin/mypy" --no-error-summary tests ../examples/python ../tests/executors/python
"$bin/pyright" --pythonpath "$bin/python" --level error
"$bin/python" -m mypy.stubtest franking

# `make test` draws the same random arguments each time. The tests of a wheel draw others.
drawn=()
[ -z "${BUILT_FOR_TESTS:-}" ] || drawn=(--hypothesis-seed=1)

step "Tests"
"$bin/python" -W error -m pytest -W error "${drawn[@]}"

# The wheel's ABI is that of CPython 3.11 and later.
for other in ${FRANKING_PYTHONS-python3.12 python3.13 python3.14 python3.14t}; do
    if [ "$("$other" -c 'import sys; print(sys.version_info >= (3, 11))' 2>/dev/null)" != True ]; then
        continue
    fi
    step "The same with $other"
    further=$fresh/further-$(basename "$other")
    rm -rf "$further"
    "$other" -m venv "$further"
    "$further/bin/pip" install --quiet --requirement requirements-test-small.txt
    if [ "$("$other" -c 'import sysconfig; print(sysconfig.get_config_var("Py_GIL_DISABLED") or 0)')" = 1 ]; then
        # A build for another interpreter is in another folder, so that cargo keeps the wheel that it has built.
        "$venv/bin/maturin" build --quiet --release --target-dir "$fresh/free-threaded" --interpreter "$other" --out "$further/wheels"
        "$further/bin/pip" install --quiet "$further"/wheels/*.whl
    else
        install_wheel "$further/bin/python"
    fi
    "$further/bin/python" -W error -m pytest -W error "${drawn[@]}" --ignore tests/test_examples.py --ignore tests/test_fastapi.py \
        --ignore tests/test_typing.py --ignore tests/test_webhook_others.py --ignore tests/test_arrow.py
done

if [ -z "${BUILT_FOR_TESTS:-}" ]; then
    rm -rf "$fresh/sdist" "$fresh/from-sdist" "$fresh/pip"
    # The wheel above is tested as it is optimized. Here it matters only whether it can be built. A folder of its own keeps
    # cargo from building the wheel anew after it, for the interpreter of another environment.
    # shellcheck source=tests/unoptimized.sh
    source "$root/tests/unoptimized.sh"
    export CARGO_TARGET_DIR=$fresh/target "${unoptimized[@]}"
    step "Source distribution"
    "$venv/bin/maturin" sdist --out "$fresh/sdist" >"$fresh/sdist.log" 2>&1 || {
        cat "$fresh/sdist.log" >&2
        exit 1
    }
    # The source distribution is unpacked elsewhere, away from the repository.
    PATH="$venv/bin:$PATH" "$venv/bin/pip" wheel --quiet --no-deps --no-build-isolation \
        --wheel-dir "$fresh/from-sdist" "$fresh"/sdist/franking-*.tar.gz
    "$bin/pip" install --quiet --no-deps --force-reinstall "$fresh"/from-sdist/franking-*.whl
    "$bin/franking" --version
    "$bin/python" -W error -m pytest -W error tests/test_decide.py tests/test_tables.py

    step "pip install ./python"
    "$venv/bin/python" -m venv "$fresh/pip"
    (cd "$root" && "$fresh/pip/bin/pip" install --quiet ./python)
    "$fresh/pip/bin/franking" --version
fi

echo "$steps passed, 0 failed"
