#!/usr/bin/env python3
"""Writes the results of `make bench` into docs/performance.md, between its marks.

    tests/bench/figures.py            target/bench/ratios.json
    tests/bench/figures.py --where    also where the time goes, which tests/bench/instruction_profile.py counts anew
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PAGE = ROOT / "docs" / "performance.md"
WORKLOADS = ("W1", "W2", "W3", "W4", "W5")
ROWS = {
    "rust": "Rust, to the `lol_html` peer",
    "rust_ordinary": "the same, ordinary host",
    "rust_unread": "Rust, deciding alone: the HTML of the plan is not read",
    "rust_ordinary_unread": "the same, ordinary host",
    "c": "C, to our Rust",
    "c_ordinary": "the same, ordinary host in both",
    "python": "Python, to our Rust",
    "python_ordinary": "the same, ordinary host in both",
    "python_peer": "Python, to the Python peer",
}


def figures() -> str:
    found = json.loads((TARGET / "bench" / "ratios.json").read_text())
    lines = ["| |" + "|".join(f" {name} " for name in WORKLOADS) + "|", "|---|" + "---:|" * len(WORKLOADS)]
    for section, title in ROWS.items():
        # sendMailer has no HTML that could be left unread.
        cells = (f" {found[section][name]:.3g} " if name in found[section] else " " for name in WORKLOADS)
        lines.append(f"| {title} |" + "|".join(cells) + "|")
    us = found["python_us"]
    lines += [
        "",
        f"In Python the preflight of W1 takes {us['check_W1']:.2f} us and its decision {us['decide_W1']:.2f} us. Deciding "
        "W3 adds",
        f"{found['memory_w3_mb']:.1f} MB of memory: the HTML, decoded once, which the plan lends. Two threads decide W1 {found['two_threads']:.2f} times as often as one.",
    ]
    return "\n".join(lines)


def put(page: str, mark: str, text: str) -> str:
    start, end = f"<!-- {mark} -->\n", f"\n<!-- end of {mark} -->"
    pattern = re.escape(start) + r".*?" + re.escape(end)
    return re.sub(pattern, lambda _: start + text + end, page, count=1, flags=re.DOTALL)


def main(*arguments: str) -> None:
    page = put(PAGE.read_text(), "figures", figures())
    if "--where" in arguments:
        where = subprocess.run([ROOT / "tests" / "bench" / "instruction_profile.py"], check=True, stdout=subprocess.PIPE, text=True)
        page = put(page, "where", where.stdout.rstrip("\n"))
    PAGE.write_text(page)


if __name__ == "__main__":
    main(*sys.argv[1:])
