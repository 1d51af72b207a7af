#!/usr/bin/env python3
"""What was released, and what changed since: the ABI of the C library, the verdict on every vector, and the steps of the schema.

    tools/packaging/compatibility.py            says what breaks a promise of docs/library.md or of CHANGELOG.md; status 1 when something does
    tools/packaging/compatibility.py --write    records what is here; refused where the versions do not allow it

tools/packaging/compatibility/abi.txt is ffi/abi.txt under the version of the library that it belongs to.
tools/packaging/compatibility/verdicts.txt has, under the version of the rules, a line for each vector: a hash of the case and a hash of the
expected answer. tools/packaging/compatibility/schema.txt has, under the version of the library, a line for each step of the service's schema: its file, and
a hash of it. A database was made by these steps, so none is changed or removed once it is released: a new one is added.
As long as CHANGELOG.md calls a version unreleased, its record can be written anew.
"""

import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tools" / "packaging" / "compatibility"
STRUCT = re.compile(r"struct (\w+) (\d+) : (.*)")


def library_version():
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    return re.search(r'^version = "(.*)"$', manifest, re.MULTILINE)[1]


def rules_version():
    source = (ROOT / "core/src/rule.rs").read_text(encoding="utf-8")
    return re.search(r"pub const RULES_VERSION: u32 = (\d+);", source)[1]


def is_released(heading):
    """Whether CHANGELOG.md has this heading with a date; without the heading, the changelog is wrong."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(heading)} \((unreleased|\d{{4}}-\d{{2}}-\d{{2}})\)$", changelog, re.MULTILINE)
    if not found:
        raise SystemExit(f"CHANGELOG.md has no heading `## {heading} (unreleased)` or with a date")
    return found[1] != "unreleased"


def lines(text):
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def members(text):
    return [tuple(member.split()) for member in text.split(", ")]


def abi_breaks(old, new):
    """Lines of the old ABI on which programs can no longer rely.

    A structure that says its size in its first member may grow at its end; every other line has to stay as it is.
    """
    structures = {found[1]: found for found in map(STRUCT.fullmatch, lines(new)) if found}
    present = set(lines(new))
    for line in lines(old):
        if line in present:
            continue
        was = STRUCT.fullmatch(line)
        now = was and structures.get(was[1])
        if now:
            before, after = members(was[3]), members(now[3])
            is_sized = before[0] == ("size", "0")
            if is_sized and int(now[2]) >= int(was[2]) and after[: len(before)] == before:
                continue
        yield line


def digest(value, characters):
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:characters]


def verdicts():
    """The hash of each case with the hash of its expected answer. Names and numbers of cases do not count."""
    found = {}
    for file in sorted((ROOT / "tests/vectors").glob("*.json")):
        for vector in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            case, expect = vector["case"], vector["expect"]
            if "$line" not in case:
                case = {name: value for name, value in case.items() if name != "id"}
            expect = {name: value for name, value in expect.items() if name != "id"}
            found[digest(case, 12)] = digest(expect, 6)
    return found


def verdict_changes(old, new):
    """The recorded cases that have another answer now, or that are in no vector any more."""
    return [case for case, expect in old.items() if new.get(case) != expect]


def schema():
    """The hash of each step of the service's schema, by its file."""
    files = sorted((ROOT / "programs/service/src/store").glob("*/migrations/*.sql"))
    return {file.relative_to(ROOT).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def schema_changes(old, new):
    """The recorded steps that have changed or are gone."""
    return [file for file, step in old.items() if new.get(file) != step]


def read(name):
    """The version in the first line of a record, and the rest."""
    first, _, rest = (RECORDED / name).read_text(encoding="utf-8").partition("\n")
    return first.removeprefix("# version "), rest


def findings():
    """Pairs: what is wrong, and whether recording anew is allowed."""
    version, old = read("abi.txt")
    broken = list(abi_breaks(old, (ROOT / "ffi/abi.txt").read_text(encoding="utf-8")))
    if broken and version.split(".")[0] == library_version().split(".")[0]:
        yield (
            f"{len(broken)} lines of the ABI of {version} are broken, such as `{broken[0]}`: programs that were built against it"
            " break. The major version of Cargo.toml has to rise, and SONAME and CMake's version with it.",
            not is_released(version),
        )
    version, old = read("verdicts.txt")
    changed = verdict_changes(dict(line.split() for line in lines(old)), verdicts())
    if changed and version == rules_version():
        yield (
            f"{len(changed)} vectors that were recorded are answered otherwise or are gone: RULES_VERSION in core/src/rule.rs has to"
            " rise, with an entry in CHANGELOG.md.",
            not is_released(f"Rules {version}"),
        )
    version, old = read("schema.txt")
    changed = schema_changes(dict(line.split() for line in lines(old)), schema())
    if changed:
        yield (
            f"{len(changed)} steps of the schema of {version} are changed or gone, such as {changed[0]}: databases that were made by"
            " them would differ. What changes goes into a new step.",
            not is_released(version),
        )


def write():
    for finding, is_allowed in findings():
        if not is_allowed:
            raise SystemExit(finding)
    for heading in (library_version(), f"Rules {rules_version()}"):
        is_released(heading)
    abi = (ROOT / "ffi/abi.txt").read_text(encoding="utf-8")
    (RECORDED / "abi.txt").write_text(f"# version {library_version()}\n{abi}", encoding="utf-8")
    rows = "".join(f"{case} {expect}\n" for case, expect in sorted(verdicts().items()))
    steps = "".join(f"{file} {step}\n" for file, step in schema().items())
    (RECORDED / "schema.txt").write_text(f"# version {library_version()}\n{steps}", encoding="utf-8")
    (RECORDED / "verdicts.txt").write_text(f"# version {rules_version()}\n{rows}", encoding="utf-8")


def main():
    if sys.argv[1:] == ["--write"]:
        write()
        return 0
    if sys.argv[1:]:
        sys.exit(__doc__)
    found = list(findings())
    for finding, is_allowed in found:
        print(finding)
        if is_allowed:
            print("  That version is not released: tools/packaging/compatibility.py --write records what is here instead.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
