# Builds the wheel, installs it, and says how to start the Python executor. Sourced by tests/executors/run.
# shellcheck source=/dev/null
source "$root/python/build_wheel.sh"

build_python() {
    build_wheel
    executor=("$venv/bin/python" -I "$root/tests/executors/python/executor.py")
}
