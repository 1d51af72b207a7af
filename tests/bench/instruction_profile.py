#!/usr/bin/env python3
"""Says where the instructions of a workload go, by the part of the library that they are spent in.

    tests/bench/instruction_profile.py [W1 W2 W3 W4 W5]

Counts with valgrind's callgrind, instruction by instruction. Each belongs to the innermost line of the library, or of the
host, that it was compiled from: the line tables say through which calls it was inlined (`addr2line`), so that code of the
standard library and of other crates is booked on the line that uses it. Functions that were not inlined belong to their
callers, each by its share. Builds with line tables (`--profile bench`). W3 takes a few minutes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = TARGET / "release" / "repeat"
TIMES = {"W1": 1, "W2": 1, "W3": 1, "W4": 1, "W5": 1}
# Areas by the path of the source file; the first that fits counts. Every file of the library fits an area before the last.
AREAS = [
    ("JSON", r"core/src/(wire/(?!answer|address|entries)|bytes/lanes|(send_mailer|http_send_mail)/body)"),
    ("decoding", r"core/src/text/form"),
    ("CSS", r"core/src/text/links/css"),
    ("blacklists", r"core/src/(blacklists|text/domain_set)"),
    ("URLs", r"core/src/text/links/(host|references|lists)|core/src/text/domain"),
    ("HTML", r"core/src/text/links"),
    ("addresses", r"core/src/(text/(address|unicode)|wire/(address|entries)|http_send_mail/recipients|bytes)"),
    ("domains asked about", r"core/src/domains"),
    ("placeholders and dates", r"core/src/text/(placeholder|date)"),
    ("checks of the content", r"core/src/(check|rule|content|(send_mailer|http_send_mail)/(content|request))"),
    ("checks of the facts", r"core/src/(facts|roles|account|(send_mailer|http_send_mail)/(facts|partial))"),
    ("questions", r"core/src/(questions|(send_mailer|http_send_mail)/questions)"),
    ("plan", r"core/src/(plan|commit|(send_mailer|http_send_mail)/(plan|personalization))"),
    ("answer", r"core/src/(decision|ending|wire/answer|code|violation)"),
    ("machine", r"core/src"),
    ("host", r"tests/bench/src"),
]

Costs = dict[str, float]
Lines = dict[tuple[str, int], float]


def area(path: str) -> str | None:
    # The standard library has a core/src, too.
    inside = path.removeprefix(f"{ROOT}/")
    return next((area for area, pattern in AREAS if re.match(pattern, inside)), None)


def parse(text: str) -> tuple[dict[str, Lines], dict[str, Costs]]:
    """The instructions of each function alone, by object and address, and with its callees, by its callers."""
    own: dict[str, Lines] = defaultdict(lambda: defaultdict(float))
    callers: dict[str, Costs] = defaultdict(lambda: defaultdict(float))
    function = object_file = callee = ""
    is_call = False
    for line in text.splitlines():
        key, _, value = line.partition("=")
        if key == "fn":
            function = f"{object_file}:{value}"
        elif key == "ob":
            object_file = callee_object = value
        elif key == "cob":
            callee_object = value
        elif key == "cfn":
            callee = f"{callee_object}:{value}"
            callee_object = object_file
        elif key == "calls":
            is_call = True
        elif line.startswith("0x"):
            address, _, cost = line.split()
            if is_call:
                if callee != function:
                    callers[callee][function] += float(cost)
                is_call = False
            else:
                own[function][object_file, int(address, 16)] += float(cost)
    return own, callers


def areas_of(addresses: list[int]) -> dict[int, str | None]:
    """The area of the innermost frame of each address of the program that is of the library or of the host."""
    lines = "".join(f"{address:#x}\n" for address in addresses)
    command = ["addr2line", "--addresses", "--inlines", f"--exe={PROGRAM}"]
    resolved = subprocess.run(command, input=lines, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[int, str | None] = {}
    address = 0
    for line in resolved.stdout.splitlines():
        if line.startswith("0x"):
            address = int(line, 16)
            found[address] = None
        elif found[address] is None:
            found[address] = area(line)
    return found


def spent(text: str) -> Costs:
    own, callers = parse(text)
    addresses = {address for lines in own.values() for name, address in lines if Path(name).name == PROGRAM.name}
    areas = areas_of(sorted(addresses))

    def area_at(name: str, address: int) -> str | None:
        return areas.get(address) if Path(name).name == PROGRAM.name else None

    # The shares of a function, for the functions that it calls: the areas of its own lines.
    shares: dict[str, Costs] = {}
    for function in set(own) | set(callers):
        share: Costs = defaultdict(float)
        for (name, address), cost in own[function].items():
            if known := area_at(name, address):
                share[known] += cost
        total = sum(share.values())
        shares[function] = {name: cost / total for name, cost in share.items()} if total else {}
    unknown = [function for function, share in shares.items() if not share]
    # Callers of callers, up to a bounded depth.
    for _ in range(30):
        for function in unknown:
            total = sum(callers[function].values())
            share = defaultdict(float)
            for caller, cost in callers[function].items():
                for name, part in shares.get(caller, {}).items():
                    share[name] += part * cost / total if total else 0.0
            shares[function] = dict(share)
    costs: Costs = defaultdict(float)
    for function, lines in own.items():
        for (name, address), cost in lines.items():
            known = area_at(name, address)
            for booked, part in ({known: 1.0} if known else shares[function]).items():
                costs[booked] += part * cost
    return costs


def main(*workloads: str) -> None:
    build = ["cargo", "build", "--quiet", "--profile", "bench", "--package", "franking-bench", "--bin", "repeat"]
    subprocess.run(build, cwd=ROOT, check=True)
    columns: dict[str, Costs] = {}
    for workload in workloads or TIMES:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out"
            callgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}"]
            callgrind += ["--dump-instr=yes", "--compress-pos=no", "--compress-strings=no"]
            collect = "--toggle-collect=repeat::counted"
            program = [str(PROGRAM), "franking", workload, str(TIMES[workload])]
            subprocess.run([*callgrind, collect, *program], check=True)
            columns[workload] = spent(out.read_text())
    print("| |" + "|".join(f" {workload} " for workload in columns) + "|")
    print("|---|" + "---:|" * len(columns))
    for name, _ in AREAS:
        cells = (f" {costs[name] / sum(costs.values()):.0%} " for costs in columns.values())
        print(f"| {name} |" + "|".join(cells) + "|")


if __name__ == "__main__":
    main(*sys.argv[1:])
