"""Links of the pages lead somewhere, and what the pages say about releases, numbers and versions is true.

    python3 -m unittest tests/test_pages.py
"""

import html
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "packaging"))

import compatibility  # noqa: E402

# The pages that registries show for packages. Files of the repository are not beside them there.
OF_PACKAGES = ("programs/cli/README.md", "core/README.md", "python/README.md")
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
LINK = re.compile(r"\]\(([^()\s]+)\)|(?:src|href)=\"([^\"]+)\"")
# Ways to get a package from a registry. `./python`, `--path` and the like get it from a checkout.
FROM_REGISTRY = re.compile(r"pip install (?:--[\w-]+ )*franking\b|cargo (?:add|install) (?:--locked )?franking\b(?! --path)")


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def pages():
    """The path of each page, from the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return [path for path in listed.stdout.split("\0") if path and (ROOT / path).is_file()]


def links(text):
    return [first or second for first, second in LINK.findall(CODE.sub("", text))]


def anchors(text):
    """The names of a page's headings in links, as GitHub makes them of their texts."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page, text):
    """The links of a page that lead nowhere."""
    for link in links(text):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        target = (ROOT / page).parent / path if path else ROOT / page
        if not target.exists():
            yield f"{page}: {link}"
        elif anchor and anchor not in anchors(text if not path else target.read_text(encoding="utf-8")):
            yield f"{page}: {link}: no such heading"


# A path of the repository in a page: in a command, or between backticks.
PATH = re.compile(r"(?<![\w./-])(?:core|docs|examples|ffi|include|programs|python|tests|tools)/[\w./*-]*\w")
# A function or a type of the C headers.
C_NAME = re.compile(r"(?<!::)\b(?:franking|FRANKING)_[a-zA-Z]\w*[a-zA-Z0-9]\b(?!_)")
# The pages that show C and C++.
OF_C = ("docs/binding.md", "docs/c.md", "docs/checking.md", "docs/cpp.md", "docs/library.md")


def missing_paths(page, text):
    """The paths that a page names and that do not exist."""
    for path in PATH.findall("".join(CODE.findall(text))):
        # A word in capitals is to be replaced by the reader.
        pattern = re.sub(r"[A-Z]{4,}", "*", path)
        if not any(any(folder.glob(pattern)) for folder in (ROOT, (ROOT / page).parent)):
            yield f"{page}: {path}"


# A test or a file of tests, as the pages cite them for what they promise.
CITED = re.compile(r"`(?:(test_\w+)|([\w/]+\.(?:c|cpp|h|hpp|py|rs|sh)))`")
# Where the files are that a page cites without their folder.
OF_FILES = ("", "tests/c", "tests/cpp", "include")


def missing_tests(text):
    """The tests and files that a page cites and that do not exist."""
    tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "python" / "tests").glob("*.py"))
    for test, file in CITED.findall(text):
        if test and not re.search(rf"\bdef {test}\(", tests):
            yield test
        if file and not any((ROOT / folder / file).is_file() for folder in OF_FILES):
            yield file


def functions_of_the_table(page):
    """The functions of a table in which a name that begins with `_` stands for the last word of the name before it."""
    for row in re.findall(r"^\| (`franking_[^|]*) \|", page, re.MULTILINE):
        first, *others = re.findall(r"`(\w+)`", row)
        yield from (first, *(first.rpartition("_")[0] + other for other in others))


class Bindings(unittest.TestCase):
    def test_the_table_of_functions_is_the_header(self):
        declared = re.findall(r"\b(franking_\w+)\(", read("include/franking_json.h"))
        self.assertGreater(len(declared), 10)
        self.assertEqual(sorted(functions_of_the_table(read("docs/binding.md"))), sorted(declared))


class Links(unittest.TestCase):
    def test_each_test_that_a_page_cites_is_there(self):
        for page in ("docs/c.md", "docs/library.md", "docs/limits.md", "docs/python.md"):
            with self.subTest(page):
                self.assertGreater(len(CITED.findall(read(page))), 2)
                self.assertEqual(list(missing_tests(read(page))), [])
        gone = "`test_memory_stays_level`, `test_gone`, `threads.c`, `gone.c`, `tests/cpp/gone.cpp` and `make test`"
        self.assertEqual(list(missing_tests(gone)), ["test_gone", "gone.c", "tests/cpp/gone.cpp"])

    def test_each_path_that_a_page_names_is_there(self):
        self.assertEqual([found for page in pages() for found in missing_paths(page, read(page))], [])
        gone = "Run `tests/gone.py`, or `cargo install --path programs/cli`, and not tests/other.py."
        self.assertEqual(list(missing_paths("README.md", gone)), ["README.md: tests/gone.py"])

    def test_each_name_of_c_that_a_page_has_is_in_a_header(self):
        headers = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "include").rglob("*.h*"))
        known = set(C_NAME.findall(headers))
        for page in OF_C:
            with self.subTest(page):
                self.assertEqual(sorted(set(C_NAME.findall(read(page))) - known), [])

    def test_each_leads_to_a_file_or_a_heading_that_exists(self):
        self.assertGreater(len(pages()), 20)
        self.assertEqual([found for page in pages() for found in broken(page, read(page))], [])

    def test_one_that_leads_nowhere_is_told(self):
        text = '# One two\n[a](#one-two) [b](#three) [c](LICENSE-MIT) [d](gone.md) [e](https://example.com) `[f](g)`\n<img src="h.svg">'
        self.assertEqual(
            list(broken("README.md", text)),
            ["README.md: #three: no such heading", "README.md: gone.md", "README.md: h.svg"],
        )

    def test_the_page_of_a_package_needs_no_file_of_the_repository(self):
        for page in OF_PACKAGES:
            with self.subTest(page):
                self.assertFalse((ROOT / page).is_symlink())
                self.assertEqual([link for link in links(read(page)) if not link.startswith("https://")], [])
                self.assertNotRegex(read(page), r"\bmake \w")


# A section of the API's description, as documentation of code cites it.
SECTION = re.compile(r"interface,\s+(?:[/#*]+\s+)?sections?\s+(\d(?:\.\d)?)(?:\s+(?:and|to)\s+(\d(?:\.\d)?))?")


# A row of the changes that no test notices, as cargo mutants writes them: a file of the core, and a function in it.
SURVIVOR = re.compile(r"^\| <code>(core/src/[\w/]+\.rs): (?:.* in |replace )[^ ]*?(\w+)(?: -> .*)?</code> \|", re.MULTILINE)


class Survivors(unittest.TestCase):
    def test_each_change_that_no_test_notices_is_of_code_that_is_there(self):
        page = html.unescape(read("tests/coverage/survivors.md"))
        found = SURVIVOR.findall(page)
        self.assertEqual(len(found), page.count("| <code>"))
        self.assertGreater(len(found), 5)
        for file, name in found:
            with self.subTest(file=file, name=name):
                self.assertRegex(read(file), rf"\bfn {name}\b")


class Sections(unittest.TestCase):
    def test_each_section_of_the_interface_that_is_cited_is_in_the_table(self):
        page = read("docs/interface.md")
        listed = set(re.findall(r"^\| (\d(?:\.\d)?) \|", page, re.MULTILINE)) | {"7.1", "7.2", "7.3"}
        self.assertIn("7.1 to 7.3", page)
        cited = {}
        for folder in ("core/src", "ffi/src", "include", "python", "docs"):
            for file in (ROOT / folder).rglob("*"):
                if file.suffix in (".rs", ".h", ".hpp", ".py", ".pyi", ".md"):
                    for found in SECTION.finditer(file.read_text(encoding="utf-8")):
                        cited.update({section: file for section in found.groups() if section})
        self.assertGreater(len(cited), 10)
        self.assertEqual({section: str(file) for section, file in cited.items() if section not in listed}, {})


class Releases(unittest.TestCase):
    def test_pages_name_a_registry_only_when_the_package_is_there(self):
        if compatibility.is_released(compatibility.library_version()):
            self.assertNotIn("not released", read("README.md"))
            self.assertNotIn("no public address", read("SECURITY.md"))
            return
        self.assertIn("not released", read("README.md"))
        # The page about releasing says what will be possible after a release.
        named = [page for page in pages() if page != "docs/releasing.md" and FROM_REGISTRY.search(read(page))]
        self.assertEqual(named, [], "nothing is published under this name: anybody can take it")

    def test_what_comes_from_a_checkout_is_told_from_what_comes_from_a_registry(self):
        for command in ("pip install franking", "pip install --no-binary franking", "cargo add franking", "cargo install franking-cli"):
            self.assertRegex(command, FROM_REGISTRY)
        for command in ("pip install ./python", "cargo add franking --path CHECKOUT/core", "cargo install --path programs/cli"):
            self.assertNotRegex(command, FROM_REGISTRY)


class Numbers(unittest.TestCase):
    """The numbers on the front page."""

    def test_the_front_page_has_as_many_rules_as_the_library(self):
        rules = json.loads(read("tests/vectors/rules.json"))["cases"][0]["expect"]["rules"]
        self.assertEqual(len(rules), 41)
        self.assertIn("Forty-one rules", read("README.md"))

    def test_there_are_more_vectors_than_the_front_page_says(self):
        stated = int(re.search(r"more than ([\d,]+)\s+test cases", read("README.md"))[1].replace(",", ""))
        cases = sum(len(json.loads(file.read_text(encoding="utf-8"))["cases"]) for file in (ROOT / "tests/vectors").glob("*.json"))
        self.assertGreater(cases, stated)

    def test_the_oldest_rust_python_and_glibc_are_those_of_the_manifests(self):
        rust = re.search(r'^rust-version = "(.*)"$', read("Cargo.toml"), re.MULTILINE)[1]
        python = re.search(r'^requires-python = ">=(.*)"$', read("python/pyproject.toml"), re.MULTILINE)[1]
        glibc = re.search(r"--compatibility manylinux_(\d+)_(\d+)", read("tools/packaging/dist.sh"))
        for page in ("README.md", "docs/platforms.md"):
            self.assertIn(f"Rust {rust}", read(page), page)
            self.assertIn(f"Python {python}", read(page), page)
        self.assertIn(f"glibc {glibc[1]}.{glibc[2]}", read("docs/platforms.md"))
        self.assertIn(f"Rust {rust}", read("core/README.md"))
        for page in pages():
            self.assertEqual(set(re.findall(r"Python (3\.\d+) or later", read(page))) - {python}, set(), page)


if __name__ == "__main__":
    unittest.main()
