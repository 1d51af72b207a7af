# Builds the C library and says how to start the executor that uses its JSON functions. Sourced by tests/executors/run.
build_json() {
    local built python
    # shellcheck source=tests/built.sh
    source "$root/tests/built.sh"
    built_with franking-ffi
    cd "$root"
    # shellcheck source=tests/fuzz/environment.sh
    source tests/fuzz/environment.sh
    executor=("$python" "$here/json/executor.py" "$built/libfranking.so")
}
