# Source this file in scripts that test whether a release can be built, works, and is the same when it is built twice.
# Optimization does not matter for that, and takes most of the time of a build.
#
# `unoptimized` has the variables that turn it off: `export "${unoptimized[@]}"`, or `env "${unoptimized[@]}" COMMAND`.
# shellcheck disable=SC2034
unoptimized=(CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16)
