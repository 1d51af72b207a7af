# Builds the Rust executor and says how to start it. Sourced by tests/executors/run.
build_rust() {
    local built
    # shellcheck source=tests/built.sh
    source "$root/tests/built.sh"
    built_with franking-executor
    executor=("$built/franking-executor")
}
