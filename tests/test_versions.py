"""Versions keep their promises, as does the stated compiler; notices and debian/copyright name what is shipped.

    python3 -m unittest tests/test_versions.py
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools" / "packaging"))
sys.path.insert(0, str(ROOT / "tests"))

import debian_copyright  # noqa: E402
import compatibility  # noqa: E402
from parts import SHIPPED  # noqa: E402

ABI = """\
struct franking_settings 16 : size 0, batch 8
struct franking_text 16 : data 0, len 8
const FRANKING_RULE_KEY_MISSING 6
void franking_call_free(franking_call *call);
"""


@functools.cache
def resolved():
    """The metadata of cargo about the workspace and about each crate that it reaches."""
    run = subprocess.run(
        ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(run.stdout)


class Promises(unittest.TestCase):
    def test_no_promise_about_what_is_recorded_is_broken(self):
        self.assertEqual(list(compatibility.findings()), [])

    def test_the_changelog_has_both_versions(self):
        for heading in (compatibility.library_version(), f"Rules {compatibility.rules_version()}"):
            self.assertIn(compatibility.is_released(heading), (True, False))

    def test_new_lines_and_structures_that_grow_at_their_end_break_no_program(self):
        grown = ABI.replace("settings 16 : size 0, batch 8", "settings 24 : size 0, batch 8, more 16")
        self.assertEqual(list(compatibility.abi_breaks(ABI, grown + "const FRANKING_RULE_NEW 99\n")), [])

    def test_whatever_else_changes_breaks_programs(self):
        for old, new in (
            ("MISSING 6", "MISSING 7"),
            ("const FRANKING_RULE_KEY_MISSING 6\n", ""),
            ("(franking_call *call)", "(const franking_call *call)"),
            ("size 0, batch 8", "size 0, batch 12"),
            ("size 0, batch 8", "size 0, other 8"),
            ("settings 16 : size 0, batch 8", "settings 8 : size 0"),
            # A structure that does not state its size must not grow, because programs cannot see how large it is.
            ("text 16 : data 0, len 8", "text 24 : data 0, len 8, more 16"),
        ):
            with self.subTest(new=new):
                self.assertIn(old, ABI)
                self.assertEqual(len(list(compatibility.abi_breaks(ABI, ABI.replace(old, new)))), 1)

    def test_another_answer_to_a_case_and_a_case_that_is_gone_change_the_rules_and_a_new_case_does_not(self):
        old = {"case": "one", "other": "two"}
        self.assertEqual(compatibility.verdict_changes(old, {**old, "new": "three"}), [])
        self.assertEqual(compatibility.verdict_changes(old, {**old, "case": "two"}), ["case"])
        self.assertEqual(compatibility.verdict_changes(old, {"case": "one"}), ["other"])

    def test_a_step_of_the_schema_that_changes_or_is_gone_is_found_and_a_new_one_is_not(self):
        old = {"0001.sql": "one", "0002.sql": "two"}
        self.assertEqual(compatibility.schema_changes(old, {**old, "0003.sql": "three"}), [])
        self.assertEqual(compatibility.schema_changes(old, {**old, "0001.sql": "other"}), ["0001.sql"])
        self.assertEqual(compatibility.schema_changes(old, {"0001.sql": "one"}), ["0002.sql"])

    def test_the_steps_of_both_databases_count(self):
        steps = compatibility.schema()
        for database in ("sqlite", "postgres"):
            self.assertIn(f"programs/service/src/store/{database}/migrations/0001.sql", steps)

    def test_every_vector_and_the_rule_table_count(self):
        found = compatibility.verdicts()
        table = json.loads((ROOT / "tests/vectors/rules.json").read_text(encoding="utf-8"))["cases"][0]["case"]
        self.assertIn(compatibility.digest({name: value for name, value in table.items() if name != "id"}, 12), found)
        self.assertGreater(len(found), 7000)


class Notices(unittest.TestCase):
    def test_they_name_each_crate_that_is_shipped_in_the_version_that_is_shipped(self):
        tree = subprocess.run(
            ["cargo", "tree", "--locked", "--offline", "--package", "franking-python", "--edges", "normal,no-proc-macro"]
            + ["--target", "all", "--prefix", "none", "--format", "{p}"],
            cwd=ROOT, check=True, capture_output=True, text=True,
        )  # fmt: skip
        shipped = {tuple(line.split()[:2]) for line in tree.stdout.splitlines() if line and "(/" not in line}
        notices = (ROOT / "THIRD-PARTY-NOTICES.txt").read_text(encoding="utf-8")
        listed = set(re.findall(r"^  (\S+) (\d\S*): ", notices, re.MULTILINE))
        missing = {name for name, version in shipped if (name, version.removeprefix("v")) not in listed}
        self.assertEqual(missing, set(), "write THIRD-PARTY-NOTICES.txt anew: make notices")


class DebianCopyright(unittest.TestCase):
    def write(self, *crates):
        """What the program ends with for a vendor folder of crates: status, output, message."""
        with tempfile.TemporaryDirectory() as vendor:
            for name, manifest in crates:
                folder = pathlib.Path(vendor) / name
                folder.mkdir()
                (folder / "Cargo.toml").write_text(f'[package]\nname = "{name}"\n{manifest}', encoding="utf-8")
                (folder / "LICENSE").write_text("Copyright (c) 2020 Somebody\nCopyright (c) <year> <owner>\n", encoding="utf-8")
            run = subprocess.run(
                [sys.executable, ROOT / "tools/packaging/debian_copyright.py", vendor], capture_output=True, text=True
            )
        return run.returncode, run.stdout, run.stderr

    def test_crates_of_one_licence_share_a_paragraph_with_everybody_whose_work_they_are(self):
        status, output, _ = self.write(
            ("one", 'license = "MIT/Apache-2.0"\nauthors = ["Another"]\n'), ("two", 'license = "Apache-2.0 OR MIT"\n')
        )
        self.assertEqual(status, 0)
        paragraph = "Files:\n vendor/one/*\n vendor/two/*\nCopyright:\n (c) 2020 Somebody\n Another\nLicense: Apache-2.0 or Expat\n"
        self.assertIn(paragraph, output)

    def test_expressions_are_those_of_debian(self):
        for spdx, debian in (
            ("MIT AND BSD-3-Clause", "Expat and BSD-3-Clause"),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", "Apache-2.0 or Expat, and Unicode-3.0"),
            ("Apache-2.0 WITH LLVM-exception OR MIT", "Apache-2.0 with LLVM exception or Expat"),
        ):
            with self.subTest(spdx=spdx):
                self.assertEqual(debian_copyright.debian_expression(spdx), debian)

    def test_the_texts_of_all_licences_are_there(self):
        licences = {package["license"] for package in resolved()["packages"] if package["source"]}
        self.assertGreater(len(licences), 10)
        named = {name for licence in licences for name in debian_copyright.terms(debian_copyright.debian_expression(licence))}
        self.assertEqual({name for name in named if not debian_copyright.has_text(name)}, set())

    def test_a_licence_without_its_text_and_a_crate_without_a_licence_are_errors(self):
        for manifest in ('license = "WTFPL"\n', 'license = "MIT OR (Zlib AND ISC)"\n', 'license-file = "LICENSE"\n'):
            with self.subTest(manifest=manifest):
                status, output, message = self.write(("one", manifest))
                self.assertEqual((status, output), (1, ""))
                self.assertRegex(message, r"^(copyright\.in|one) .*\n$")


class OldestCompiler(unittest.TestCase):
    """Cargo.toml states the oldest compiler as rust-version. `make prove` compiles all that is shipped with it."""

    def setUp(self):
        manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
        self.stated = re.search(r'^rust-version = "(.*)"$', manifest, re.MULTILINE)[1]

    def test_no_crate_that_is_shipped_asks_for_a_later_one_and_some_crate_asks_for_this_one(self):
        metadata = resolved()
        packages = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        reached = set()
        ahead = [id for id in metadata["workspace_members"] if packages[id]["name"] in SHIPPED]
        self.assertEqual(len(ahead), len(SHIPPED))
        while ahead:
            crate = ahead.pop()
            if crate not in reached:
                reached.add(crate)
                # Crates that only tests need are not built by users.
                used = [it for it in nodes[crate]["deps"] if any(kind["kind"] != "dev" for kind in it["dep_kinds"])]
                ahead += [it["pkg"] for it in used]
        asked = {packages[crate]["name"]: packages[crate]["rust_version"] for crate in reached - set(metadata["workspace_members"])}
        self.assertGreater(len(asked), 50)

        def numbers(version):
            return tuple(map(int, version.split(".")[:2]))

        later = {name: version for name, version in asked.items() if version and numbers(version) > numbers(self.stated)}
        self.assertEqual(later, {}, f"Cargo.toml states {self.stated}")
        needs = [name for name, version in asked.items() if version and numbers(version) == numbers(self.stated)]
        self.assertIn("icu_normalizer", needs, "the reason that Cargo.toml gives no longer holds: state an older compiler")

    def test_every_page_and_package_names_this_one(self):
        for file, form in (
            ("tools/packaging/debian/control", "cargo (>= {})"),
            ("tools/packaging/debian/control", "cargo-web (>= {})"),
            ("tools/packaging/debian/control", "rustc (>= {})"),
            ("tools/packaging/debian/control", "rustc-web (>= {})"),
            ("docs/python.md", "Rust toolchain ({} or later)"),
        ):
            with self.subTest(file=file, form=form):
                self.assertIn(form.format(self.stated), (ROOT / file).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
