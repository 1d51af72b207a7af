"""Every bound that docs/limits.md states names the tests that hold it, and they exist.

    python3 -m unittest tests/test_limits.py

A name in the last column of a table is that of a function of a test, of a part of tests/parts.py, or of a step of
tests/c/run.sh. A bound without a test says `none`, and gives the reason in its first column.
"""

import pathlib
import re
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from parts import CHECK, PROVE, TEST  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
DEFINED = re.compile(
    r"^\s*(?:pub(?:\(crate\))? )?(?:const )?(?:async )?fn (\w+)\(|^\s*(?:async )?def (\w+)\(|^static void (\w+)\(|^(\w+)\(\) \{",
    re.MULTILINE,
)
QUOTED = re.compile(r'^\s*step "([^"]+)"', re.MULTILINE)


def rows(page):
    """The cells of each row of each table: what is bounded, and what holds it."""
    for line in page.splitlines():
        if line.startswith("| ") and not line.startswith("| bound "):
            bound, held = line.strip("| ").rsplit(" | ", 1)
            yield bound, held


def names():
    """Every name that a row may give."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    found = set()
    for path in listed.stdout.split("\0"):
        is_source = path.endswith((".rs", ".py", ".c", ".sh"))
        if is_source and re.search(r"(^|/)(tests?|src)/", path) and (ROOT / path).is_file():
            text = (ROOT / path).read_text(encoding="utf-8")
            found.update(name for names in DEFINED.findall(text) for name in names if name)
            if path == "tests/c/run.sh":
                found.update(QUOTED.findall(text))
    found.update(part.shows for part in CHECK + TEST + PROVE)
    return found


def missing(page, existing):
    """What is wrong with a page, a sentence each."""
    for bound, held in rows(page):
        tests = re.findall(r"`([^`]+)`", held)
        if not tests and held != "none":
            yield f"no test holds: {bound}"
        for test in tests:
            if test not in existing and not (ROOT / test).is_file():
                yield f"there is no test {test}: {bound}"


class Limits(unittest.TestCase):
    def test_every_bound_names_tests_that_exist(self):
        page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
        self.assertGreater(len(list(rows(page))), 20)
        self.assertEqual(list(missing(page, names())), [])

    def test_the_page_has_the_bound_that_is_counted_for_calls_through_c(self):
        page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
        said = re.search(r"at most ([\d,]+) instructions more than in Rust", page)[1].replace(",", "")
        counted = re.search(r"c - rust <= (\d+)", (ROOT / "tests" / "c" / "run.sh").read_text(encoding="utf-8"))[1]
        self.assertEqual(said, counted)

    def test_a_bound_without_a_test_and_a_test_that_is_gone_are_told(self):
        page = "| bound | held by |\n|---|---|\n| one | nobody |\n| two | `gone`, `there` |\n| three | none |\n"
        self.assertEqual(
            list(missing(page, {"there"})), ["no test holds: one", "there is no test gone: two"]
        )


if __name__ == "__main__":
    unittest.main()
