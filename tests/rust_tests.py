#!/usr/bin/env python3
"""Builds everything of the workspace at once, and runs the test programs of some packages.

    tests/rust_tests.py --build            lints and builds libraries, programs, tests and benchmarks with the development profile
    tests/rust_tests.py --documentation    runs the examples of the documentation, with the libraries that --build has left
    tests/rust_tests.py PACKAGE...         runs the test programs of these packages, as --build has left them
    tests/rust_tests.py --prove            builds the programs that the parts of `make prove` run
    tests/rust_tests.py --run NAME ...     runs one of the test programs among them with these arguments

One build of all packages compiles each dependency with one set of features. `cargo test --package` would compile many of
them again for each package, because it chooses the features anew. Clippy compiles what it lints: `cargo clippy` after it would
check each dependency a second time.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LIST = TARGET / "debug" / "franking-tests.json"
# The settings of `cargo clippy -- -D warnings`. Cargo counts what it has built as up to date only under the same settings.
CLIPPY = {"RUSTC_WORKSPACE_WRAPPER": "clippy-driver", "CLIPPY_ARGS": "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__"}
# tests/c/run.sh links the C library of this build: it has the switch for faults, and counts allocations. The Python package of
# this build has the switch as well.
FEATURES = ["--features", "franking-ffi/test-panic,franking-ffi/bench,franking-python/test-panic"]
# The programs that `make prove` runs, and the list of the test programs among them.
PROGRAMS = ("franking", "franking-bulk", "franking-executor", "franking-fuzz", "franking-service")
TESTS = ("--test=service", "--test=behaviour", "--bench=neighbours")
PROVING = TARGET / "prove" / "franking-tests.json"


def build():
    """Builds, and writes down which test program belongs to which package."""
    return listed(["--lib", "--bins", "--examples", "--tests", "--bench=*", *FEATURES], CLIPPY, LIST)


def prove():
    """Builds the programs of `make prove`, and lists the test programs among them."""
    return listed(["--profile=prove", *(f"--bin={program}" for program in PROGRAMS), *TESTS], {}, PROVING)


def listed(chosen, environment, path):
    """Builds what is chosen of the workspace, and lists the programs of tests in a file."""
    command = ["cargo", "build", "--quiet", "--workspace", *chosen, "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, text=True)
    if built.returncode:
        return built.returncode
    programs = []
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] != "compiler-artifact" or not message.get("executable"):
            continue
        kind, name = message["target"]["kind"], message["target"]["name"]
        # Of the benchmarks, which have no harness, only those that were named are listed.
        if f"--bench={name}" in chosen if kind == ["bench"] else message["profile"]["test"]:
            folder = pathlib.Path(message["manifest_path"]).parent
            package = message["package_id"].rpartition("#")[2].partition("@")[0]
            package = package if not package[0].isdigit() else folder.name
            programs.append({"package": package, "name": name, "folder": str(folder), "program": message["executable"]})
    path.write_text(json.dumps(programs, indent=1), encoding="utf-8")
    print(f"{len(programs)} test programs")
    return 0


def documentation():
    command = ["cargo", "test", "--quiet", "--workspace", "--doc", *FEATURES]
    return subprocess.run(command, cwd=ROOT, env=os.environ | CLIPPY).returncode


def run(packages):
    """Runs each program in the folder in which Cargo would run it. Returns 1 if one of them failed."""
    programs = json.loads(LIST.read_text(encoding="utf-8"))
    failed = []
    for package in packages:
        of_package = [program for program in programs if program["package"] == package]
        if not of_package:
            failed.append(f"{package} has no test programs")
        for program in of_package:
            # The same cases in each run. `cargo test` and `make check` draw others each time.
            environment = {"PROPTEST_RNG_SEED": "1", **os.environ, "CARGO_MANIFEST_DIR": program["folder"]}
            command = [program["program"], "--quiet"]
            ended = subprocess.run(command, cwd=program["folder"], env=environment, capture_output=True, text=True)
            if ended.returncode:
                print(ended.stdout, ended.stderr, sep="\n")
                failed.append(f"{package}, {program['name']}: status {ended.returncode}")
        print(f"{package}: {len(of_package)} test programs")
    for line in failed:
        print(f"FAILED: {line}")
    return int(bool(failed))


def become(name, arguments):
    """Replaces this process by a test program of `make prove`, in the folder in which Cargo would run it."""
    programs = json.loads(PROVING.read_text(encoding="utf-8"))
    program = next(program for program in programs if program["name"] == name)
    os.chdir(program["folder"])
    os.execve(program["program"], [program["program"], *arguments], {**os.environ, "CARGO_MANIFEST_DIR": program["folder"]})


if __name__ == "__main__":
    if sys.argv[1:] == ["--build"]:
        sys.exit(build())
    if sys.argv[1:] == ["--documentation"]:
        sys.exit(documentation())
    if sys.argv[1:] == ["--prove"]:
        sys.exit(prove())
    if sys.argv[1:2] == ["--run"] and len(sys.argv) > 2:
        become(sys.argv[2], sys.argv[3:])
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.exit(run(sys.argv[1:]))
    sys.exit(__doc__)
