#!/usr/bin/env bash
# Tests the C and C++ libraries: header, ABI, behaviour, faults, memory, threads, installing, examples.
# Usage: tests/c/run.sh. Ends with "N passed, N failed" and names what a missing tool left untested.
# WHOLE=1 takes all vectors, and adds the tests that take long: those that have to build the library or the C++ tests once more,
# those of 100 MB, those of each way of installing, and threads under valgrind.
# BUILT_FOR_TESTS names the folder of a development build, which is then tested in place of the release build (tests/built.sh).
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root" || exit 1

passed=0 failed=0 skipped=()
strict=(-Wall -Wextra -Wpedantic -Werror)
native=(-lpthread -ldl -lm)

# step NAME COMMAND...: counts one step. If it fails, its output is shown.
step() {
    local name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        grep -hE '^[a-z+ ]+: [0-9]+ passed|^NOT TESTED|^instructions of' "$work/log" | sed 's/^/  /' || true
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$name"
        head -n 20 "$work/log" | sed 's/^/    /'
        tail -n +21 "$work/log" | tail -n 20 | sed 's/^/    /'
    fi
}
has() { command -v "$1" >/dev/null; }
skip() { skipped+=("$1"); }
section() { printf '== %s\n' "$*"; }

section "build"
# The library with the switch for faults, which also counts allocations. It is never shipped.
faults=${BUILT_FOR_TESTS:-$target/debug}/libfranking.a
library=${BUILT_FOR_TESTS:-$target/release}
static=$library/libfranking.a
shared=$library/libfranking.so
if [ -z "${BUILT_FOR_TESTS:-}" ]; then
    step "the library" tests/build_release.sh
    step "the library with the switch for faults" cargo build --quiet --package franking-ffi --features test-panic,bench
fi
whole=${WHOLE:-}
[ -z "$whole" ] || [ -z "${BUILT_FOR_TESTS:-}" ] || { echo "WHOLE=1 tests the release build: leave out BUILT_FOR_TESTS"; exit 2; }
every=16
[ -z "$whole" ] || every=1
[ -e "$static" ] && [ -e "$shared" ] || { echo "the library was not built"; exit 1; }

section "header and ABI"
tools=(cargo run --quiet --package franking-tools --)
[ -z "${BUILT_FOR_TESTS:-}" ] || tools=("$BUILT_FOR_TESTS/franking-tools")
step "header, constants and abi.txt are not stale" "${tools[@]}" header --check
compilers_c=() compilers_cpp=()
for compiler in gcc clang; do if has $compiler; then compilers_c+=($compiler); else skip "$compiler: headers"; fi; done
for compiler in g++ clang++; do if has $compiler; then compilers_cpp+=($compiler); else skip "$compiler: headers"; fi; done
one='#include "franking.h"
#include "franking.h"
int32_t one(void); int32_t one(void) { return FRANKING_STATUS_OK; }'
two='#include "franking.h"
int32_t one(void); int main(void) { return one(); }'
printf '%s\n' "$one" >"$work/one.c"
printf '%s\n' "$two" >"$work/two.c"
sed 's/(void)/()/g; s/int32_t one();/extern "C++" int32_t one();/' "$work/one.c" >"$work/one.cpp"
sed 's/(void)/()/g; s/int32_t one();/extern "C++" int32_t one();/' "$work/two.c" >"$work/two.cpp"
sed 's/franking\.h/franking.hpp/' "$work/one.cpp" >"$work/one_hpp.cpp"
sed 's/franking\.h/franking.hpp/' "$work/two.cpp" >"$work/two_hpp.cpp"
sed 's/franking\.h/franking_tools.h/' "$work/one.c" >"$work/one_tools.c"
for compiler in "${compilers_c[@]}"; do
    for standard in c99 c11 c17 c2x; do
        step "franking.h as $standard with $compiler" "$compiler" -std=$standard "${strict[@]}" -Wstrict-prototypes \
            -Iinclude "$work/one.c" "$work/two.c" -o "$work/out"
        step "franking_tools.h as $standard with $compiler" "$compiler" -std=$standard "${strict[@]}" -Wstrict-prototypes \
            -Iinclude "$work/one_tools.c" "$work/two.c" -o "$work/out"
    done
    step "the layout as $compiler has it" "$compiler" -std=c11 "${strict[@]}" -Iinclude -fsyntax-only tests/c/layout.c
done
plain_ffi() { # it has nothing for a preprocessor, and the same declarations as franking.h
    ! grep -q '#' include/franking_json.h &&
        printf '#include <stddef.h>\n#include <stdint.h>\n#include "franking.h"\n#include "franking_json.h"\n' |
        gcc -std=c11 "${strict[@]}" -Iinclude -fsyntax-only -x c -
}
step "franking_json.h needs no preprocessor" plain_ffi
c90_comments() { # the preprocessor of C90 refuses all other comments
    printf '#include <franking_tools.h>\n' | gcc -std=c90 -pedantic-errors -Iinclude -E -x c - >/dev/null
}
step "comments are those of C90" c90_comments
for compiler in "${compilers_cpp[@]}"; do
    for standard in c++11 c++14 c++17 c++20; do
        step "franking.h as $standard with $compiler" "$compiler" -std=$standard "${strict[@]}" -Iinclude \
            "$work/one.cpp" "$work/two.cpp" -o "$work/out"
    done
    # Each of these compilations takes seconds: a run of all parts has the oldest standard with one compiler, and the newest with the other.
    standards=(c++17 c++20 c++2b)
    [ -n "$whole" ] || case $compiler in g++) standards=(c++17) ;; *) standards=(c++2b) ;; esac
    for standard in "${standards[@]}"; do
        step "franking.hpp as $standard with $compiler" "$compiler" -std=$standard "${strict[@]}" -Wshadow -Wconversion \
            -Iinclude "$work/one_hpp.cpp" "$work/two_hpp.cpp" "$static" "${native[@]}" -o "$work/out"
    done
    step "the layout as $compiler has it" "$compiler" -std=c++17 "${strict[@]}" -Iinclude -fsyntax-only -x c++ tests/c/layout.c
    step "franking.hpp without exceptions with $compiler" "$compiler" -std=c++17 -fno-exceptions "${strict[@]}" \
        -Iinclude -fsyntax-only "$work/one_hpp.cpp"
done

symbols_equal() {
    nm -D --defined-only "$shared" | awk '{print $3}' | sort >"$work/exported"
    # The development build has functions for tests as well. The release build, which is shipped, has none.
    [ "$library" = "$target/release" ] || sed -i '/^franking_\(bench\|test\)_/d' "$work/exported"
    grep -oE '\bfranking_[a-z0-9_]+\(' ffi/abi.txt | tr -d '(' | sort -u >"$work/declared"
    diff "$work/declared" "$work/exported"
}
step "exported symbols are the declared ones, and no others" symbols_equal
soname() { readelf -d "$shared" | grep "SONAME.*libfranking\.so\.$(sed -n 's/#define FRANKING_VERSION_MAJOR //p' include/franking.h)\]"; }
step "the shared library has its SONAME" soname
version_equal() {
    local cargo
    cargo=$(cargo metadata --no-deps --format-version 1 | python3 -c '
import json, sys
print(next(p["version"] for p in json.load(sys.stdin)["packages"] if p["name"] == "franking"))')
    grep -qx "#define FRANKING_VERSION \"$cargo\"" include/franking.h
}
step "the header's version is Cargo's" version_equal

section "behaviour"
step "calls of every function are written" sh -c "python3 tests/c/generate_calls.py ffi/abi.txt >'$work/calls.inc'"
c_tests=(calls behaviour texts sizes at_once json tools once threads promises columns)
c_flags=(-std=c11 -g "${strict[@]}" -Iinclude -I"$work")
for test in "${c_tests[@]}"; do
    step "$test builds" gcc "${c_flags[@]}" "tests/c/$test.c" "$static" "${native[@]}" -o "$work/$test"
    step "$test" "$work/$test"
done
step "a commit that never returns" "$work/once" escape
step "process builds" gcc "${c_flags[@]}" tests/c/process.c "$static" "${native[@]}" -o "$work/process"
mkdir "$work/copies" && cp "$shared" "$work/copies/one.so" && cp "$shared" "$work/copies/two.so"
step "process" "$work/process" "$work/copies/one.so" "$work/copies/two.so"
# Its inputs are so large that the development build takes long for them. The program is not named memory: the folder is
# searched for headers, and C++ has a header of that name.
if [ -n "$whole" ]; then
    step "no_memory builds" gcc "${c_flags[@]}" tests/c/no_memory.c "$static" "${native[@]}" -o "$work/no_memory"
    step "no_memory" "$work/no_memory"
fi
switches() { # a switch over all constants of each family does not compile if a number has two names
    local family
    echo '#include "franking.h"'
    for family in CODE RULE STATUS STEP CONFLICT COMMIT FAILURE BLACKLISTED WARNING RETRY EVENT JUDGEMENT ROUTE DOMAIN_ROLE; do
        printf 'int32_t %s(int32_t);\nint32_t %s(int32_t number) {\n    switch (number) {\n' "in_$family" "in_$family"
        awk -v family="FRANKING_${family}_" '$1 == "const" && index($2, family) == 1 { print "    case " $2 ": return 1;"; found++ }
            END { if (!found) print "    #error no constants" }' ffi/abi.txt
        printf '    default: return 0;\n    }\n}\n'
    done
}
switches >"$work/switches.c"
step "a program can switch over the constants of each family" gcc "${c_flags[@]}" -c "$work/switches.c" -o "$work/switches.o"
step "cpp builds" g++ -std=c++17 -g "${strict[@]}" -Iinclude tests/cpp/tests.cpp "$static" "${native[@]}" -o "$work/cpp"
step "cpp" "$work/cpp"
step "decided builds" g++ -std=c++17 -g "${strict[@]}" -Iinclude tests/cpp/decided.cpp "$static" "${native[@]}" -o "$work/decided"
step "decided" "$work/decided"
step "faults build" gcc "${c_flags[@]}" -DTEST_PANIC tests/c/calls.c "$faults" \
    "${native[@]}" -o "$work/faults"
step "faults" "$work/faults"
step "promises with faults build" gcc "${c_flags[@]}" -DTEST_PANIC tests/c/promises.c "$faults" "${native[@]}" -o "$work/promises-faults"
step "promises with faults" "$work/promises-faults"
step "a program that throws through C builds" g++ -std=c++17 "${strict[@]}" -Iinclude tests/cpp/escape.cpp "$static" "${native[@]}" -o "$work/escape"
escapes() { # the shell prints the signal, the runtime the exception
    local way
    for way in 0 1 2 3 4 5 6; do
        echo "way $way"
        ! "$work/escape" $way 2>"$work/escaped" && grep -q 'foreign exception' "$work/escaped" || return 1
    done
}
step "an exception through a function of the host ends in a message" escapes
ended_threads() { # glibc ends a thread as an exception that may not be stopped, and writes the message; or the runtime does
    local way
    for way in thread-in-c thread-in-cpp; do
        echo "$way"
        ! LIBC_FATAL_STDERR_=1 "$work/escape" $way 2>"$work/escaped" &&
            grep -q 'exception not rethrown\|foreign exception' "$work/escaped" || return 1
    done
}
if getconf GNU_LIBC_VERSION >/dev/null 2>&1; then
    step "a thread that ends in a function of the host ends the process with a message" ended_threads
else
    skip "glibc: threads that end in a function of the host"
fi
# A system with pointers of 32 bits. Its standard libraries need not be there: the refusal comes before anything needs them,
# so that empty ones will do.
narrow=$work/narrow
mkdir "$narrow" && touch "$narrow/stdlib.h" "$narrow/string.h"
refused() { # SENTENCE COMMAND...: the command fails with that error
    ! "${@:2}" >"$work/refused" 2>&1 && grep -q "error: .*$1" "$work/refused"
}
header_refused() { # "COMPILER OPTIONS" HEADER
    printf '#include "%s"\n' "$2" >"$narrow/program.c"
    # shellcheck disable=SC2086
    refused 'systems with pointers of 64 bits only' $1 --target=i386-linux-gnu -ffreestanding -isystem "$narrow" -Iinclude \
        -fsyntax-only "$narrow/program.c"
}
build_refused() { # SOURCE SENTENCE
    refused "$2" rustc --edition 2024 --crate-type lib --emit=metadata --target i686-unknown-linux-gnu --extern "std=$narrow/libstd.rmeta" \
        -o "$narrow/refused" "$1"
}
if has clang; then
    for header in franking.h franking_tools.h; do
        step "$header is refused where pointers have 32 bits" header_refused clang $header
    done
else
    skip "clang: headers where pointers have 32 bits"
fi
if has clang++; then
    step "franking.hpp is refused where pointers have 32 bits" header_refused "clang++ -x c++ -std=c++17" franking.hpp
else
    skip "clang++: headers where pointers have 32 bits"
fi
cat >"$narrow/std.rs" <<'EMPTY'
#![feature(no_core, rustc_attrs)]
#![no_core]
#![allow(internal_features)]
#[rustc_builtin_macro]
#[macro_export]
macro_rules! compile_error { ($message:expr) => {}; }
pub mod prelude { pub mod rust_2024 { pub use crate::compile_error; } }
EMPTY
step "an empty standard library of Rust builds" env RUSTC_BOOTSTRAP=1 rustc --edition 2024 --crate-type lib --crate-name std \
    --emit=metadata --target i686-unknown-linux-gnu -o "$narrow/libstd.rmeta" "$narrow/std.rs"
step "the library is not built where pointers have 32 bits" build_refused ffi/src/lib.rs 'libfranking .* pointers of 64 bits only'
step "the extension for Python is not built where pointers have 32 bits" build_refused python/native/src/lib.rs \
    'franking for Python .* pointers of 64 bits only'
grown() { python3 tests/c/grown.py include "$work/grown"; }
step "the headers of a version to come are written" grown
newer=(-fsanitize=address,undefined -fno-sanitize-recover=all -g -Wno-missing-field-initializers "-I$work/grown" "-I$work")
for test in once promises; do
    step "$test with a newer header builds" gcc -std=c11 "${newer[@]}" "tests/c/$test.c" "$static" "${native[@]}" -o "$work/$test.newer"
    step "$test with a newer header" "$work/$test.newer"
done
# What C++ adds to the functions of C is in its header: it takes the same sizes as they do.
if [ -n "$whole" ]; then
    step "cpp with a newer header builds" g++ -std=c++17 "${newer[@]}" tests/cpp/tests.cpp "$static" "${native[@]}" -o "$work/cpp.newer"
    step "cpp with a newer header" "$work/cpp.newer"
fi

section "memory"
if has valgrind; then
    # valgrind runs one thread at a time, so a test of many threads takes long.
    checked=(calls behaviour texts sizes at_once json tools once promises columns cpp decided faults)
    [ -z "$whole" ] || checked+=(threads)
    for test in "${checked[@]}"; do
        # The development build is not inlined: the functions that suppressions name are more than the usual 12 callers away.
        step "$test under valgrind" valgrind --quiet --error-exitcode=9 --leak-check=full --show-leak-kinds=all \
            --errors-for-leak-kinds=all --num-callers=40 --suppressions=tests/c/valgrind.supp "$work/$test"
    done
else
    skip "valgrind: memory of all tests"
fi
sanitizers=(-fsanitize=address,undefined -fno-sanitize-recover=all -g -Iinclude -I"$work")
probe() { ! "$@" >/dev/null 2>&1; }
if gcc "${sanitizers[@]}" tests/c/overflow.c -lpthread -o "$work/overflow" 2>/dev/null; then
    step "the address sanitizer is active" probe "$work/overflow" 0
    step "the undefined-behaviour sanitizer is active" probe "$work/overflow" 1
    for test in "${c_tests[@]}"; do
        step "$test with sanitizers builds" gcc -std=c11 "${sanitizers[@]}" "tests/c/$test.c" "$static" "${native[@]}" \
            -o "$work/$test.san"
        step "$test under sanitizers" "$work/$test.san"
    done
    step "faults with sanitizers build" gcc -std=c11 "${sanitizers[@]}" -DTEST_PANIC tests/c/calls.c \
        "$faults" "${native[@]}" -o "$work/faults.san"
    step "faults under sanitizers" "$work/faults.san"
    if [ -n "$whole" ]; then
        step "cpp as C++20 with sanitizers builds" g++ -std=c++20 "${sanitizers[@]}" tests/cpp/tests.cpp "$static" "${native[@]}" \
            -o "$work/cpp.san"
        step "cpp under sanitizers" "$work/cpp.san"
    fi
    if pkg-config --exists jansson 2>/dev/null; then
        # shellcheck disable=SC2046
        step "the C executor with sanitizers builds" gcc -std=c11 "${sanitizers[@]}" tests/executors/c/*.c "$static" \
            $(pkg-config --cflags --libs jansson) "${native[@]}" -o "$work/executor.san"
        # The vectors are decided step by step, and again with sendMailer in one function. The library is not instrumented,
        # so a part of the vectors shows all that the sanitizers can see.
        step "vectors under sanitizers, both ways" python3 tests/conformance.py --every "$every" \
            "sanitized=$work/executor.san" "at-once=$work/executor.san at-once"
    else
        skip "jansson: vectors under sanitizers"
    fi
else
    skip "libasan, libubsan: memory and undefined behaviour"
fi

section "the benchmark"
step "the worker of the benchmark builds" gcc -std=c11 -O2 "${strict[@]}" -Iinclude tests/bench/c/*.c "$static" "${native[@]}" -o "$work/worker"

section "crossing"
crossing() { gcc -std=c11 -O2 "${strict[@]}" -Iinclude ffi/bench/crossing.c "$1" "${native[@]}" -o "$work/crossing"; }
step "the crossing builds" crossing "$faults"
step "no allocation that Rust does not make but those of the response, of the handle and of rows" "$work/crossing" allocations
# ffi/bench/run.sh measures the time. The cost of crossing does not depend on how fast deciding is, so it has a bound of its
# own. Counted instructions are the same on every run, however busy the machine is.
instructions() { # c|steps|rust: for one call
    local rounds counts=()
    for rounds in 100 1100; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/crossing" "$1" "$rounds" 2>"$work/counted" || return 1
        counts+=("$(sed -n 's/.*Collected : //p' "$work/counted")")
    done
    echo $(((counts[1] - counts[0]) / 1000))
}
few_instructions() {
    local c steps rust
    c=$(instructions c) && steps=$(instructions steps) && rust=$(instructions rust) || return 1
    echo "instructions of one call: $c through C, $steps step by step, $rust in Rust"
    # A call that is decided step by step takes one more function: franking_call_begin_commit.
    ((rust > 1000 && c - rust <= 1500 && steps - rust <= 4200))
}
if [ -n "$whole" ] && has valgrind; then
    counted=$target/ffi-bench
    step "the library that counts" cargo build --quiet --release --package franking-ffi --features bench --target-dir "$counted"
    step "the crossing builds for release" crossing "$counted/release/libfranking.a"
    step "the crossing takes few instructions" few_instructions
fi

[ -z "$whole" ] || section "threads"
# The library is instrumented as well. The runtime is the one that comes with the Rust toolchain.
triple=$(rustc -vV | sed -n 's/^host: //p')
runtime=$(ls "$(rustc --print sysroot)/lib/rustlib/$triple/lib/"librustc*_rt.tsan.a 2>/dev/null | head -n 1)
if [ -n "$whole" ] && has clang && [ -n "$runtime" ]; then
    tsan_library() {
        RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" cargo build --quiet \
            --release --config profile.release.lto=false --config profile.release.opt-level=1 --config profile.release.codegen-units=16 \
            --package franking-ffi --target "$triple" \
            --target-dir "$target/ffi-tsan"
    }
    # The program is compiled by clang and linked with that one runtime.
    tsan_program() { # NAME [FOLDER]
        clang -std=c11 -g -fsanitize=thread -Iinclude -c "${2:-tests/c}/$1.c" -o "$work/$1.tsan.o" &&
            gcc "$work/$1.tsan.o" "$target/ffi-tsan/$triple/release/libfranking.a" -Wl,--whole-archive "$runtime" \
                -Wl,--no-whole-archive -lstdc++ "${native[@]}" -lrt -o "$work/$1.tsan"
    }
    step "the library with the thread sanitizer" tsan_library
    tsan_runs=(env TSAN_OPTIONS=halt_on_error=1:suppressions=tests/c/tsan.supp)
    step "a race builds" tsan_program overflow
    step "the thread sanitizer is active" probe "${tsan_runs[@]}" "$work/overflow.tsan" 2
    step "threads with the thread sanitizer build" tsan_program threads
    step "threads under the thread sanitizer" "${tsan_runs[@]}" "$work/threads.tsan"
    step "promises with the thread sanitizer build" tsan_program promises
    step "promises under the thread sanitizer" "${tsan_runs[@]}" "$work/promises.tsan"
    step "the loop with the thread sanitizer builds" tsan_program loop examples/c
    step "the loop under the thread sanitizer" "${tsan_runs[@]}" "$work/loop.tsan"
elif [ -n "$whole" ]; then
    skip "clang or the Rust toolchain's thread sanitizer: races"
fi

section "installing"
prefix=$work/prefix
# install.sh takes the libraries from the folder of the release build.
mkdir "$work/build" && ln -s "$(realpath "$library")" "$work/build/release"
step "install" env "CARGO_TARGET_DIR=$work/build" ffi/install.sh "$prefix"
# A program that uses a function of a later version must not find out in the middle of a call that this library lacks it.
needs_a_later_function() {
    local soname flags
    soname=$(readelf -d "$shared" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
    read -r -a flags <<<"$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --libs-only-other franking)"
    mkdir "$work/later" "$work/now" && cp "$shared" "$work/now/$soname" &&
        printf 'int franking_later(void); int franking_later(void) { return 0; }\n' |
        gcc -shared -fPIC "-Wl,-soname,$soname" -x c - -o "$work/later/$soname" &&
        printf '#include <stdio.h>\nint franking_later(void); int main(void) { puts("begun"); return franking_later(); }\n' |
        gcc -x c - -x none "$work/later/$soname" -Wl,-z,lazy "${flags[@]}" -o "$work/later/program" &&
        LD_LIBRARY_PATH=$work/later "$work/later/program" | grep -qx begun || return 1
    ! LD_LIBRARY_PATH=$work/now "$work/later/program" >"$work/later/out" 2>&1 &&
        grep -q 'undefined symbol: franking_later' "$work/later/out" && ! grep -q begun "$work/later/out"
}
step "a program that needs a later function does not start" needs_a_later_function
if [ -n "$whole" ]; then step "programs of others, in each way of installing" tests/packages/installs.sh; fi

section "an event loop"
loop_prints() { # COMMAND...: calls that were parked between steps go on in another thread, and all are decided
    "$@" >"$work/loop.out" || return 1
    [ "$(grep -c ': 200 sent$' "$work/loop.out")" = 4 ] && [ "$(grep -c ': 454$' "$work/loop.out")" = 4 ] &&
        grep -q '^resumed on another thread: 20 times$' "$work/loop.out"
}
step "the loop builds" gcc -std=c11 -g "${strict[@]}" -Iinclude examples/c/loop.c "$static" "${native[@]}" -o "$work/loop"
step "the loop" loop_prints "$work/loop"
if has valgrind; then
    step "the loop under valgrind" loop_prints valgrind --quiet --error-exitcode=9 --leak-check=full "$work/loop"
fi
if gcc "${sanitizers[@]}" tests/c/overflow.c -lpthread -o "$work/overflow" 2>/dev/null; then
    step "the loop with sanitizers builds" gcc -std=c11 "${sanitizers[@]}" examples/c/loop.c "$static" "${native[@]}" -o "$work/loop.san"
    step "the loop under sanitizers" loop_prints "$work/loop.san"
fi

section "documentation and examples"
probe_sanitizers() { gcc "${sanitizers[@]}" tests/c/overflow.c -lpthread -o "$work/overflow" 2>/dev/null; }
step "the snippets of the pages" tests/c/docs.sh "$prefix"
if probe_sanitizers; then step "the hosts of the pages, fed" python3 tests/c/fed.py "$prefix"; else skip "libasan: the hosts of the pages, fed"; fi
step "the examples" tests/c/examples.sh "$prefix"

printf '%d passed, %d failed\n' "$passed" "$failed"
if ((${#skipped[@]})); then
    printf '\nNOT TESTED, for want of a tool:\n'
    printf '  %s\n' "${skipped[@]}"
fi
((failed == 0))
