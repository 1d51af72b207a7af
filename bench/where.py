#!/usr/bin/env python3
"""Says where the instructions of a workload go, by the part of the library that they are spent in.

    bench/where.py [W1 W2 W3 W4 W5]

Counts with valgrind's callgrind. An instruction belongs to the source file that it was compiled from, also when it was
inlined elsewhere; one of another crate or of the standard library belongs to whoever called it. Builds with line tables
(`--profile bench`). W3 takes a few minutes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TIMES = {"W1": 200, "W2": 20, "W3": 1, "W4": 1, "W5": 1}
# The first that fits. A function is looked for as a path, `franking::text::form::decode` as `core/src/text/form/decode`.
AREAS = [
    ("JSON", r"core/src/(wire/(?!answer|address|entries)|(send_mailer|http_send_mail)/body)"),
    ("decoding", r"core/src/text/form"),
    ("CSS", r"core/src/text/links/css"),
    ("URLs", r"core/src/text/links/(host|references|lists)|core/src/text/domain"),
    ("HTML", r"core/src/text/links"),
    ("addresses", r"core/src/(text/(address|unicode)|wire/(address|entries)|http_send_mail/recipients|bytes)"),
    ("domains asked about", r"core/src/domains"),
    ("look-ups", r"bench/src/database|.*DatabaseHost.*(account|facts|answer|is_listed|subscriber)"),
    ("plan", r"core/src/(plan|(send_mailer|http_send_mail)/(plan|personalization|partial))|.*DatabaseHost.*commit"),
    ("answer", r"core/src/(decision|wire/answer|code)"),
    ("checks and machine", r"core/src|bench/src|.*franking_bench"),
]

Costs = dict[str, float]


def area(name: str) -> str | None:
    return next((area for area, pattern in AREAS if re.search(pattern, name)), None)


def area_of_function(function: str) -> str | None:
    """Of `<franking::domains::Names as X>::next`, what `core/src/domains` has."""
    if "DatabaseHost" in function or "franking_bench" in function:
        return area(function)
    path = re.search(r"franking::([\w:]+)", function)
    return area("core/src/" + path[1].replace("::", "/")) if path else None


def parse(text: str) -> tuple[dict[str, Costs], dict[str, Costs]]:
    """What each function spends itself, by source file; and with its callees, by its callers."""
    names: dict[str, dict[str, str]] = defaultdict(dict)
    own: dict[str, Costs] = defaultdict(lambda: defaultdict(float))
    callers: dict[str, Costs] = defaultdict(lambda: defaultdict(float))
    function = file = callee = ""
    is_call = False

    def named(kind: str, value: str) -> str:
        number, name = re.fullmatch(r"(\(\d+\))\s*(.*)", value).groups()  # type: ignore[union-attr]
        if name:
            names[kind][number] = name
        return names[kind][number]

    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key == "fn":
            function = named("function", value)
        elif key in ("fl", "fi", "fe"):
            file = named("file", value)
        elif key == "cfn":
            callee = named("function", value)
        elif key in ("cfi", "cfl"):
            named("file", value)
        elif key in ("ob", "cob"):
            named("object", value)
        elif key == "calls":
            is_call = True
        elif re.match(r"[-+*\d]", line):
            cost = float(line.split()[-1])
            if is_call:
                if callee != function:
                    callers[callee][function] += cost
                is_call = False
            else:
                own[function][file] += cost
    return own, callers


def spent(text: str) -> Costs:
    own, callers = parse(text)
    shares: dict[str, Costs] = {}
    for function in set(own) | set(callers):
        known = area_of_function(function)
        shares[function] = {known: 1.0} if known else {}
    unknown = [function for function, share in shares.items() if not share]
    # Callers of callers: as deep as it goes, within reason.
    for _ in range(30):
        for function in unknown:
            total = sum(callers[function].values())
            share: Costs = defaultdict(float)
            for caller, cost in callers[function].items():
                for name, part in shares.get(caller, {}).items():
                    share[name] += part * cost / total if total else 0.0
            shares[function] = dict(share)
    costs: Costs = defaultdict(float)
    for function, files in own.items():
        for file, cost in files.items():
            direct = area(file)
            for name, part in ({direct: 1.0} if direct else shares[function]).items():
                costs[name] += part * cost
    return costs


def main(*workloads: str) -> None:
    build = ["cargo", "build", "--quiet", "--profile", "bench", "--package", "franking-bench", "--bin", "repeat"]
    subprocess.run(build, cwd=ROOT, check=True)
    columns: dict[str, Costs] = {}
    for workload in workloads or TIMES:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            callgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]
            collect = "--toggle-collect=repeat::counted"
            program = [str(TARGET / "release" / "repeat"), "franking", workload, str(TIMES[workload])]
            subprocess.run([*callgrind, collect, *program], check=True)
            columns[workload] = spent(out.read_text())
    print("| |" + "|".join(f" {workload} " for workload in columns) + "|")
    print("|---|" + "---:|" * len(columns))
    for name, _ in AREAS:
        cells = (f" {costs[name] / sum(costs.values()):.0%} " for costs in columns.values())
        print(f"| {name} |" + "|".join(cells) + "|")


if __name__ == "__main__":
    main(*sys.argv[1:])
