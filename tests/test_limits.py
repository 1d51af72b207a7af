"""Every bound that docs/limits.md states names the tests that hold it, and they exist. Figures of pages are those of the code.

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


def in_megabytes(length):
    assert length % (1 << 20) == 0, length
    return length >> 20


def constant(path, name):
    """The value of a constant in Rust, or of a member of a structure. It is written as a number, which may be shifted."""
    written = rf"^ *(?:(?:pub(?:\(\w+\))? )?const {name}: \w+ =|{name}:) ([\d_]+)(?: << (\d+))?[;,]$"
    ((number, shift),) = re.findall(written, (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    return int(number.replace("_", "")) << int(shift or 0)


def figures():
    """Sentences that have figures of the code, each with the page that has it. The tests in Rust check other figures."""
    service, megabyte = "programs/service/src", 1 << 20

    rows = constant(f"{service}/desk/window.rs", "ROWS")
    yield "desk.md", f"A page shows up to {rows:,} rows of a list"
    domains = constant(f"{service}/store/asked.rs", "DOMAINS_AT_ONCE")
    yield "desk.md", f"A call that asks about more than {domains:,} domains is not decided."
    yield "limits.md", f"with the data of an account: it asks about at most {domains:,} domains"

    length = in_megabytes(constant(f"{service}/transcripts/mod.rs", "LONGEST"))
    questions = constant(f"{service}/transcripts/mod.rs", "MOST_QUESTIONS")
    yield "limits.md", f"of up to {length} MB that ask about at most {questions:,} recipients, senders and domains"

    of_one, of_all = (constant(f"{service}/http/lookups.rs", name) for name in ("OF_ONE_EMAIL", "OF_ALL"))
    yield "limits.md", f"in turn with those of others. {of_one} requests for links of one email wait or are served, and {of_all} of all emails."

    serve = (ROOT / service / "command" / "serve.rs").read_text(encoding="utf-8")
    batch = re.search(r"batch\.clamp\((\d+),", serve)[1]
    yield "emails.md", f"it holds fewer in memory than a batch, which is {batch} (more if `max_sends` is large)."
    html = constant(f"{service}/outbox/limits.rs", "batch_bytes")
    megabytes = in_megabytes(html)
    yield "emails.md", f"At most `max_sends` emails and {megabytes} MB of HTML are being sent at once."
    yield "emails.md", f"At most {megabytes} MB of HTML wait in memory, each text once, and at most {megabytes} MB are being sent."
    yield "limits.md", f"Their HTML that waits, and their HTML that is being sent: {megabytes} MB each"
    # An account leaves one of this many equal parts to others. The page has the number as a word.
    words = {8: ("eight", "an eighth")}
    parts = constant(f"{service}/outbox/connections.rs", "SHARE") + 1
    below, left = words[parts]
    yield "emails.md", f"A single account leaves {left} of both free for others. If `max_sends` is below {below},"
    _, left = words[constant(f"{service}/outbox/run/claims.rs", "RESERVE")]
    yield "emails.md", f"It also leaves {left} of the emails and of the bytes that are held in memory."
    # Of what is left, the next account leaves a part as well.
    shared = html // parts * (parts - 1) // parts // megabyte
    yield "emails.md", f"Only an email with more than {shared} MB of HTML may have to wait"

    rows = constant("programs/bulk/src/read/parquet.rs", "MOST")
    yield "bulk.md", f"a page of each column that is read, and {rows:,} rows of the carried columns."
    record = in_megabytes(constant("programs/bulk/src/read/delimited.rs", "LONGEST"))
    yield "bulk.md", f"A record of CSV may have {record} MB."
    yield "limits.md", f"A record of CSV that `franking-bulk` reads: {record} MB"


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

    def test_figures_of_pages_are_those_of_the_code(self):
        for page, sentence in figures():
            words = (ROOT / "docs" / page).read_text(encoding="utf-8").split()
            self.assertTrue(sentence in " ".join(words), f"docs/{page} does not say: {sentence}")

    def test_a_bound_without_a_test_and_a_test_that_is_gone_are_told(self):
        page = "| bound | held by |\n|---|---|\n| one | nobody |\n| two | `gone`, `there` |\n| three | none |\n"
        self.assertEqual(
            list(missing(page, {"there"})), ["no test holds: one", "there is no test gone: two"]
        )


if __name__ == "__main__":
    unittest.main()
