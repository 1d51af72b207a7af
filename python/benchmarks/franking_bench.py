"""The cost of deciding in Python: this package compared with Rust and with the Python peers, on the same bytes.

    python/benchmarks/run.sh                 prints one JSON object; QUICK=1 is quick
    python/benchmarks/run.sh --merge FILE    also puts its keys into the JSON object of FILE
    python/benchmarks/run.sh W1 W5           only these workloads

    {"python": {"W1": 3.1, ..., "W5": 2.2},              this package to our Rust; both hosts read the plan, not the HTML
     "python_peer": {"W1": 0.07, ...},                   this package to the peer of today; no plan is read or made
     "python_peer_tuned": {"W1": 0.8, ...},              the same to the tuned peer
     "python_us": {"check_W1": 1.3, "many_W1": 1.3,      microseconds of this package: a check, one of many on one thread
                   "decide_W1": 3.5, "read_W1": 5.0}}    a decision whose plan is not read, and one whose rows are

`run.sh` builds what is missing: the wheel, an environment below `target/`, the workloads, and the Rust
program `repeat`. The cost of Rust is the time of that program for many repetitions minus the time for one.

`tests/bench/run.sh` measures the same `contenders`, taking turns with Rust. This program is for a quick look
while you work on the package.

All times are processor times. Contenders take turns, and each turn is the median of short laps. The result is
the least of these medians, because other work of the machine makes a lap longer, never shorter.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from contenders import NAMES, Contenders

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
FOLDER = TARGET / "bench" / "workloads"
QUICK = os.environ.get("QUICK", "0") not in ("", "0")
TURNS = 7 if QUICK else 21
LAPS = 9 if QUICK else 15
LAP = 0.002
"""The least duration of a lap in seconds."""
MANY = {"W1": 1_000, "W2": 50, "W4": 5_000}
"""The number of calls in a lap, for which the peers need half a second. Other workloads have one call."""


def in_python(contenders: Contenders, contender: str, workload: str) -> Callable[[], float]:
    """A function that runs one turn of a contender and returns the seconds for one call."""
    calls = MANY.get(workload, 1)
    if contenders.codes(contender, workload, calls) != contenders.load(workload)[1][:calls]:
        sys.exit(f"{contender} answers other codes than {workload} asks for")

    def lap(count: int) -> float:
        return contenders.run(contender, workload, count, calls) / 1e9

    count = 1
    while (taken := lap(count)) < LAP:
        count *= 2
    # Long laps vary little.
    laps = LAPS if taken < 0.05 else 1
    return lambda: statistics.median(lap(count) for _ in range(laps)) / count / calls


def in_rust(workload: str, calls: int) -> Callable[[], float]:
    """A function that runs one turn of the Rust program and returns the seconds for one call."""

    def seconds(count: int) -> float:
        command = [str(TARGET / "release" / "repeat"), "franking", workload, str(count)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    start = min(seconds(1) for _ in range(3))
    count = 1
    # Long enough that the set-up, which varies, does not matter.
    while seconds(count + 1) - start < 2 * start and count < 2**22:
        count *= 2
    return lambda: max(seconds(count + 1) - start, 1e-9) / count / calls


def measure(contenders: Contenders, workload: str) -> dict[str, float]:
    """The seconds of each contender for one call of a workload."""
    calls = len(contenders.load(workload)[0])
    names = ("franking", "rows", "unread", "check", "many", "today", "tuned")
    turns = {name: in_python(contenders, name, workload) for name in names}
    turns["rust"] = in_rust(workload, calls)
    taken: dict[str, list[float]] = {name: [] for name in turns}
    for number in range(TURNS):
        for name, turn in turns.items():
            # Slow contenders, and those in a process of their own, take fewer turns.
            if name in ("today", "tuned", "rust") and number % 2:
                continue
            taken[name].append(turn())
    return {name: min(seconds) for name, seconds in taken.items()}


def sections(workloads: list[str]) -> dict[str, dict[str, float]]:
    contenders = Contenders(FOLDER)
    ratios: dict[str, dict[str, float]] = {
        section: {} for section in ("python", "python_peer", "python_peer_tuned", "python_us")
    }
    for workload in workloads:
        taken = measure(contenders, workload)
        for section, (ours, other) in {
            "python": ("franking", "rust"),
            "python_peer": ("unread", "today"),
            "python_peer_tuned": ("unread", "tuned"),
        }.items():
            ratios[section][workload] = round(taken[ours] / taken[other], 3)
        ratios["python_us"][f"check_{workload}"] = round(taken["check"] * 1e6, 3)
        ratios["python_us"][f"many_{workload}"] = round(taken["many"] * 1e6, 3)
        ratios["python_us"][f"decide_{workload}"] = round(taken["unread"] * 1e6, 3)
        ratios["python_us"][f"read_{workload}"] = round(taken["rows"] * 1e6, 3)
        shown = ", ".join(f"{name} {seconds * 1e6:,.2f}" for name, seconds in taken.items())
        print(f"{workload}: {shown} us", file=sys.stderr, flush=True)
    return ratios


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--merge", type=Path, metavar="FILE")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help="W1, ...; all of them if left out")
    options = parser.parse_args()
    merge_into: Path | None = options.merge
    if sys.platform == "linux":
        # The processors of a machine differ. The Rust program also stays on this one.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = sections(options.workloads or list(NAMES))
    print(json.dumps(found))
    if merge_into is not None:
        everything = json.loads(merge_into.read_text("utf-8")) if merge_into.exists() else {}
        merge_into.write_text(json.dumps({**everything, **found}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
