# Builds the C++ executor and says how to start it. Sourced by tests/executors/run.
build_cpp() {
    local out newest built
    # shellcheck source=tests/built.sh
    source "$root/tests/built.sh"
    built_with franking-ffi
    out=$built/executors
    mkdir -p "$out"
    newest=$(ls -t "$here"/cpp/*.cpp "$here"/cpp/*.hpp "$root"/include/franking.h* "$root"/include/franking/* | head -n 1)
    # Compiling takes half a minute and does not depend on the library, which changes more often than the executor.
    if [ ! -e "$out/cpp.o" ] || [ "$newest" -nt "$out/cpp.o" ]; then
        echo '#include <nlohmann/json.hpp>' | "${CXX:-c++}" -x c++ -fsyntax-only - 2>/dev/null ||
            { echo "nlohmann/json is missing: apt-get install nlohmann-json3-dev" >&2; return 1; }
        "${CXX:-c++}" -std=c++17 -O2 -Wall -Wextra -Wpedantic -Werror -I"$root/include" -c "$here"/cpp/main.cpp \
            -o "$out/cpp.o"
    fi
    newest=$(ls -t "$out/cpp.o" "$built/libfranking.a" | head -n 1)
    if [ ! -e "$out/cpp" ] || [ "$newest" -nt "$out/cpp" ]; then
        "${CXX:-c++}" "$out/cpp.o" "$built/libfranking.a" -lpthread -ldl -lm -o "$out/cpp"
    fi
    executor=("$out/cpp")
}
