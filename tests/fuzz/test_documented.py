"""The examples of docs/conformance.md, run through the Rust executor: each case is followed by its answer."""

import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")


def sorted_text(value):
    return json.dumps(value, sort_keys=True, indent=1)


class DocumentedTest(unittest.TestCase):
    maxDiff = None

    def test_every_example_gets_the_answer_that_follows_it(self):
        blocks = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)]
        cases, answers = blocks[::2], blocks[1::2]
        self.assertEqual(len(cases), len(answers))
        lines = "".join(json.dumps(case) + "\n" for case in cases)
        run = subprocess.run(
            [ROOT / "tests/executors/run", "rust"], input=lines.encode("ascii"), stdout=subprocess.PIPE, check=True
        )
        given = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(len(given), len(cases))
        for case, answer, documented in zip(cases, given, answers, strict=True):
            with self.subTest(case["id"]):
                # As text: True is not 1, and 1 is not 1.0.
                self.assertEqual(sorted_text(answer), sorted_text(documented))

    def test_every_kind_of_case_has_a_row_and_but_for_rules_an_example(self):
        table = PAGE[PAGE.index("## Cases") : PAGE.index("### A decision")]
        rows = set(re.findall(r"^\| `([a-z]+)` \|", table, re.MULTILINE)) - {"do"}
        source = (ROOT / "tests/executors/rust/src/cases.rs").read_text(encoding="utf-8")
        match = source[source.index('match text(case, "do")?') :]
        kinds = set(re.findall(r'^ {8}"([a-z]+)" =>', match[: match.index("unknown =>")], re.MULTILINE))
        self.assertEqual(rows, kinds)
        self.assertEqual(set(re.findall(r'"do": "([a-z]+)"', PAGE)), kinds - {"rules"})


if __name__ == "__main__":
    unittest.main()
