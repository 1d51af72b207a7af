"""Differential fuzzing of the languages; the core is fuzzed by the Rust program in `core`."""
