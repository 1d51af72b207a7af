# Builds the Rust executor and says how to start it. Sourced by tests/executors/run.
build_rust() {
    cargo build --quiet --release --manifest-path "$root/Cargo.toml" --package franking-executor
    executor=("${CARGO_TARGET_DIR:-$root/target}/release/franking-executor")
}
