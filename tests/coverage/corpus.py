"""Fails unless the vectors cover every rule, code, policy key, conflict, warning and kind of case.

    python tests/coverage/corpus.py [--missing]

What there is to cover is asked of the library: the rules by the executor's `rules` case, the rest by `franking-fuzz
names`; the kinds of cases are those that the Rust executor tells apart. Nothing of it is repeated here. `--missing`
shows all that is not covered, not only the first few. Standard library only.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from conformance import expand  # noqa: E402

OPERATIONS = ["sendMailer", "httpSendMail"]
# What a preflight judges: phases 1 and 4 and the empty key, but not the method.
PREFLIGHT_PHASES = {1, 4}
NOT_IN_PREFLIGHT = {"method-not-post"}
ALSO_IN_PREFLIGHT = {"key-missing"}
SHOWN = 10


def rules():
    """The rule table, from the executor."""
    run = subprocess.run(
        [ROOT / "tests/executors/run", "rust"],
        input=b'{"id": 1, "do": "rules"}\n',
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(run.stdout)["rules"]


def names():
    """Policy keys, conflicts and warnings, from the library."""
    subprocess.run(["cargo", "build", "--quiet", "--release", "--package", "franking-fuzz"], cwd=ROOT, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    run = subprocess.run([target / "release" / "franking-fuzz", "names"], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def kinds():
    """The kinds of cases, from the match of the Rust executor."""
    source = (ROOT / "tests/executors/rust/src/cases.rs").read_text(encoding="utf-8")
    match = source[source.index('match text(case, "do")?') :]
    return re.findall(r'^ {8}"([a-z]+)" =>', match[: match.index("unknown =>")], re.MULTILINE)


def vectors(folder):
    for path in sorted(folder.glob("*.json")):
        for vector in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            if "$line" not in vector["case"]:
                yield vector["case"], expand(vector["expect"])


def wanted():
    """{subject: all its members}."""
    table, library = rules(), names()
    applies = [(row, operation) for row in table for operation in OPERATIONS if row[operation] is not None]
    return {
        "rule that decides, by operation": {(row["rule"], operation) for row, operation in applies},
        "rule in a preflight, by operation": {
            (row["rule"], operation)
            for row, operation in applies
            if (row["phase"] in PREFLIGHT_PHASES or row["rule"] in ALSO_IN_PREFLIGHT)
            and row["rule"] not in NOT_IN_PREFLIGHT
        },
        "code that answers, by operation": {(row[operation], operation) for row, operation in applies}
        | {(200, operation) for operation in OPERATIONS},
        "policy key": set(library["policy"]),
        "conflict at commit, by operation": {
            (entry["conflict"], operation) for entry in library["conflicts"] for operation in entry["operations"]
        },
        "conflict that decides, by operation": {
            (entry["conflict"], operation) for entry in library["conflicts"] for operation in entry["operations"]
        },
        "warning": set(library["warnings"]),
        "kind of case": set(kinds()),
    }


def covered(folder):
    """{subject: how often each member stands in the vectors}."""
    seen = collections.defaultdict(collections.Counter)
    for case, expect in vectors(folder):
        if set(expect) == {"id", "error"}:
            continue
        kind, operation = case.get("do"), case.get("operation")
        seen["kind of case"][kind] += 1
        for key in {**case.get("policy", {}), **case.get("transcript", {}).get("policy", {})}:
            seen["policy key"][key] += 1
        if kind == "decide":
            seen["rule that decides, by operation"][expect["rule"], operation] += 1
            seen["code that answers, by operation"][expect["code"], operation] += 1
            commits = [entry for entry in case.get("world", {}).get("commits", []) if isinstance(entry, dict)]
            happened = commits[: expect["asked"]["commits"]]
            for entry in happened:
                seen["conflict at commit, by operation"][entry["conflict"], operation] += 1
            if happened and len(happened) == expect["asked"]["commits"] and expect["code"] != 200:
                seen["conflict that decides, by operation"][happened[-1]["conflict"], operation] += 1
        if kind == "preflight":
            seen["warning"].update(warning["warning"] for warning in expect["warnings"])
            for violation in expect["violations"]:
                seen["rule in a preflight, by operation"][violation["rule"], operation] += 1
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--missing", action="store_true", help="show all that is not covered")
    parser.add_argument("--vectors", type=pathlib.Path, default=ROOT / "tests/vectors", help="folder of the vectors")
    arguments = parser.parse_args()
    seen = covered(arguments.vectors)
    passed = failed = 0
    print(f"{'what':<36}{'all':>6}{'covered':>9}{'least often':>13}")
    for subject, members in wanted().items():
        counts = {member: seen[subject][member] for member in members}
        missing = sorted(str(member) for member, count in counts.items() if not count)
        print(f"{subject:<36}{len(members):>6}{len(members) - len(missing):>9}{min(counts.values(), default=0):>13}")
        for member in missing if arguments.missing else missing[:SHOWN]:
            print(f"    no vector: {member}")
        # A subject of which nothing is known has not been covered.
        passed += len(members) - len(missing)
        failed += len(missing) or not members
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
