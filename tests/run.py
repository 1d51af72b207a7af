#!/usr/bin/env python3
"""Runs all that has to hold, or what proves it at length.

    tests/run.py test              two lanes side by side; closes with the seconds of each part
    MINUTES=5 tests/run.py prove   each part for some minutes; closes with one table: promise, cases tried, findings

A part is one line in a table below: what it shows, and a shell command at the root of the repository, which ends with
another status than 0 when something does not hold. What it prints is shown when it ends. For `prove` its last line is
`N passed, N failed` or `cases tried N, findings N`; MINUTES and SECONDS_PER_PART are set for it.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# The wheel needs CPython 3.11 and later.
HAS_PYTHON = sys.version_info >= (3, 11)
LANGUAGES = "rust c cpp python" if HAS_PYTHON else "rust c cpp"
HOSTILE = f"cargo build --quiet --release --package franking-hostile && '{TARGET}/release/franking-hostile'"

# Cargo locks each profile by itself: one lane builds for development, the other for release. What builds little
# stands where there is room.
DEVELOPMENT = [
    ("Format and lints", "cargo fmt --all --check && cargo clippy --quiet --workspace --all-targets -- -D warnings"),
    ("No test judges by a clock", "python3 -m unittest --quiet tests/test_clocks.py"),
    ("Each bound of memory and time has its test", "python3 -m unittest --quiet tests/test_limits.py"),
    ("Versions keep their promises; notices are whole", "python3 -m unittest --quiet tests/test_versions.py"),
    ("One concept, one word in every language", "python3 -m unittest --quiet tests/test_concordance.py"),
    ("Core alone: no feature of another member reaches it", "cargo check --quiet --package franking --no-default-features"),
    ("The command", "cargo test --quiet --package franking-cli"),
    ("The service", "cargo test --quiet --package franking-service"),
    ("Tests of the core", "cargo test --quiet --package franking --package franking-hostile"),
    ("The examples of the pages", "cargo test --quiet --package franking-executor --doc"),
    ("Documentation", "RUSTDOCFLAGS='-D warnings' cargo doc --quiet --package franking --no-deps"),
    ("The public API of the crate is the one that is listed", "cargo run --quiet --package franking-tools -- api --check"),
    ("Dependencies", "cargo deny --log-level error check bans licenses sources"),
    ("The vectors are those of the reference", "tests/reference/check.sh"),
    ("Instructions beside the peer", "python3 bench/instructions.py"),
]
RELEASE = [
    ("The demo ends well", "make demo >/dev/null"),
    ("C and C++", "tests/c/run.sh"),
    ("Python", "python/run_tests.sh"),
    ("The driver for servers, against the example hosts", "tests/server/hosts.sh"),
    ("The vectors, through the executors of all languages", f"python3 tests/conformance.py {LANGUAGES}"),
]
# These fill both processors, or need what both lanes have made.
TOGETHER = [
    ("Fuzzing with fixed seeds, the driver for servers, what the vectors cover", f"LANGUAGES='{LANGUAGES} reference' tests/fuzz/test.sh"),
    ("What a real browser asks for", "tests/browser/run.sh"),
    ("Hostile bodies: memory", f"{HOSTILE} memory bytes=2097152"),
    # They come nearest to the bound, and small ones are helped by the 2 MiB in it.
    ("Hostile bodies of 32 MB of requests: memory", f"{HOSTILE} memory 'only=many requests'"),
    ("Hostile bodies: work in proportion to their length", f"{HOSTILE} work"),
]

PROMISES = [
    (
        "Accepted calls outlive SIGKILL, whole and once",
        "KILLS=100 cargo test --package franking-service --test kills -- --nocapture",
    ),
    (
        "Accepted emails are sent, whoever is killed",
        "KILLS=100 cargo test --release --package franking-service --test outbound -- --nocapture",
    ),
    (
        "Memory is flat with a million emails waiting",
        "cargo test --release --package franking-service --test outbox_costs -- --ignored --nocapture --test-threads=1",
    ),
    (
        "Emails arrive as they were to be sent; hostile texts stay in their place",
        "EMAILS=10000 HOSTILE=20000 cargo test --release --package franking-service --test mail -- --nocapture",
    ),
    ("Hostile bodies of 32 MB take little memory", f'{HOSTILE} memory "seconds=$SECONDS_PER_PART"'),
    ("Hostile bodies of 4 MB take work in proportion", f'{HOSTILE} work bytes=4194304 "seconds=$SECONDS_PER_PART"'),
    ("Nothing panics, and the parts of the core agree", 'SECONDS_EACH=$((SECONDS_PER_PART / 8)) tests/fuzz/run.sh'),
    ("All languages answer alike", f"LANGUAGES='{LANGUAGES}' tests/fuzz/languages.sh"),
    ("The library answers as the reference does", 'LANGUAGES="rust reference" tests/fuzz/languages.sh'),
    ("The library finds every host that the reference finds", 'SECONDS_AT_MOST="$SECONDS_PER_PART" tests/fuzz/links.sh'),
    (
        "No link that a tree has is missed; encoded is as plain",
        "LINKS_DOCUMENTS=$((SECONDS_PER_PART * 800)) LINKS_BODIES=$((SECONDS_PER_PART * 400)) LINKS_SEED=$RANDOM"
        " cargo test --release --package franking --test links_differential -- --nocapture",
    ),
    (
        "Chromium asks for no host that is not found",
        "CASES_DOM=$((SECONDS_PER_PART * 300)) CASES_NAVIGATION=$((SECONDS_PER_PART * 6))"
        " CASES_NESTED=$((SECONDS_PER_PART * 33)) SEED=$RANDOM tests/browser/run.sh",
    ),
    (
        "Firefox asks for no host that is not found",
        "CASES_DOM=0 CASES_NAVIGATION=0 CASES_NESTED=0 CASES_FIREFOX=$((SECONDS_PER_PART * 4)) SEED=$RANDOM tests/browser/run.sh",
    ),
    (
        "A host in documents in documents is found, or its mail refused",
        'CASES=1000000 SECONDS_AT_MOST="$SECONDS_PER_PART" tests/fuzz/nested.sh',
    ),
    (
        "The command checks a gigabyte of calls in flat memory",
        "cargo build --quiet --release --package franking-cli && python3 bench/command.py 1000",
    ),
    ("Programs in four languages decide calls with a release", "tests/packages/prove.sh"),
    ("The tests notice changes to the core", "SAMPLE=$((MINUTES * 10)) SEED=$RANDOM tests/coverage/mutants.sh"),
]

CHROMIUM = ("Chromium", shutil.which("chromium"), "apt-get install chromium")
FIREFOX = ("Firefox", shutil.which("firefox-esr"), "apt-get install firefox-esr")
VALGRIND = ("valgrind", shutil.which("valgrind"), "apt-get install valgrind")
PYTHON = ("Python 3.11 or later", HAS_PYTHON, "name it in PYTHON")
RUST = ("Rust 1.95", " 1.95." in subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout, "rustup default 1.95")
# What a part needs beyond a Rust toolchain, Python and a C compiler: without it the part is not run, and said so.
NEEDED = {
    "Dependencies": [("cargo-deny", shutil.which("cargo-deny"), "cargo install cargo-deny")],
    "The public API of the crate is the one that is listed": [RUST],
    "Python": [PYTHON],
    "The driver for servers, against the example hosts": [PYTHON],
    "Instructions beside the peer": [VALGRIND],
    "What a real browser asks for": [CHROMIUM],
    "Chromium asks for no host that is not found": [CHROMIUM],
    "Firefox asks for no host that is not found": [CHROMIUM, FIREFOX],
    "Hostile bodies: work in proportion to their length": [VALGRIND],
    "Hostile bodies of 4 MB take work in proportion": [VALGRIND],
    "The tests notice changes to the core": [
        ("cargo-mutants", shutil.which("cargo-mutants"), "cargo install cargo-mutants --locked"),
    ],
}


class Runner:
    """Runs parts, shows what each prints when it ends, and ends them all when it is told to end."""

    def __init__(self, environment=()):
        self.environment = {**os.environ, **dict(environment)}
        self.lock = threading.Lock()
        self.running = set()
        self.is_ending = False
        self.results = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.end)

    def end(self, number, _frame):
        self.is_ending = True
        for process in list(self.running):
            os.killpg(process.pid, signal.SIGTERM)
        print("\nEnded before its end: nothing is shown by this run.", file=sys.stderr)
        os._exit(128 + number)

    def run(self, parts):
        for name, command in parts:
            if not self.is_ending:
                self.part(name, command)

    def part(self, name, command):
        for what, is_there, install in NEEDED.get(name, []):
            if not is_there:
                self.results.append((name, None, f"NOT CHECKED, for want of {what} ({install})", 0))
                return
        started = time.monotonic()  # clock: printed, not judged
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self.running.add(process)
        output = process.communicate()[0].decode("utf-8", "replace").rstrip()
        self.running.discard(process)
        seconds = time.monotonic() - started  # clock: printed, not judged
        self.results.append((name, process.returncode, output, seconds))
        with self.lock:
            result = "" if process.returncode == 0 else f"  FAILED, status {process.returncode}"
            print(f"\n=== {name}  [{seconds:.0f} s]{result}", flush=True)
            if output:
                print(output, flush=True)

    def absent(self):
        """What was not checked, and what parts said that they did not check."""
        # A line, and those that are indented below it.
        said = re.compile(r"^.*\bNOT (?:CHECKED|RUN|TRIED|MEASURED|TESTED|COMPARED)\b.*(?:\n +.*)*", re.MULTILINE)
        for name, _, output, _ in self.results:
            for lines in said.findall(output):
                yield f"{name}: {lines.strip()}"


def test():
    started = time.monotonic()  # clock: printed, not judged
    # Everything is fetched once, for other systems, too: tests look at the whole graph without the network.
    if subprocess.run(["cargo", "fetch", "--quiet", "--locked"], cwd=ROOT).returncode:
        return 1
    runner = Runner()
    lanes = [threading.Thread(target=runner.run, args=(parts,)) for parts in (DEVELOPMENT, RELEASE)]
    for lane in lanes:
        lane.start()
    for lane in lanes:
        lane.join()
    runner.run(TOGETHER)
    print("\nseconds  part")
    for name, status, _, seconds in runner.results:
        result = "" if status == 0 else "  NOT CHECKED" if status is None else "  FAILED"
        print(f"{seconds:7.0f}  {name}{result}")
    absent = list(runner.absent())
    if absent:
        print("\nNOT CHECKED:")
        for line in absent:
            print(f"  {line}")
    failed = sum(status not in (0, None) for _, status, _, _ in runner.results)
    seconds = time.monotonic() - started  # clock: printed, not judged
    print(f"\n{f'{failed} parts FAILED' if failed else 'All that was run has passed'}, in {seconds:.0f} seconds.")
    return int(failed > 0)


def tried(status, output):
    """(cases tried, findings) of a part that proves something; None for the cases when none were."""
    closing = re.findall(r"^(\d+) passed, (\d+) failed|^cases tried (\d+), findings (\d+)", output, re.MULTILINE)
    if not closing:
        return None, int(status not in (0, None))
    passed, failed, cases, found = (int(number or 0) for number in closing[-1])
    if cases:
        # A part may try several things, each with a line of its own.
        cases, found = (sum(int(row[column] or 0) for row in closing) for column in (2, 3))
        return cases, max(found, int(status != 0))
    # Survivors of mutation testing are findings when the part says so.
    return passed + failed, max(failed, 1) if status else 0


def prove(only):
    minutes = int(os.environ.get("MINUTES", "10"))
    runner = Runner({"MINUTES": str(minutes), "SECONDS_PER_PART": str(minutes * 60)}.items())
    runner.run([part for part in PROMISES if only in part[0]])
    rows, findings = [], 0
    for name, status, output, _ in runner.results:
        cases, found = tried(status, output)
        rows.append((name, "none" if cases is None else str(cases), str(found)))
        findings += found
    for line in runner.absent():
        print(f"\n{line}")
    print(f"\n{'promise':<52}{'cases tried':>12}{'findings':>10}")
    for name, cases, found in rows:
        print(f"{name:<52}{cases:>12}{found:>10}")
    return int(findings > 0 or not rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["prove"] and len(sys.argv) <= 3:
        sys.exit(prove(sys.argv[2] if len(sys.argv) == 3 else ""))
    if sys.argv[1:] == ["test"]:
        sys.exit(test())
    sys.exit(__doc__)
