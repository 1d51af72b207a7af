#!/usr/bin/env bash
# Measures the package; franking_bench.py says what it prints. Builds what is missing below target/ without output, because
# standard output is for the answer alone. `tests/bench/` times the same contenders beside Rust, in one process each.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}

prepare() {
    # shellcheck source=python/build_wheel.sh
    source "$root/python/build_wheel.sh"
    build_wheel
    [ -x "$target/python-bench/bin/python" ] || "$venv/bin/python" -m venv "$target/python-bench"
    "$target/python-bench/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
    "$target/python-bench/bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$root"/target/wheels/franking-*.whl
}

prepare 1>&2 </dev/null
python=$target/python-bench/bin/python
(
    cd "$root"
    for program in workload repeat; do
        cargo build --quiet --release --package franking-bench --bin "$program"
    done
    "$target/release/workload" all "$target/bench/workloads"
) 1>&2 </dev/null
exec "$python" "$here/franking_bench.py" "$@"
