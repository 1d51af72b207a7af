#!/usr/bin/env python3
"""Builds everything of the workspace at once, and runs the test programs of some packages.

    tests/rust_tests.py --build            builds libraries, programs and tests with the development profile
    tests/rust_tests.py PACKAGE...         runs the test programs of these packages, as --build has left them

One build of all packages compiles each dependency with one set of features. `cargo test --package` would compile many of
them again for each package, because it chooses the features anew.
"""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LIST = TARGET / "debug" / "franking-tests.json"


def build():
    """Builds, and writes down which test program belongs to which package."""
    # The lints look at the benchmarks, too.
    targets = ["--lib", "--bins", "--tests", "--examples"]
    # tests/c/run.sh links the C library of this build: the one with the switch for faults, which counts allocations.
    features = ["--features", "franking-ffi/test-panic,franking-ffi/bench"]
    command = ["cargo", "build", "--quiet", "--workspace", *targets, *features, "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if built.returncode:
        return built.returncode
    programs = []
    for line in built.stdout.splitlines():
        message = json.loads(line)
        # A benchmark without a harness is not a test program.
        is_test = message.get("executable") and message["profile"]["test"] and message["target"]["kind"] != ["bench"]
        if message["reason"] == "compiler-artifact" and is_test:
            folder = pathlib.Path(message["manifest_path"]).parent
            package = message["package_id"].rpartition("#")[2].partition("@")[0]
            name = package if not package[0].isdigit() else folder.name
            programs.append({"package": name, "name": message["target"]["name"], "folder": str(folder), "program": message["executable"]})
    LIST.write_text(json.dumps(programs, indent=1), encoding="utf-8")
    print(f"{len(programs)} test programs")
    return 0


def run(packages):
    """Runs each program where Cargo would; ends with the number of those that failed."""
    programs = json.loads(LIST.read_text(encoding="utf-8"))
    failed = []
    for package in packages:
        of_package = [program for program in programs if program["package"] == package]
        if not of_package:
            failed.append(f"{package} has no test programs")
        for program in of_package:
            environment = {**os.environ, "CARGO_MANIFEST_DIR": program["folder"]}
            command = [program["program"], "--quiet"]
            ended = subprocess.run(command, cwd=program["folder"], env=environment, capture_output=True, text=True)
            if ended.returncode:
                print(ended.stdout, ended.stderr, sep="\n")
                failed.append(f"{package}, {program['name']}: status {ended.returncode}")
        print(f"{package}: {len(of_package)} test programs")
    for line in failed:
        print(f"FAILED: {line}")
    return int(bool(failed))


if __name__ == "__main__":
    if sys.argv[1:] == ["--build"]:
        sys.exit(build())
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        sys.exit(run(sys.argv[1:]))
    sys.exit(__doc__)
