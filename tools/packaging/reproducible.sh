# Source this file with `root` set. After it, cargo builds the same bytes wherever the sources and its own folder are.
#
# RUSTFLAGS replaces the flags of .cargo/config.toml, so those flags are repeated first.
export RUSTFLAGS="${RUSTFLAGS:--Cllvm-args=-align-all-functions=6} --remap-path-prefix=$root=/franking --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
# Incremental builds divide the code into other units.
export CARGO_INCREMENTAL=0
