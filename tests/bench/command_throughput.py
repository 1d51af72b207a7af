"""Measures the speed and memory of the command on a stream of calls, beside `preflight_many` of the wheel and `jq -c .`.

    python3 tests/bench/command_throughput.py [MEGABYTES]

Prints megabytes a second and the peak of memory of each, over the same calls on standard input. The promise is
about memory: the command, given eight times as many calls, takes at most 1.25 times the memory. Needs a release build of the
command; `jq` and an installed wheel are left out, and named, where they are missing.
"""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# `make prove` names the folder in which it has built the command.
COMMAND = pathlib.Path(os.environ.get("BUILT_FOR_TESTS", TARGET / "release")) / "franking"
PYTHON = """
import itertools, sys, franking
wrong = 0
while batch := list(itertools.islice(sys.stdin.buffer, 20_000)):
    wrong += sum(not found.is_clean for found in franking.preflight_many("sendMailer", batch))
print(wrong)
"""


def calls(megabytes):
    """Calls of sendMailer, one on each line. One call in a hundred is wrong."""
    size = 0
    number = 0
    while size < megabytes * 1_000_000:
        lines = []
        for _ in range(20_000):
            number += 1
            email = f"reader{number}@customer{number % 977}.example"
            if number % 100 == 0:
                email = email.replace("@", "(at)")
            call = {"apiKey": f"key-{number % 31}", "mailerID": number % 1013 + 1, "email": email}
            call |= {"firstName": f"Jürgen {number}", "city": "Pune", "pinCode": 411001, "customField": "x" * (number % 160)}
            lines.append(json.dumps(call, ensure_ascii=False))
        text = ("\n".join(lines) + "\n").encode()
        size += len(text)
        yield text


def peak(process):
    """The peak of memory of a running program until now, in kilobytes, as the kernel states it; 0 when it has ended."""
    try:
        status = pathlib.Path("/proc", str(process.pid), "status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), 0)


def run(arguments, path):
    """The seconds that a program takes, and its peak of memory in kilobytes.

    The peak is read while it runs, because the one of `wait4` includes the memory of this program before the fork."""
    kilobytes = 0
    with path.open("rb") as given, tempfile.TemporaryFile() as written:
        started = time.monotonic()
        process = subprocess.Popen(arguments, stdin=given, stdout=written)
        while process.poll() is None:
            kilobytes = max(kilobytes, peak(process))
            time.sleep(0.01)
        seconds = time.monotonic() - started
    if process.returncode not in (0, 1):
        sys.exit(f"{arguments[0]} ends with status {process.returncode}")
    return seconds, kilobytes


def main():
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    check = [str(COMMAND), "check", "--lines", "--operation", "sendMailer", "--no-warnings"]
    contenders = {"franking check": check, "franking check --json": [*check, "--json"]}
    if importlib.util.find_spec("franking"):
        contenders["preflight_many (Python)"] = [sys.executable, "-c", PYTHON]
    else:
        print("not run: preflight_many, because the wheel is not installed")
    if shutil.which("jq"):
        contenders["jq -c ."] = ["jq", "-c", "."]
    else:
        print("not run: jq, because it is not installed")
    with tempfile.TemporaryDirectory() as folder:
        part, whole = pathlib.Path(folder, "part.jsonl"), pathlib.Path(folder, "whole.jsonl")
        with whole.open("wb") as file:
            for text in calls(megabytes):
                file.write(text)
        with part.open("wb") as file:
            for text in calls(megabytes / 8):
                file.write(text)
        size = whole.stat().st_size / 1e6
        print(f"{size:.0f} MB of calls, one a line")
        print(f"{'':<26}{'MB/s':>8}{'peak, MB':>10}")
        for name, arguments in contenders.items():
            seconds, kilobytes = run(arguments, whole)
            print(f"{name:<26}{size / seconds:>8.0f}{kilobytes / 1000:>10.1f}", flush=True)
        _, of_part = run(check, part)
        _, of_whole = run(check, whole)
    is_flat = of_whole <= of_part * 1.25
    print(f"memory for an eighth of the calls: {of_part / 1000:.1f} MB, for all: {of_whole / 1000:.1f} MB")
    print(f"cases tried 1, findings {0 if is_flat else 1}")
    return 0 if is_flat else 1


if __name__ == "__main__":
    sys.exit(main())
