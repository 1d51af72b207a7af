"""Each block of code in a page is run, compiled or read by a test.

    python3 -m unittest tests/test_blocks.py
"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from test_pages import pages, read  # noqa: E402

BLOCK = re.compile(r"^```([^\n]*)\n.*?^```$", re.MULTILINE | re.DOTALL)

# By page: the languages of its blocks ("" for a block without one), and the file of the test that takes them from the page.
TAKEN = {
    "README.md": {
        "console": "programs/cli/tests/page.rs",
        "cpp": "tests/c/docs.sh",
        "python": "python/tests/test_documentation.py",
        "rust": "tests/executors/rust/src/lib.rs",
        "sh": "tests/c/examples.sh",
        "text": "tests/c/docs.sh",
    },
    "core/README.md": {"rust": "tests/executors/rust/src/lib.rs"},
    "docs/binding.md": {"python": "tests/executors/json/executor.py"},
    "docs/bulk.md": {
        "console": "programs/bulk/tests/page.rs",
        "python duckdb": "tests/bulk/recipes.py",
        "python ray": "tests/bulk/recipes.py",
        "python spark": "tests/bulk/recipes.py",
    },
    "docs/c.md": {"": "tests/c/docs.sh", "c": "tests/c/docs.sh"},
    "docs/checking.md": {"python": "python/tests/test_documentation.py", "yaml": "python/tests/test_command.py"},
    "docs/command.md": {"console": "programs/cli/tests/page.rs"},
    "docs/conformance.md": {"json": "tests/fuzz/test_documented.py", "python": "tests/reference/generate/__main__.py"},
    "docs/cpp.md": {"": "tests/c/docs.sh", "cpp": "tests/c/docs.sh"},
    "docs/emails.md": {
        "html": "programs/service/src/mail/template/tests.rs",
        "toml": "programs/service/src/settings/page.rs",
    },
    "docs/events.md": {
        "c": "tests/c/docs.sh",
        "cpp": "tests/c/docs.sh",
        "js": "tests/description/prove.sh",
        "json": "programs/service/src/events/notice.rs",
        "python": "python/tests/test_documentation.py",
        "rust": "tests/executors/rust/src/lib.rs",
        "text": "tests/c/docs.sh",
    },
    "docs/first-email.md": {"sh": "programs/service/tests/pages.rs", "toml": "programs/service/tests/pages.rs"},
    "docs/library.md": {"cmake": "tests/packages/installs.sh", "sh": "tests/packages/installs.sh"},
    "docs/migrating.md": {"python": "python/tests/test_documentation.py", "text": "tests/server/test_drive.py"},
    "docs/operating.md": {"console": "programs/service/tests/pages.rs"},
    "docs/outcomes.md": {"json": "programs/service/src/events/notice.rs"},
    "docs/python-host.md": {
        "python": "python/tests/test_documentation.py",
        "python needs=django": "python/tests/test_documentation.py",
        "python needs=fastapi": "python/tests/test_documentation.py",
    },
    "docs/python.md": {"python": "python/tests/test_documentation.py"},
    "docs/rust.md": {"rust": "tests/executors/rust/src/lib.rs"},
    "docs/service.md": {"sh": "programs/service/tests/pages.rs", "text": "programs/service/tests/pages.rs"},
    "docs/settings.md": {"toml": "programs/service/src/settings/page.rs"},
    "examples/rust/README.md": {"sh": "examples/rust/tests.rs"},
    "programs/cli/README.md": {"console": "programs/cli/tests/page.rs"},
    "python/README.md": {"python": "python/tests/test_documentation.py"},
}

# By page: the languages of blocks that no test can take, each with the reason.
LEFT_OUT = {
    "CONTRIBUTING.md": {"sh": "one line out of the middle of a script"},
    "docs/conformance.md": {"": "the shapes of forms: the blocks of JSON below them are answered"},
    "docs/outcomes.md": {"": "configuration of Postfix, which the tests do not install"},
    "tests/hostile/README.md": {"sh": "the parts memory and work of `make prove`, at another length"},
    "tests/vectors/README.md": {"": "the shape of a file"},
}


def blocks():
    """The page and the language of each block, each pair once."""
    return {(page, language) for page in pages() for language in BLOCK.findall(read(page))}


def listed(table):
    return {(page, language) for page, languages in table.items() for language in languages}


class Blocks(unittest.TestCase):
    def test_each_is_taken_by_a_test_or_left_out_for_a_reason(self):
        self.assertEqual(sorted(blocks() - listed(TAKEN) - listed(LEFT_OUT)), [])
        self.assertEqual(sorted((listed(TAKEN) | listed(LEFT_OUT)) - blocks()), [])
        self.assertEqual(listed(TAKEN) & listed(LEFT_OUT), set())

    def test_the_tests_that_take_them_read_these_pages(self):
        for page, languages in TAKEN.items():
            for language, test in languages.items():
                with self.subTest(page=page, language=language):
                    self.assertIn(pathlib.PurePath(page).name, read(test))

    def test_the_loop_of_a_binding_is_the_one_that_the_executor_runs(self):
        (loop,) = re.findall(r"^```python\n(.*?)^```$", read("docs/binding.md"), re.MULTILINE | re.DOTALL)
        self.assertIn(loop, read("tests/executors/json/executor.py"))


if __name__ == "__main__":
    unittest.main()
