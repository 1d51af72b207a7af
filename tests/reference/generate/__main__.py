"""Rewrites tests/vectors; with --check, fails when a file there is stale."""

import argparse
import importlib
import pathlib
import pkgutil
import re
import sys

from . import __path__ as here
from . import send_mailer
from .kit import Suite

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "vectors"
NOT_SUBJECTS = {"__main__", "kit", "scenario"}


def suites():
    for module in sorted(info.name for info in pkgutil.iter_modules(here)):
        if module not in NOT_SUBJECTS:
            yield from importlib.import_module(f"{__package__}.{module}").suites()


def add_as_the_page_does():
    """Adds the vector that docs/conformance.md shows as an example. It raises when the reference answers another one."""
    page = (VECTORS.parents[1] / "docs" / "conformance.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    suite = Suite("page", "the example of the page")
    exec(line, {"suite": suite, "MAILER": send_mailer.MAILER})
    assert len(suite.vectors) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a file is stale")
    check = parser.parse_args().check
    add_as_the_page_does()
    stale, total, size, names = [], 0, 0, set()
    for suite in suites():
        path = VECTORS / f"{suite.name}.json"
        names.add(path.name)
        text = suite.text()
        total += len(suite.vectors)
        size += len(text.encode("utf-8"))
        print(f"{len(suite.vectors):6} {path.name}")
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(path.name)
        if not check:
            path.write_text(text, encoding="utf-8")
    for path in VECTORS.glob("*.json"):
        if path.name not in names:
            stale.append(path.name)
            if not check:
                path.unlink()
    print(f"{total:6} cases, {size / 1e6:.1f} MB")
    if check and stale:
        print("stale: " + ", ".join(stale) + " (python -m reference.generate)")
        sys.exit(1)


if __name__ == "__main__":
    main()
