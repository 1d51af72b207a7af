"""Runs executors over the vectors and compares every answer.

    python tests/conformance.py [--vectors FOLDER] [--only TEXT] [--operation NAME] [--every N] [--up-to BYTES] LANGUAGE...

A language is started as `tests/executors/run LANGUAGE`; `reference` is the second implementation in `tests/reference`, which
needs what its requirements.txt names; `NAME=COMMAND` starts a command of your own. A case and its expected answer may hold
recipes (see tests/vectors/README.md). Answers are compared after sorting keys. Exit status 1 when one differs. Standard library
only.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parent
SHOWN = 12  # differences shown for each language
WIDTH = 160  # characters of a value shown


# Recipes


def expand(value):
    """The value with its recipes carried out; matchers stay as they are."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["$parts"]:
        return "".join(repeat_text(*part) for part in value["$parts"])
    if list(value) == ["$items"]:
        return [numbered(expand(item), index) for item, count in value["$items"] for index in range(count)]
    return {key: expand(item) for key, item in value.items()}


def repeat_text(text, count, *numbered_from):
    """`text`, `count` times; with a third member, each `#` is the number of the repetition from it."""
    if not numbered_from:
        return text * count
    return "".join(text.replace("#", str(numbered_from[0] + index)) for index in range(count))


def numbered(value, index):
    """The value with every {"$number": n} as n plus the index."""
    if isinstance(value, list):
        return [numbered(item, index) for item in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ["$number"]:
        return value["$number"] + index
    return {key: numbered(item, index) for key, item in value.items()}


# Comparison


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def differences(expected, got, path=""):
    """Lines that say where an answer is not what is expected."""
    if isinstance(expected, dict) and list(expected) == ["$text"]:
        wanted = expected["$text"]
        if isinstance(got, str) and got.strip() and wanted in got:
            return
        yield f"{path or '/'}: expected a text with {wanted!r}, got {shown(got)}"
        return
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in sorted(set(expected) | set(got)):
            here = f"{path}/{key}"
            if key not in got:
                yield f"{here}: missing, expected {shown(expected[key])}"
            elif key not in expected:
                yield f"{here}: not expected, got {shown(got[key])}"
            else:
                yield from differences(expected[key], got[key], here)
        return
    if isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for index, (one, other) in enumerate(zip(expected, got)):
            yield from differences(one, other, f"{path}/{index}")
        return
    if canonical(expected) != canonical(got):
        yield f"{path or '/'}: expected {shown(expected)}, got {shown(got)}"


def shown(value):
    text = canonical(value)
    return text if len(text) <= WIDTH else f"{text[:WIDTH]}… ({len(text)} characters)"


# Running


def load(folder, only):
    """(file name, name of the vector, case, expected) of every vector."""
    vectors = []
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            name = f"{path.stem}: {vector['name']}"
            if only in name:
                vectors.append((name, vector["case"], vector["expect"]))
    return vectors


def command(language):
    if language == "reference":
        return [sys.executable, "-m", "reference"]
    if "=" in language:
        return shlex.split(language.partition("=")[2])
    return [str(TESTS / "executors" / "run"), language]


def line_of(case):
    """The line sent for a case; a case may be a raw line, for executors' own errors."""
    case = expand(case)
    return case["$line"] if list(case) == ["$line"] else json.dumps(case, ensure_ascii=False)


def run(language, vectors):
    """(equal, list of (name, lines of difference), seconds)."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
    }
    started = time.monotonic()  # clock: printed, not judged
    process = subprocess.Popen(
        command(language), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )

    def feed():
        try:
            for _, case, _ in vectors:
                process.stdin.write(line_of(case).encode("utf-8") + b"\n")
            process.stdin.close()
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=feed, daemon=True)
    writer.start()
    equal, different = 0, []
    for name, _, expect in vectors:
        line = process.stdout.readline()
        if not line:
            different.append((name, ["no answer: the executor ended"]))
            continue
        try:
            got = json.loads(line)
        except ValueError:
            different.append((name, [f"the answer is not JSON: {line[:WIDTH]!r}"]))
            continue
        found = list(differences(expand(expect), got))
        if found:
            different.append((name, found))
        else:
            equal += 1
    if process.stdout.read(1):
        different.append(("the end", ["more answers than cases"]))
    # clock: an executor that ended early leaves a writer behind; its answers are judged
    writer.join(timeout=10)
    if process.wait() != 0:
        different.append(("the end", [f"exit status {process.returncode}"]))
    return equal, different, time.monotonic() - started  # clock: printed, not judged


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("languages", nargs="+", metavar="LANGUAGE")
    parser.add_argument("--vectors", default=TESTS / "vectors", help="folder of the vectors")
    parser.add_argument("--only", default="", help="only vectors whose file and name hold this text")
    parser.add_argument("--operation", help="only calls of this operation")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth vector")
    parser.add_argument("--up-to", type=int, metavar="BYTES", help="only cases whose line has at most this many bytes")
    parser.add_argument("--all", action="store_true", help="show every difference")
    arguments = parser.parse_args()
    vectors = load(arguments.vectors, arguments.only)
    if arguments.operation:
        vectors = [vector for vector in vectors if vector[1].get("operation") == arguments.operation]
    vectors = vectors[:: arguments.every]
    if arguments.up_to is not None:
        vectors = [vector for vector in vectors if len(line_of(vector[1]).encode("utf-8")) <= arguments.up_to]
    rows, passed, failed = [], 0, 0
    for language in arguments.languages:
        equal, different, seconds = run(language, vectors)
        language = language.partition("=")[0]
        rows.append((language, len(vectors), equal, len(different), f"{seconds:.1f}"))
        passed += equal
        failed += len(different)
        for name, lines in different if arguments.all else different[:SHOWN]:
            print(f"{language}: {name}")
            for line in lines[:SHOWN]:
                print(f"    {line}")
        if len(different) > SHOWN and not arguments.all:
            print(f"{language}: and {len(different) - SHOWN} more (--all shows them)")
    print(f"{'language':<12}{'cases':>8}{'equal':>8}{'different':>11}{'seconds':>9}")
    for language, cases, equal, different, seconds in rows:
        print(f"{language:<12}{cases:>8}{equal:>8}{different:>11}{seconds:>9}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not vectors else 0)


if __name__ == "__main__":
    main()
