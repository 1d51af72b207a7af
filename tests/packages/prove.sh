#!/usr/bin/env bash
# Uses nothing but the files of `make dist`, in empty folders and without a network. Programs in C, C++, Rust and Python are
# built as users build them, and each decides one call. The crate passes its own tests. A second release has the same bytes.
# Usage: tests/packages/prove.sh [DIST]: a folder that `make dist` has written; by default, a new one is made.
# Ends with "N passed, N failed".
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

passed=0 failed=0
step() { # NAME COMMAND...
    local started=$SECONDS # clock: printed, not judged
    # The command must not run in a condition: there, set -e has no effect.
    (set -e; "${@:2}") >"$work/log" 2>&1
    if (($? == 0)); then
        passed=$((passed + 1))
        printf 'ok: %s  [%d s]\n' "$1" $((SECONDS - started)) # clock: printed, not judged
    else
        failed=$((failed + 1))
        printf 'FAILED: %s\n' "$1"
        tail -n 30 "$work/log" | sed 's/^/    /'
    fi
}

# shellcheck source=tests/unoptimized.sh
source "$root/tests/unoptimized.sh"
dist=${1:-}
environment=()
if [ -z "$dist" ]; then
    dist=$work/dist
    # The wheels of this release are not optimized. The library below is, and it is built twice as well.
    environment=("${unoptimized[@]}")
    env "${environment[@]}" DIST="$dist" "$root/tools/packaging/dist.sh" || exit 1
fi
dist=$(realpath "$dist")
version=$(basename "$dist"/franking-*-source.tar.gz -source.tar.gz)
version=${version#franking-}

sums() { cd "$dist" && sha256sum --check --strict SHA256SUMS; }
step "every file has its checksum" sums

# A distribution has the crates of the vendor archive, and no network.
unpack() { # FOLDER: gets the sources with the crates in them, and a home of cargo that knows no other crates
    mkdir -p "$1/home" && tar -xzf "$dist/franking-$version-source.tar.gz" -C "$1" &&
        tar -xJf "$dist/franking-$version-vendor.tar.xz" -C "$1/franking-$version" &&
        printf '[source.crates-io]\nreplace-with = "vendor"\n[source.vendor]\ndirectory = "%s"\n[net]\noffline = true\n' \
            "$1/franking-$version/vendor" >"$1/home/config.toml"
}
# Distributions name the target of a build, so it is named here, although it is this machine.
triple=$(rustc -vV | sed -n 's/^host: //p')
built() { # FOLDER
    unpack "$1" && cd "$1/franking-$version" &&
        CARGO_HOME=$1/home CARGO_TARGET_DIR=$1/target CARGO_BUILD_TARGET=$triple make build CARGOFLAGS="--offline --quiet"
}
step "the library is built from the two archives" built "$work/one"
installs() {
    CARGO_TARGET_DIR=$work/one/target CARGO_BUILD_TARGET=$triple \
        "$work/one/franking-$version/tests/packages/installs.sh" "$work/one/franking-$version"
}
step "C and C++, by pkg-config and by CMake, in three LIBDIRs" installs

build_again() { built "$work/another/and/deeper/folder"; }
same() {
    local file
    for file in libfranking.so libfranking.a; do
        cmp "$work/one/target/$triple/release/$file" "$work/another/and/deeper/folder/target/$triple/release/$file" || return 1
    done
    ! grep -aqF "$work" "$work/one/target/$triple/release/libfranking.so"
}
step "the library is built in another folder" build_again
step "both builds have the same bytes, and name no folder" same
rm -rf "$work/another"

# Releases the same commit again in another folder, without any files of the first time.
released_again() {
    local commit checkout=$work/another/and/deeper/checkout
    # git closes its input as soon as it has found the commit, hence no pipe.
    commit=$(git get-tar-commit-id < <(gzip -dc "$dist/franking-$version-source.tar.gz"))
    git clone --quiet --no-checkout "$root" "$checkout" && git -C "$checkout" checkout --quiet --detach "$commit" &&
        ln -s "$root/.tools" "$checkout/.tools" &&
        env "${environment[@]}" CARGO_TARGET_DIR="$work/another/target" DIST="$work/another/dist" "$checkout/tools/packaging/dist.sh" &&
        diff "$dist/SHA256SUMS" "$work/another/dist/SHA256SUMS"
}
step "a second release of the same commit, made in another folder, has the same bytes in every file" released_again
rm -rf "$work/another"

crate() {
    mkdir -p "$work/rust/src" && cd "$work/rust" && tar -xzf "$dist/franking-$version.crate"
    cat >Cargo.toml <<END
[package]
name = "program"
version = "0.0.0"
edition = "2024"
[dependencies]
franking = { path = "franking-$version" }
[workspace]
END
    cat >src/main.rs <<'END'
use franking::{Call, Operation, Policy, Step};

fn main() {
    let body = br#"{"apiKey":"nobody's","mailerID":42,"subID":7}"#;
    let mut call = Call::new(&Policy::default(), Operation::SendMailer, "POST", body);
    let Step::Account(_) = call.step() else { panic!("no account was asked for") };
    call.answer_account(None).unwrap();
    let Step::Done(decision) = call.step() else { panic!("the call is undecided") };
    assert_eq!(decision.code().map(|code| code.number()), Some(403));
    println!("{}", decision.response().unwrap());
}
END
    CARGO_HOME=$work/one/home CARGO_TARGET_DIR=$work/rust/target cargo run --quiet --offline
}
step "Rust: a program with the crate decides a call" crate
# The dependencies of the tests are in the vendor archive as well. The examples of inner parts need the feature of the
# crate's dependency on itself, which cargo leaves out of the archive.
own_tests() {
    cd "$work/rust/franking-$version" && printf '\n[workspace]\n' >>Cargo.toml
    # Without optimization, the tests that try millions of cases take minutes.
    CARGO_HOME=$work/one/home CARGO_TARGET_DIR=$work/rust/target CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo test --quiet --offline --all-features
}
step "Rust: the crate passes its own tests out of its own archive" own_tests

python() { # NAME WHAT...: installs it in an empty environment
    "${PYTHON:-python3}" -m venv "$work/$1" && "$work/$1/bin/pip" install --quiet --no-index "${@:2}" || return 1
    cd "$work/$1" && bin/python "$here/consumer/consumer.py" && bin/franking --version &&
        ls lib/python*/site-packages/franking-*.dist-info/licenses | grep -q THIRD-PARTY-NOTICES
}
step "Python: the wheel in an empty environment decides a call" python wheel "$dist"/franking-"$version"-cp311-abi3-*.whl
if command -v python3.14t >/dev/null; then
    PYTHON=python3.14t step "Python: the wheel for free-threaded Python decides a call" python free "$dist"/franking-"$version"-cp314-cp314t-*.whl
else
    echo "NOT CHECKED, for want of python3.14t: that its wheel decides a call"
fi
sdist_wheel() {
    local tools=$root/.tools/packaging/bin
    env PATH="$tools:$PATH" CARGO_HOME="$work/one/home" CARGO_TARGET_DIR="$work/rust/target" "${unoptimized[@]}" \
        "$tools/pip" wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$work/from-sdist" "$dist/franking-$version.tar.gz" &&
        python sdist "$work"/from-sdist/*.whl
}
step "Python: the sdist is built without a network, and decides a call" sdist_wheel

printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
