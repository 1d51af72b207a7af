#!/usr/bin/env python3
"""Guards the cost of deciding without a clock: counts instructions with valgrind's callgrind.

    tests/bench/instructions.py            compares with tests/bench/instructions.json; fails above 5 %
    tests/bench/instructions.py --write    records the current ratios there

It compares ratios of the library's instructions to those of the `lol_html` peer on the same workload, counted in the same
run, because another compiler or another machine changes both. They are counted with the host that looks up many at once,
with the ordinary one, and with one that leaves the HTML of plans alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDED = Path(__file__).with_name("instructions.json")
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TOLERANCE = 1.05


def counted() -> dict[str, dict[str, float]]:
    """The instructions for deciding each workload once, by workload and contender."""
    build = ["cargo", "build", "--quiet", "--release", "--package", "franking-bench", "--bin", "repeat"]
    subprocess.run(build, cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        command = [
            "valgrind",
            "--quiet",
            "--tool=callgrind",
            f"--callgrind-out-file={out}",
            # Each call of this function is counted alone, into a file of its own.
            "--toggle-collect=repeat::counted",
            "--dump-after=repeat::counted",
            str(TARGET / "release" / "repeat"),
            "count",
        ]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        costs: dict[str, dict[str, float]] = {}
        for number, line in enumerate(run.stdout.splitlines(), 1):
            workload, contender, times = line.split()
            part = out.with_name(f"out.{number}").read_text()
            total = re.search(r"^totals: (\d+)", part, re.MULTILINE)
            if total is None:
                sys.exit(f"callgrind counted nothing for {line!r}")
            costs.setdefault(workload, {})[contender] = int(total[1]) / int(times)
    return costs


def main(*arguments: str) -> int:
    if arguments not in ((), ("--write",)):
        print(__doc__, file=sys.stderr)
        return 2
    if shutil.which("valgrind") is None:
        print("NOT CHECKED, for want of valgrind (apt-get install valgrind): instruction counts", file=sys.stderr)
        return 1 if arguments else 0
    recorded: dict[str, float] = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    ratios: dict[str, float] = {}
    failed = False
    hosts = ("franking", "ordinary", "franking-unread")
    found = [(workload, host, costs) for workload, costs in counted().items() for host in hosts if host in costs]
    for workload, host, costs in found:
        name = workload if host == "franking" else f"{workload} {host.removeprefix('franking-')}"
        ratio = ratios[name] = round(costs[host] / costs["lol_html"], 4)
        before = recorded.get(name)
        line = f"{name:<18}{costs[host]:>12,.0f} / {costs['lol_html']:>12,.0f} instructions = {ratio:.3f}"
        if before is not None:
            line += f", recorded {before:.3f} ({ratio / before - 1:+.1%})"
        too_much = not arguments and (before is None or ratio > before * TOLERANCE)
        failed |= too_much
        print(line + (" TOO MUCH" if too_much else ""), flush=True)
    if arguments:
        RECORDED.write_text(json.dumps(ratios, indent=2) + "\n")
    elif failed:
        print("Deciding takes more instructions than recorded. If that is meant: tests/bench/instructions.py --write")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
