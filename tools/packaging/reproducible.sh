# Sourced, with `root` set: from here on cargo builds the same bytes wherever the sources and its own folder are.
#
# RUSTFLAGS replaces the flags of .cargo/config.toml, so these are repeated first.
export RUSTFLAGS="${RUSTFLAGS:--Cllvm-args=-align-all-functions=6} --remap-path-prefix=$root=/franking --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
# Incremental builds cut the code into other units.
export CARGO_INCREMENTAL=0
