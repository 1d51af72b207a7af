#!/usr/bin/env python3
"""Runs the parts that tests/parts.py lists, each of which shows something that has to hold.

    tests/run.py check            every day: the lints, the unit tests, the vectors in Rust
    tests/run.py test             everything that each change has to keep; closes with the seconds of each part
    MINUTES=3 tests/run.py prove  what takes longer, each part for some minutes, four at a time; closes with promise, seconds, cases tried, findings

    tests/run.py pages            writes the list of parts into docs/testing.md
    tests/run.py install KEY...   installs these tools, where they are not there

Keys after one of the first three commands choose the parts to run (`tests/run.py test c python`); what they need is built first.
A part of `prove` that has passed on this commit is not run again unless its key is given, or AGAIN=1.
"""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from parts import BUILDS, BUILT, CHECK, HAS_PYTHON, OLDEST_RUST, PROVE, PROVING, RELEASE, ROOT, TARGET, TEST


def version_of(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout


def succeeds(*command):
    """Whether a command can be run and ends with status 0."""
    return shutil.which(command[0]) and subprocess.run(command, capture_output=True).returncode == 0


# By key: the name of a tool, whether it is there, and the command that installs it.
TOOLS = {
    "cargo-deny": ("cargo-deny", lambda: shutil.which("cargo-deny"), "cargo install --quiet --locked cargo-deny --version 0.20.2"),
    "mdbook": (
        "mdBook",
        lambda: shutil.which("mdbook"),
        "cargo install --quiet --locked mdbook --version 0.5.4 --no-default-features",
    ),
    "cargo-mutants": ("cargo-mutants", lambda: shutil.which("cargo-mutants"), "cargo install --quiet --locked cargo-mutants"),
    "chromium": ("Chromium", lambda: shutil.which("chromium"), "apt-get -qq install --yes chromium"),
    "firefox": ("Firefox", lambda: shutil.which("firefox-esr"), "apt-get -qq install --yes firefox-esr"),
    "valgrind": ("valgrind", lambda: shutil.which("valgrind"), "apt-get -qq install --yes valgrind"),
    "npm": ("npm, with Node.js 20 or later", lambda: shutil.which("npm"), "apt-get -qq install --yes npm"),
    "java": (
        "Java 17 or later",
        lambda: shutil.which("java"),
        "apt-get -qq install --yes --no-install-recommends openjdk-17-jre-headless",
    ),
    "promtool": (
        "promtool",
        lambda: shutil.which("promtool"),
        "apt-get -qq install --yes --no-install-recommends prometheus",
    ),
    "python": ("Python 3.11 or later", lambda: HAS_PYTHON, "name it in PYTHON"),
    "debian": (
        "Debian's packaging tools, with its own compiler",
        lambda: all(map(shutil.which, ("dpkg-buildpackage", "dh", "dh_python3", "lintian", "/usr/bin/cargo"))),
        "apt-get -qq install --yes --no-install-recommends dpkg-dev debhelper dh-python lintian python3-dev rustc-web cargo-web",
    ),
    "yaml": (
        "PyYAML of the system's Python",
        lambda: succeeds("/usr/bin/python3", "-c", "import yaml"),
        "apt-get -qq install --yes python3-yaml",
    ),
    "oldest-rust": (
        f"Rust {OLDEST_RUST}",
        lambda: succeeds("cargo", f"+{OLDEST_RUST}", "--version"),
        f"rustup toolchain install {OLDEST_RUST} --profile minimal",
    ),
    "miri": (
        "Miri, of Rust's nightly toolchain",
        lambda: succeeds("cargo", "+nightly", "miri", "--version"),
        "rustup toolchain install nightly --profile minimal --component miri,rust-src",
    ),
    "rust": ("Rust 1.95", lambda: " 1.95." in version_of("rustc"), "rustup default 1.95"),
}


def absent(part):
    """The first tool that a part needs and that is not there, as (name, command that installs it)."""
    for key in part.needs:
        name, is_there, install = TOOLS[key]
        if not is_there():
            return name, install
    return None


@dataclasses.dataclass(frozen=True)
class Took:
    """Seconds that a part took: by the clock, and of processor time, added up over all processors."""

    clock: float = 0
    processor: float = 0


class Runner:
    """Runs parts four at a time, because some of them wait more than they work. Shows the output of each part when the part ends.
    A signal to end ends all parts.

    `on_end` is called with the result of each part, by one thread at a time."""

    def __init__(self, kind, environment=(), on_end=lambda *_: None):
        self.kind = kind
        self.on_end = on_end
        self.environment = {**os.environ, **dict(environment)}
        self.changed = threading.Condition()
        self.running = {}
        # Whether a part is running that keeps all processors busy.
        self.is_full = False
        # Whether there is a part that gets the processors first.
        self.has_first = False
        self.done = set()
        self.results = []
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.end)

    def end(self, number, _frame):
        for process in list(self.running.values()):
            if process is not None:
                os.killpg(process.pid, signal.SIGTERM)
        print("\nEnded before its end: nothing is shown by this run.", file=sys.stderr)
        os._exit(128 + number)

    def run(self, parts, at_once=4):
        """Runs all parts, each after those that it needs. Of the parts that can begin, the first in the list begins."""
        keys = {part.key for part in parts}
        waiting = list(parts)
        self.has_first = any(part.is_first for part in parts)
        workers = [threading.Thread(target=self.work, args=(waiting, keys)) for _ in range(at_once)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def work(self, waiting, keys):
        while True:
            with self.changed:
                while (part := self.next_of(waiting, keys)) is None:
                    if not waiting:
                        return
                    self.changed.wait()
                waiting.remove(part)
                self.running[part.key] = None
                self.is_full = part.fills
            self.part(part)
            with self.changed:
                del self.running[part.key]
                self.is_full = False
                self.done.add(part.key)
                self.changed.notify_all()

    def next_of(self, waiting, keys):
        """The first part that can begin now."""
        if self.is_full:
            return None
        can_begin = (part for part in waiting if all(key in self.done or key not in keys for key in part.after))
        return next((part for part in can_begin if not part.fills or not self.running), None)

    def part(self, part):
        lacks = absent(part)
        if lacks:
            self.results.append((part, None, f"NOT CHECKED, for want of {lacks[0]} ({lacks[1]})", Took()))
            return
        broken = [before.shows for before in self.failed() if before.key in part.after and before.key in BUILDS]
        if broken:
            self.results.append((part, None, f"NOT CHECKED, because this failed: {broken[0]}", Took()))
            return
        command = part.command.replace("{built}", str(BUILT)).replace("{release}", str(RELEASE)).replace("{proving}", str(PROVING))
        niceness = self.niceness(part)
        # Where Linux groups processes by their session, the niceness of a process counts only within its group. A group has a
        # niceness of its own, which this sets.
        command = f"{{ echo {niceness} >/proc/self/autogroup; }} 2>/dev/null || true\n{command}"
        started = time.monotonic()  # clock: printed, not judged
        process = subprocess.Popen(
            ["nice", "-n", str(niceness), "bash", "-euo", "pipefail", "-c", command],
            cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self.running[part.key] = process
        with process.stdout as printed:
            output = printed.read().decode("utf-8", "replace").rstrip()
        _, ended, used = os.wait4(process.pid, 0)
        status = process.returncode = os.waitstatus_to_exitcode(ended)
        seconds = time.monotonic() - started  # clock: printed, not judged
        took = Took(seconds, used.ru_utime + used.ru_stime)
        with self.changed:
            self.results.append((part, status, output, took))
            result = "" if status == 0 else f"  FAILED, status {status}"
            print(f"\n=== {part.shows}  [{seconds:.0f} s, {took.processor:.0f} s of processor time]{result}", flush=True)
            if output:
                print(output, flush=True)
            if status:
                print(f"Again, alone: {self.alone(part)}", flush=True)
            self.on_end(part, status, output)

    def niceness(self, part):
        """The niceness of a part. A part that the run waits for gets more than twice the share of another part. Beside a busy
        program of niceness 0, the other part still gets more than a quarter of the processor."""
        return 4 if self.has_first and not part.is_first else 0

    def alone(self, part):
        """The command that repeats a part alone."""
        return f"make {self.kind} PART={part.key}"

    def failed(self):
        return [part for part, status, _, _ in self.results if status not in (0, None)]

    def not_checked(self):
        """The parts that were not checked, and the lines in which parts say that they did not check something."""
        # A line, and those that are indented below it.
        said = re.compile(r"^.*\bNOT (?:CHECKED|RUN|TRIED|MEASURED|TESTED|COMPARED)\b.*(?:\n +.*)*", re.MULTILINE)
        for part, _, output, _ in self.results:
            for lines in said.findall(output):
                yield f"{part.shows}: {lines.strip()}"


def chosen(parts, keys):
    """The parts of these keys with all that they come after; all parts when no key is given."""
    unknown = set(keys) - {part.key for part in parts}
    if unknown:
        sys.exit(f"There is no part {', '.join(sorted(unknown))}. There are: {' '.join(part.key for part in parts)}")
    wanted = set(keys) or {part.key for part in parts}
    # A part needs the builds that it comes after. The others hold a lock that it waits for, or make an
    # environment that it shares.
    for part in parts:
        if part.key in keys:
            wanted.update(key for key in part.after if key in BUILDS)
    return [part for part in parts if part.key in wanted]


def test(kind, parts, keys):
    """Runs parts of `check` or `test`, and closes with the seconds of each."""
    started = time.monotonic()  # clock: printed, not judged
    # The crates of all systems are fetched once, because tests look at the whole graph without the network.
    if subprocess.run(["cargo", "fetch", "--quiet", "--locked"], cwd=ROOT).returncode:
        return 1
    # The scripts take what the build has made, and build nothing themselves.
    runner = Runner(kind, {"BUILT_FOR_TESTS": str(BUILT)}.items() if kind == "test" else ())
    runner.run(chosen(parts, keys))
    print("\nseconds  processor time  part")
    for part, status, _, took in runner.results:
        result = "" if status == 0 else "  NOT CHECKED" if status is None else "  FAILED"
        print(f"{took.clock:7.0f}  {took.processor:14.0f}  {part.key}: {part.shows}{result}")
    not_checked = list(runner.not_checked())
    if not_checked:
        print("\nNOT CHECKED:")
        for line in not_checked:
            print(f"  {line}")
    for part in runner.failed():
        print(f"\nFAILED: {part.shows}. Again, alone: {runner.alone(part)}")
    seconds = time.monotonic() - started  # clock: printed, not judged
    failed = len(runner.failed())
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
    # Mutation testing passes with some survivors. Failures count only when the part itself fails.
    return passed + failed, max(failed, 1) if status else 0


def commit():
    """The commit that is checked out. None when files differ from it: a part that passes then is not remembered."""
    git = ["git", "-C", str(ROOT)]
    if subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True).stdout:
        return None
    return subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()


def install(keys):
    """Installs the tools of these keys that are not there, if there is a command for it."""
    for key in keys:
        name, is_there, command = TOOLS[key]
        if not is_there() and shutil.which(command.split()[0]):
            print(f"Installing {name}: {command}", flush=True)
            subprocess.run(["bash", "-c", command], cwd=ROOT)


def prove(keys):
    """Runs parts of `prove`, remembers those that pass, and closes with one table."""
    minutes = int(os.environ.get("MINUTES", "10"))
    here = commit()
    file = TARGET / "prove.json"
    remembered = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    passed = remembered.get(here, {}) if here else {}
    parts = chosen(PROVE, keys)
    # A part that passed with fewer minutes has shown less.
    is_done = lambda part: passed.get(part.key, {}).get("minutes", 0) >= minutes  # noqa: E731
    again = keys or os.environ.get("AGAIN")
    to_run = [part for part in parts if again or not is_done(part)]
    # Builds are not remembered, because their files may have been deleted. A build is left out if no other part needs it
    # and it was not asked for.
    needed = {key for part in to_run for key in part.after}.union(keys)
    to_run = [part for part in to_run if part.key not in BUILDS or part.key in needed]
    install(key for part in to_run for key in part.needs)

    def remember(part, status, output):
        cases, found = tried(status, output)
        if status == 0 and not found and part.key not in BUILDS:
            passed[part.key] = {"minutes": minutes, "cases": cases}
            if here:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps({here: passed}, indent=1), encoding="utf-8")

    started = time.monotonic()  # clock: printed, not judged
    runner = Runner("prove", {"MINUTES": str(minutes), "SECONDS_PER_PART": str(minutes * 60)}.items(), remember)
    # Most parts use at most one processor, and wait for a database, a browser or a lock of cargo for a third of their time.
    runner.run([part for part in to_run if not part.is_alone], at_once=4)
    runner.run([part for part in to_run if part.is_alone], at_once=1)
    for line in runner.not_checked():
        print(f"\n{line}")
    width = max((len(part.shows) for part in parts), default=0)
    print(f"\n{'promise':<{width}}{'seconds':>9}{'processor time':>16}{'cases tried':>13}{'findings':>10}")
    findings = 0
    results = {part.key: rest for part, *rest in runner.results}
    for part in parts:
        if part.key in results:
            status, output, took = results[part.key]
            cases, found = tried(status, output)
            times = f"{took.clock:>9.0f}{took.processor:>16.0f}"
            note = "" if found == 0 else f"  again: {runner.alone(part)}"
        elif part.key in BUILDS:
            continue
        else:
            cases, found, times, note = passed[part.key]["cases"], 0, f"{'':25}", "  passed before on this commit"
        findings += found
        print(f"{part.shows:<{width}}{times}{'none' if cases is None else cases:>13}{found:>10}{note}")
    seconds = time.monotonic() - started  # clock: printed, not judged
    print(f"\n{len(to_run)} parts were run, in {seconds:.0f} seconds.")
    return int(findings > 0 or not parts)


PAGE = ROOT / "docs" / "testing.md"


def page():
    """docs/testing.md with the parts of each command as a table."""
    rows = "\n".join(
        ["| command | key | what it shows |", "|---|---|---|"]
        + [
            f"| `make {kind}` | `{part.key}` | {part.shows} |"
            for kind, parts in (("check", CHECK), ("test", TEST), ("prove", PROVE))
            for part in parts
        ]
    )
    return re.sub(
        r"(?<=<!-- parts -->\n).*?(?=<!-- /parts -->)", lambda _: rows + "\n", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL
    )


if __name__ == "__main__":
    kind, keys = (sys.argv[1] if len(sys.argv) > 1 else ""), sys.argv[2:]
    if kind == "prove":
        sys.exit(prove(keys))
    if kind in ("check", "test"):
        sys.exit(test(kind, CHECK if kind == "check" else TEST, keys))
    if kind == "pages" and not keys:
        PAGE.write_text(page(), encoding="utf-8")
        sys.exit(0)
    if kind == "install" and keys and set(keys) <= set(TOOLS):
        install(keys)
        sys.exit(not all(TOOLS[key][1]() for key in keys))
    sys.exit(__doc__)
