# Builds the C executor and says how to start it. Sourced by tests/executors/run.
build_c() {
    local out built
    # shellcheck source=tests/built.sh
    source "$root/tests/built.sh"
    built_with franking-ffi
    out=$built/executors
    mkdir -p "$out"
    local sources=("$here"/c/*.c) newest
    newest=$(ls -t "${sources[@]}" "$here"/c/*.h "$root/include/franking.h" "$built/libfranking.a" | head -n 1)
    if [ ! -e "$out/c" ] || [ "$newest" -nt "$out/c" ]; then
        pkg-config --exists jansson || { echo "jansson is missing: apt-get install libjansson-dev" >&2; return 1; }
        # shellcheck disable=SC2046
        "${CC:-cc}" -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror -I"$root/include" "${sources[@]}" \
            "$built/libfranking.a" $(pkg-config --cflags --libs jansson) -lpthread -ldl -lm -o "$out/c"
    fi
    executor=("$out/c")
}
